/**
 * The store of a run into a file. It saves a checkpoint every second, so that the same command continues the run.
 *
 * The records are saved as NDJSON. For another format, this is `FILE.partial.ndjson`, which `tableFile.ts` converts at the end. So no format
 * can lose a record that has cost a request.
 */
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { Ledger } from "@chemstream/stream"
import { Checkpoint, type Lock } from "@chemstream/stream/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, type PlatformError, type Scope, Stream } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as WorkbookWriter from "../tables/workbookWriter.ts"
import { counted } from "../terminal/quantities.ts"
import type { Origin } from "./lostValues.ts"
import * as OutputPlace from "./outputPlace.ts"
import * as ResponseFile from "./responseFile.ts"
import type { Places } from "./resumeRefusal.ts"
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
import * as TableFile from "./tableFile.ts"

/** The most records whose origins (line and identifier of the input) are kept. A message names only the first record that is refused. */
const mostOrigins = 1000

/** Opens the files of a run, or those of the run to continue. */
export const open = (
  files: Files,
  kind: TableFile.Kind,
  output: OutputPlace.Target,
  errors: OutputPlace.Target | undefined,
  identity: Identity
): Effect.Effect<Store, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const position = {
      path: files.checkpoint ?? `${output.path}.checkpoint`,
      name: files.checkpoint ?? `${output.name}.checkpoint`
    }
    const saved = kind === "ndjson" ? output : partialOf(output)
    const places = { output, saved, errors, position }
    const responses = yield* ResponseFile.open(output)
    const origins = new Map<number, Origin>()
    const run = yield* openRun(places, identity, files.resume, () => JSON.stringify([...origins]))
    let next = run.ledger.records
    for (const [record, origin] of JSON.parse(run.note ?? "[]") as ReadonlyArray<readonly [number, Origin]>)
      if (record < next) origins.set(record, origin)
    /** Keeps the origins of the records that a workbook may refuse. */
    const keepOrigins = (part: Part): void => {
      for (const { outcome, records } of outcomesOf(part))
        for (const record of records) {
          if (
            outcome._tag !== "Surplus" &&
            origins.size < mostOrigins &&
            WorkbookWriter.mayBeRefused(record, next)
          )
            origins.set(next, { line: outcome.line, id: outcome.id })
          next++
        }
    }
    const writeDirect = yield* directErrors(files, errors)
    return {
      ledger: run.ledger,
      earlier: run.earlierMillis,
      resumePoint: run.resumePoint,
      isComplete: run.isComplete,
      responses,
      hasFiles: true,
      write: (parts) =>
        Effect.catchIf(
          run.write(
            Stream.tap(parts, (part) => {
              if (kind === "xlsx") keepOrigins(part)
              return writeDirect(part)
            })
          ),
          isOfFile,
          failWriteOf(places)
        ),
      keep: keep(run, places, files.resume),
      complete: Effect.gen(function* () {
        const complete = Effect.andThen(
          Effect.catchTag(run.complete, "PlatformError", failWriteOf(places)),
          // A run that was killed has left those that it had written.
          responses.replace([])
        )
        if (kind === "ndjson") return yield* Effect.as(complete, true)
        yield* Effect.catchTag(run.finish, "PlatformError", failWriteOf(places))
        const isWhole = yield* TableFile.convert(saved, output, kind, files, (index) => origins.get(index))
        yield* complete
        yield* Effect.tryPromise({
          try: () => rm(saved.path, { force: true }),
          catch: (cause) => OutputPlace.writeFailure(saved.name, cause)
        })
        return isWhole
      })
    } satisfies Store
  }).pipe(Effect.provide(NodeServices.layer))

/** The records of a run into a file of another format. */
const partialOf = ({ name, path }: OutputPlace.Target): OutputPlace.Target => ({
  name: `${name}.partial.ndjson`,
  path: `${path}.partial.ndjson`
})

const openRun = (places: Places, identity: Identity, resume: boolean, note: () => string) => {
  const { errors, output, position, saved } = places
  return Checkpoint.lines({
    output: saved.path,
    part: saved === output ? undefined : saved.path,
    errors: errors?.path,
    checkpoint: position.path,
    identity,
    resume,
    note
  }).pipe(
    Effect.catchTags({
      CheckpointRefused: ({ refusal }) => usageFailure(ResumeRefusal.toText(refusal, places)),
      InvalidOption: (error) => usageFailure(error.message),
      LockFailure: (error) =>
        lockFailure(error, [{ ...output, path: saved.path }, ...(errors === undefined ? [] : [errors])]),
      PlatformError: failWrite(output)
    })
  )
}

const isOfFile = (error: unknown): error is PlatformError.PlatformError =>
  (error as { readonly _tag?: unknown })._tag === "PlatformError"

type Run = Checkpoint.Lines

/** Saves the run. Returns a sentence with the files and how to continue. Undefined: nothing was received. */
const keep = (run: Run, { errors, output, position, saved }: Places, resume: boolean): Store["keep"] =>
  Effect.gen(function* () {
    if (Ledger.sum(run.ledger) === 0 && !existsSync(ResponseFile.nameOf(output.path))) return undefined
    const records = yield* run.save.pipe(
      Effect.catchTag("PlatformError", failWrite(position)),
      Effect.mapError(unsavedFailure(run))
    )
    const parts = [saved, ...(errors === undefined ? [] : [errors])].map(({ name, path }) =>
      // A file may have its name already, if another one could not get it.
      existsSync(`${path}.part`) ? `${name}.part` : name
    )
    return `kept ${counted(records, "record")} in ${parts.join(" and ")}, the position in ${position.name}. ${continueText(resume)}`
  })

/** Names the file of an error. */
const failWriteOf =
  ({ errors, output, position }: Places) =>
  (error: PlatformError.PlatformError): Effect.Effect<never, CommandFailure> => {
    const path = "pathOrDescriptor" in error.reason ? String(error.reason.pathOrDescriptor) : ""
    const found = [output, errors, position].find((one) => one !== undefined && path.startsWith(one.path))
    return failWrite(found ?? output)(error)
  }

const failWrite =
  ({ name }: OutputPlace.Target) =>
  (error: PlatformError.PlatformError): Effect.Effect<never, CommandFailure> =>
    Effect.fail(OutputPlace.writeFailure(name, error.reason.cause ?? error))

const lockFailure = (error: Lock.LockFailure, targets: ReadonlyArray<OutputPlace.Target>): CommandFailure => {
  const name = targets.find(({ path }) => path === error.file)?.name ?? error.file
  return error.isLocked
    ? usageFailure(`another run is writing ${name}: wait until it has ended, or stop it`)
    : OutputPlace.writeFailure(name, error.cause)
}
