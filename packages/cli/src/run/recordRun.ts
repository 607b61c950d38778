/**
 * What all runs that write records share: opens the files, saves the run when it stops, and prints the summary. `lookupRun.ts`,
 * `tableRun.ts` and `endpoints/listCommand.ts` give it their `transfer`, which fetches the records and writes them into the store.
 */
import { type ChemClient, type ChemError, type InvalidOption, MonotonicClock } from "@chemstream/client"
import { Ledger } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { CommandFailure, callFailure, incompleteRun, runFailure, usageFailure } from "../CommandFailure.ts"
import { isFailure, type ReasonToFail } from "../flags/failOn.ts"
import type { LineTally } from "../input/lineTally.ts"
import * as OpenStore from "../output/openStore.ts"
import * as OutputFiles from "../output/outputFiles.ts"
import type * as Store from "../output/runStore.ts"
import * as TableFile from "../output/tableFile.ts"
import * as Sheet from "../tables/workbookWriter.ts"
import * as Messages from "../terminal/messages.ts"
import * as ProgressBar from "../terminal/progressBar.ts"
import { count, counted } from "../terminal/quantities.ts"
import * as OrderlyStop from "./orderlyStop.ts"
import * as ProblemSummary from "./problemSummary.ts"
import * as summary from "./summary.ts"

export interface Options extends Store.Files {
  /** The counts that make the run fail, besides failed values. */
  readonly failOn: ReadonlyArray<ReasonToFail>
  readonly quiet: boolean
  /** How long requests on the wire may take after a signal, in milliseconds. */
  readonly stopTimeout: number
  /** The total in the unit of the ledger, if it is known. */
  readonly total: Effect.Effect<number, CommandFailure> | undefined
  /** Counts the lines of the input without a value. Undefined: the input has no lines. */
  readonly tally?: LineTally | undefined
}

/** The store, the summary of the problems and the stop of a run, for its transfer. */
export interface Run {
  readonly store: Store.Store
  readonly problemSummary: ProblemSummary.ProblemSummary
  readonly stopping: OrderlyStop.Stopping
}

/** A continued run has another input. */
interface InputMismatch {
  readonly _tag: "InputMismatch"
  /** The number of items that the earlier run had read. */
  readonly settled: number
  /** The number of items of this input, if it has fewer. */
  readonly items?: number | undefined
}

/** The errors of a transfer. */
export type Failure = CommandFailure | InputMismatch | OutputFiles.ReaderGone

/**
 * Runs `transfer`, and prints the summary, which `toText` renders, and the reasons of failures. Then it fails if an identifier failed, a value is one of `failOn`,
 * or every value is invalid.
 *
 * A run that stops early keeps its results and names the files. After the first Ctrl-C, only the requests on the wire finish. If the reader of
 * standard output closes it, the run stops early, too. Without files that is no error.
 */
export const run = (
  options: Options,
  identity: Store.Identity,
  toText: (ledger: Ledger.Ledger, durations: summary.Durations) => string,
  transfer: (run: Run) => Effect.Effect<void, Failure, ChemClient.ChemClient>
): Effect.Effect<Ledger.Counts, CommandFailure, ChemClient.ChemClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      const started = yield* MonotonicClock.currentMillis
      yield* checkRows(options)
      const store = yield* OpenStore.open(options, identity)
      const stopping = yield* OrderlyStop.make
      const { ledger } = store
      const before = Ledger.sum(ledger)
      const problemSummary = ProblemSummary.make()
      const report = Effect.fnUntraced(function* (isComplete: boolean) {
        const now = ((yield* MonotonicClock.currentMillis) - started) / 1000
        const durations = { now, seconds: now + store.earlier / 1000 }
        // Written separately from the outputs, because a failed run has counts, too.
        const counts = summary.toJson(ledger, durations.seconds, isComplete, options.tally)
        if (options.jsonSummary !== undefined)
          yield* OutputFiles.write(options.jsonSummary, Stream.make(counts), { option: "json-summary" })
        // A run that settled nothing prints only its error.
        const isSummed = isComplete || Ledger.sum(ledger) > before
        if (!options.quiet && isSummed) {
          Messages.say(toText(ledger, durations) + summary.linesText(ledger.read, options.tally, isComplete))
        }
        Messages.say(problemSummary.toText(options.quiet, before > 0))
      })
      const work = Effect.catchTag(
        stopping.provide(transfer({ store: announceResume(store, options), problemSummary, stopping })),
        "ReaderGone",
        () => Effect.succeed(readerGone)
      )
      const inOrder = OrderlyStop.stopInOrder(work, stopping, options.stopTimeout, keep(store))
      const isWhole = yield* (store.hasFiles ? inOrder : work).pipe(
        Effect.flatMap((result): Effect.Effect<boolean | typeof readerGone, Failure> => {
          if (result !== readerGone) return store.complete
          return store.hasFiles ? Effect.fail(readerLeft) : Effect.succeed(readerGone)
        }),
        Effect.catch((error) => keepAfter(error, store)),
        Effect.onError(() => Effect.ignore(report(false)))
      )
      yield* report(isWhole === true)
      // A reader that leaves has all that it wants.
      if (isWhole === readerGone) return ledger
      if (!isWhole) return yield* incompleteRun
      if (ledger.read > 0 && ledger.invalid === ledger.read) return yield* problemSummary.nothingValid()
      if (isFailure(ledger, options.failOn)) return yield* incompleteRun
      return ledger
    })
  )

/** Fails before the first request if the output cannot hold a row for each value. */
const checkRows = ({ format, output = "", total }: Options): Effect.Effect<void, CommandFailure> =>
  TableFile.kindOf(output, format) === "xlsx" && total !== undefined
    ? Effect.flatMap(total, Sheet.checkRows)
    : Effect.void

/** In place of a result: the reader of standard output has closed it. */
const readerGone: unique symbol = Symbol("readerGone")

const readerLeft = runFailure("the reader of standard output has closed it before the end of the run")

/** Returns the failure of a run, with the files of its kept results. */
const keepAfter = (error: Failure, store: Store.Store): Effect.Effect<never, CommandFailure> =>
  error._tag === "ReaderGone"
    ? keepAfter(readerLeft, store)
    : error._tag === "InputMismatch"
      ? // The files belong to another input and stay unchanged.
        usageFailure(
          `the input differs from that of the run to continue: ${mismatchText(error)}. Give the same input as before, or add --no-resume to start over`
        )
      : Effect.flatMap(
          keep(store),
          (keptMessage) =>
            new CommandFailure({
              exitCode: error.exitCode,
              message:
                keptMessage === undefined || keptMessage.startsWith(error.message)
                  ? (keptMessage ?? error.message)
                  : `${error.message}\nchemstream: ${keptMessage}`
            })
        )

/** Describes how the input differs, in lines. */
const mismatchText = ({ items, settled }: InputMismatch): string =>
  items === undefined
    ? `its first ${counted(settled, "line")}, not counting blank lines and comments, differ in a value, a line number or a kept column`
    : `it has ${counted(items, "line")}, not counting blank lines and comments, and the earlier run read at least ${count(settled)}`

/** Keeps the results so far. Returns the message about them, if any. */
const keep = (store: Store.Store): Effect.Effect<string | undefined> =>
  Effect.catch(store.keep, ({ message }) => Effect.succeed(message))

/** Reports where a run continues, after its input has matched that of the saved run. */
const announceResume = (
  store: Store.Store,
  { quiet, total }: Pick<Options, "quiet" | "total">
): Store.Store => {
  if (store.resumePoint === undefined || quiet) return store
  const at = count(Ledger.sum(store.ledger))
  const tell = Effect.gen(function* () {
    const all = total === undefined ? "" : ` of ${count(yield* total)}`
    ProgressBar.say(`chemstream: continuing at ${at}${all} (--no-resume starts over)\n`)
  })
  return {
    ...store,
    write: (parts) =>
      Effect.suspend(() => {
        let isTold = false
        const once = Effect.suspend(() => {
          const first = !isTold
          isTold = true
          return first ? tell : Effect.void
        })
        return Effect.andThen(store.write(Stream.onFirst(parts, () => once)), once)
      })
  }
}

/**
 * Writes the parts of a run. After a requested stop, it ignores every error except a failed write.
 */
export const write = <R>(
  parts: Stream.Stream<Store.Part, Failure | ChemError.ChemError | InvalidOption.InvalidOption, R>,
  { stopping, store }: Pick<Run, "stopping" | "store">
): Effect.Effect<void, Failure, R> =>
  store.write(parts).pipe(
    Effect.catchIf(
      (error) => stopping.isRequested() && error._tag !== "CommandFailure",
      () => Effect.void
    ),
    Effect.mapError((error) => {
      switch (error._tag) {
        case "CommandFailure":
        case "InputMismatch":
        case "ReaderGone":
          return error
        case "InvalidOption":
          return usageFailure(error.message)
        default:
          return callFailure(error)
      }
    })
  )
