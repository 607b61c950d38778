/**
 * The store of a run into tables of a database. Every second, one transaction saves the rows and the position, so that the same command
 * continues the run.
 */
import { basename } from "node:path"
import { Quote } from "@chemstream/api"
import type { Table } from "@chemstream/ndjson"
import { Ledger, type Outcome, OutcomeRow, type Problem } from "@chemstream/stream"
import { Checkpoint } from "@chemstream/stream/node"
import { TableOutput, type TableTarget } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type Scope, Stream } from "effect"
import { type CommandFailure, reasonOf, runFailure, usageFailure } from "../CommandFailure.ts"
import { ErrorsFile } from "../input/errorsFile.ts"
import * as Messages from "../terminal/messages.ts"
import { counted } from "../terminal/quantities.ts"
import { missingMeaning } from "./missingMeaning.ts"
import type * as OutputPlace from "./outputPlace.ts"
import * as ResumeRefusal from "./resumeRefusal.ts"
import {
  continueText,
  directErrors,
  type Files,
  type Identity,
  outcomesOf,
  type Part,
  type Store,
  unsavedFailure
} from "./runStore.ts"

/** Opens the tables of a run, with the state of the run to continue. */
export const open = (
  files: Files,
  target: TableTarget.TableTarget,
  errors: OutputPlace.Target | undefined,
  identity: Identity
): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const tables = yield* Effect.mapError(
      TableOutput.open({
        target,
        // A field that the contract does not have can be of any type.
        columns: files.columns.map(({ name, type = "json" }): Table.Column => ({ name, type })),
        primaryKey: files.primaryKey,
        perLine: files.perLine,
        stale: files.stale,
        amends: (yield* ErrorsFile).isRequired
      }),
      tableFailure
    )
    if (files.quiet !== true) sayRenamed(tables)
    if (tables.isKnown && files.quiet !== true) {
      const fate = fates[files.stale ?? "keep"]
      Messages.say(
        `chemstream: records in ${tables.name} of requested values that the service no longer has ${fate}\n`
      )
    }
    const run = yield* openRun(tables, errors, identity, files.resume)
    const complete = Effect.andThen(run.complete, sayUnrequested(tables, files))
    const writeDirect = yield* directErrors(files, errors)
    let hasResponses = false
    const endpoint = String(identity["endpoint"])
    const writePart = Effect.fnUntraced(function* (part: Part) {
      for (const entry of entriesOf(part, endpoint)) yield* tables.add(entry)
      yield* run.record(part.batch, { problems: part.problems })
      if (tables.isFull()) yield* run.save
    })
    return {
      ledger: run.ledger,
      earlier: run.earlierMillis,
      resumePoint: run.resumePoint,
      isComplete: run.isComplete,
      responses: {
        name: `${tables.name}_run`,
        read: tables.responses.read,
        // The next save of the position writes them.
        replace: (texts) =>
          Effect.sync(() => {
            hasResponses = texts.length > 0
            tables.responses.replace(texts)
          })
      },
      hasFiles: true,
      write: Stream.runForEach((part) =>
        Effect.andThen(Effect.mapError(writePart(part), storeFailure), writeDirect(part))
      ),
      keep: Effect.suspend(() =>
        Ledger.sum(run.ledger) === 0 && !hasResponses
          ? Effect.undefined
          : Effect.map(
              run.save.pipe(Effect.mapError(storeFailure), Effect.mapError(unsavedFailure(run))),
              (records) =>
                `kept ${counted(records, "record")} in ${tables.name}. ${continueText(files.resume)}`
            )
      ),
      complete: Effect.as(Effect.mapError(complete, storeFailure), true)
    } satisfies Store
  }).pipe(Effect.provide(NodeServices.layer))

/** Says how many records are not refreshed, if the table has those of one list, as `--stale` implies. */
const sayUnrequested = (
  { name, unrequested }: TableOutput.TableOutput,
  { quiet = false, stale = "keep" }: Pick<Files, "quiet" | "stale">
): Effect.Effect<void, TableOutput.TableOutputError> =>
  quiet || stale === "keep"
    ? Effect.void
    : Effect.map(unrequested, (count) => {
        if (count > 0)
          Messages.say(
            `chemstream: ${counted(count, "record")} in ${name} of values that this run did not request stayed as before\n`
          )
      })

/** Says which columns have another name than their field. */
export const sayRenamed = ({ name, renamed }: Pick<TableOutput.TableOutput, "name" | "renamed">): void => {
  if (renamed.length === 0) return
  const words = renamed
    .slice(0, mostShown)
    .map(({ column, field }) => `${Quote.value(field)} is ${Quote.value(column)}`)
  const rest = renamed.length - words.length
  Messages.say(
    `chemstream: renamed columns of ${name}: ${words.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}\n`
  )
}

/** The most renamed columns in a message. */
const mostShown = 8

const fates: Readonly<Record<TableTarget.Stale, string>> = {
  keep: "are kept (--stale mark or delete changes this)",
  mark: "are marked in gone_at when the run is complete",
  delete: "are deleted when the run is complete"
}

/** Opens the run, or continues it from the position in the database. */
const openRun = (
  tables: TableOutput.TableOutput,
  errors: OutputPlace.Target | undefined,
  identity: Identity,
  resume: boolean
) => {
  const output = { path: tables.name, name: tables.name }
  const places = { output, saved: output, errors, position: output }
  return Checkpoint.open<string, TableOutput.TableOutputError>(
    {
      outputs: errors === undefined ? {} : { problems: errors.path },
      identity: { ...identity, errors: errors === undefined ? null : basename(errors.path) },
      resume
    },
    tables.position
  ).pipe(
    Effect.catchTag("CheckpointRefused", ({ refusal }) =>
      usageFailure(ResumeRefusal.toText(refusal, places))
    ),
    Effect.mapError(storeFailure)
  )
}

/** Returns the rows of a part. */
const entriesOf = (part: Part, endpoint: string): ReadonlyArray<TableOutput.Entry> =>
  outcomesOf(part).flatMap(({ outcome, records }) => {
    if (outcome._tag === "Surplus") return []
    const row = OutcomeRow.make(
      outcome as Exclude<Outcome.Outcome<unknown, Problem.Failure>, Outcome.Surplus>,
      (id) => missingMeaning(endpoint, id)
    )
    // A row of the input that is not found has output rows, too.
    return [{ outcome: { ...row, records: records.length }, records }]
  })

/** Returns the failure of the tables: wrong usage if they refuse the run, e.g. for other columns, else a failed run. */
const tableFailure = ({ isRefusal, message }: TableOutput.TableOutputError): CommandFailure =>
  isRefusal ? usageFailure(message) : runFailure(message)

/** Makes the failure of the command from an error of its tables or files. */
export const storeFailure = (
  error:
    | CommandFailure
    | TableOutput.TableOutputError
    | { readonly _tag: "CheckpointRefused" | "InvalidOption" | "LockFailure"; readonly message: string }
    | { readonly _tag: "PlatformError"; readonly message: string }
): CommandFailure => {
  switch (error._tag) {
    case "CommandFailure":
      return error
    case "TableOutputError":
      return tableFailure(error)
    case "CheckpointRefused":
    case "InvalidOption":
    case "LockFailure":
      return usageFailure(error.message)
    case "PlatformError":
      return runFailure(`cannot write the errors file: ${reasonOf(error)}`)
  }
}
