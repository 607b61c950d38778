/**
 * Says what a run costs: all of it with `--dry-run`, one line before the first request of a long run, and the expectation of the progress
 * line. `Plan` of the stream package counts the requests.
 */
import { type ChemClient, type ChemError, Options } from "@chemstream/client"
import { type Enrich, type Identifiers, Ledger, Lookup, Plan } from "@chemstream/stream"
import { Effect, type Scope, type Stream } from "effect"
import { type CommandFailure, callFailure, runFailure, usageFailure } from "../CommandFailure.ts"
import * as MetricsFlags from "../flags/metricsFlags.ts"
import * as RequestRate from "../flags/requestRate.ts"
import type { Input } from "../input/openInput.ts"
import * as Messages from "../terminal/messages.ts"
import * as ProgressBar from "../terminal/progressBar.ts"
import { count, durationText } from "../terminal/quantities.ts"
import * as progress from "../terminal/runProgress.ts"
import { withoutPassword } from "../terminal/withoutPassword.ts"

/** A lookup of any records. It may fail as an enrichment does. */
type AnyLookup<R> = Lookup.Lookup<R, ChemError.ChemError | Enrich.Incomplete>

/** The files that a run writes. */
export interface Files {
  /** Default: standard output. */
  readonly output?: string | ReadonlyArray<string> | undefined
  readonly errors?: string | undefined
  readonly jsonSummary?: string | undefined
}

export type Requests = Pick<Plan.Plan, "least" | "most">

/** The requests of a run that also names assay endpoints: the responses say which. */
export const withNames = ({ least }: Requests): Requests => ({ least, most: undefined })

/** Prints the plan of a run, which sends nothing. `change` corrects the requests, e.g. if the run may skip identifiers. */
export const print = <R>(
  identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>,
  lookup: AnyLookup<R>,
  options: Lookup.Options & Files,
  change: (requests: Requests) => Requests = (requests) => requests
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient> =>
  Effect.flatMap(planOf(identifiers, lookup, options), (plan) =>
    printPlan(identifiersText(plan), change(plan), options)
  )

/** Prints the plan of a run over a list of pages, or of one page. */
export const printPages = (files: Files, isPaged = true): Effect.Effect<void, never, ChemClient.ChemClient> =>
  printPlan("those of the service", { least: 1, most: isPaged ? undefined : 1 }, files)

/** Prints a plan. `identifiers` describes those of the input. */
export const printPlan = (
  identifiers: string,
  requests: Requests,
  { errors, jsonSummary, output = "standard output" }: Files
): Effect.Effect<void, never, ChemClient.ChemClient> =>
  Effect.map(RequestRate.ofRun, (pace) => {
    const files = [output, errors, jsonSummary]
      .flat()
      .filter((file) => file !== undefined)
      .map(withoutPassword)
    const time =
      pace === undefined ? "as the service allows; --rate N/s sets a rate" : timeText(requests, pace)
    const more = requests.most === undefined ? "; the responses decide how many more" : ""
    Messages.print(
      `identifiers: ${identifiers}\nrequests: ${rangeText(requests, count)}${more}\ntime: ${time}\nfiles: ${files.join(", ")}\nnothing was sent (--dry-run)\n`
    )
  })

const identifiersText = ({ duplicates, invalid, kinds }: Plan.Plan): string => {
  const requested = Object.entries(kinds).map(([kind, number]) => `${kind} ${count(number)}`)
  return [
    requested.length === 0 ? "none" : requested.join(", "),
    ...(duplicates > 0 ? [`duplicates ${count(duplicates)}`] : []),
    ...(invalid > 0 ? [`invalid ${count(invalid)}`] : [])
  ].join("; ")
}

const rangeText = ({ least, most }: Requests, text: (value: number) => string): string => {
  if (most === least) return text(least)
  return `at least ${text(least)}${most === undefined ? "" : `, at most ${text(most)}`}`
}

const timeText = (requests: Requests, pace: number): string =>
  `${rangeText(requests, (value) => durationText(value / pace))} at ${RequestRate.toText(pace)}`

/** Returns the plan of a lookup of identifiers. */
export const planOf = <R>(
  identifiers: Stream.Stream<Identifiers.Identifier, CommandFailure>,
  lookup: AnyLookup<R>,
  options: Lookup.Options = {}
): Effect.Effect<Plan.Plan, CommandFailure, ChemClient.ChemClient> =>
  Effect.mapError(Plan.of(identifiers, lookup, Options.pick(Lookup.optionSet, options)), (error) => {
    switch (error._tag) {
      case "CommandFailure":
        return error
      case "InvalidOption":
        return usageFailure(error.message)
      default:
        return planFailure(error)
    }
  })

/** Returns the failure of a plan whose requests cannot be counted. */
export const planFailure = (error: ChemError.ChemError | Enrich.Incomplete): CommandFailure =>
  error._tag === "Incomplete" ? runFailure(error.message) : callFailure(error)

/** A run that takes more seconds is announced. */
const longestUnannounced = 60

const announce = (requests: Requests, pace: number): void => {
  if ((requests.most ?? requests.least) / pace > longestUnannounced)
    ProgressBar.say(
      `chemstream: ${rangeText(requests, count)} requests: ${timeText(requests, pace)} (--dry-run prints the plan)\n`
    )
}

/** Says that requests take long, if they do at the rate of the run. Without a rate, they are not counted. */
export const announceLong = <E, R>(
  requests: Effect.Effect<Requests, E, R>
): Effect.Effect<void, E, ChemClient.ChemClient | R> =>
  Effect.flatMap(RequestRate.ofRun, (pace) =>
    pace === undefined ? Effect.void : Effect.map(requests, (found) => announce(found, pace))
  )

/** Shows the progress of a run until the scope closes. Says before the first request that a run is long. */
export const show = <R>(
  { copy }: Pick<Input, "copy">,
  lookup: AnyLookup<R>,
  options: Lookup.Options & { readonly progress: progress.Style; readonly quiet: boolean },
  ledger: Ledger.Ledger
): Effect.Effect<void, CommandFailure, ChemClient.ChemClient | Scope.Scope> =>
  Effect.gen(function* () {
    const pace = yield* RequestRate.ofRun
    const mayAnnounce = pace !== undefined && !options.quiet
    if (copy === undefined || (!mayAnnounce && options.progress === "none" && !MetricsFlags.isRead()))
      return yield* progress.show(ledger, undefined, options.progress)
    const plan = { ...(yield* planOf(copy, lookup, options)), pace }
    if (mayAnnounce) announce(progress.rest(plan, Ledger.sum(ledger)), pace)
    yield* progress.show(ledger, plan, options.progress)
  })
