/**
 * Opens the checkpoint of a run, which can be stopped at any moment: begins the run, or resumes it. `checkpointRun.ts` records its batches.
 *
 * Outputs grow under temporary names (`NAME.part`). Every second they are flushed to disk, and then the
 * checkpoint is replaced. The checkpoint has the settled parts of the input, the length of each output, and the
 * counts. A resumed run truncates the outputs to those lengths, and skips the settled parts. At the end the
 * outputs get their names, and the checkpoint is removed. So the files always hold a run up to some moment. In
 * ordered mode, the finished files are byte for byte those of an undisturbed run. A run without a record leaves
 * no file.
 *
 * One run at a time can use a checkpoint or write an output (`Lock`).
 */
import { Options as Declared, type InvalidOption } from "@chemstream/batch"
import { Effect, FileSystem, type Path, type PlatformError, Scope } from "effect"
import * as Lock from "../Lock.ts"
import type { CheckpointRefused } from "./checkpointFile.ts"
import * as CheckpointFile from "./checkpointFile.ts"
import {
  begin,
  type Checkpoint,
  type Options,
  optionSet,
  type Position,
  type Settings,
  settingsSet
} from "./checkpointRun.ts"
import * as Outputs from "./savedOutputs.ts"

/**
 * Opens a checkpoint: begins a run or resumes one. Saves once more if the scope closes before the end.
 *
 * Fails with `CheckpointRefused` if the checkpoint belongs to another run or does not match the outputs, with
 * `LockFailure` while another run writes one of the files, and with `InvalidOption` for an invalid `every`.
 *
 * @example
 * ```ts
 * import { BatchCalls, Identifiers } from "@chemstream/stream"
 * import { Checkpoint } from "@chemstream/stream/node"
 * import { Effect, Result, Stream } from "effect"
 *
 * const run = Effect.gen(function* () {
 *   const checkpoint = yield* Checkpoint.file({
 *     file: "run.checkpoint",
 *     outputs: { records: "out.txt" },
 *     identity: { service: "mine" }
 *   })
 *   const encoder = new TextEncoder()
 *   yield* BatchCalls.batches(Identifiers.fromIterable(["a", "b"]), {
 *     parse: Result.succeed,
 *     call: (ids) => Effect.succeed({ records: ids.map((id) => ({ key: id, record: id })) }),
 *     ledger: checkpoint.ledger,
 *     resumePoint: checkpoint.resumePoint
 *   }).pipe(
 *     Stream.runForEach((batch) =>
 *       checkpoint.record(batch, {
 *         records: encoder.encode(batch.outcomes.map(({ _tag, id }) => `${_tag} ${id}\n`).join(""))
 *       })
 *     )
 *   )
 *   yield* checkpoint.complete
 * }).pipe(Effect.scoped)
 * ```
 */
export const file = <Output extends string>(
  options: Options<Output>
): Effect.Effect<
  Checkpoint<Output>,
  CheckpointRefused | InvalidOption.InvalidOption | Lock.LockFailure | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* Declared.check(optionSet, options)
    const fs = yield* FileSystem.FileSystem
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const scope = yield* Scope.Scope
    return yield* open<Output, PlatformError.PlatformError>(
      Declared.pick(settingsSet, options) as Settings<Output>,
      {
        name: options.file,
        // After the outputs, so that the error of a second run names the output.
        read: Scope.provide(Lock.hold(options.file), scope).pipe(
          Effect.tap(({ replaced }) => Effect.sync(replaced)),
          Effect.andThen(CheckpointFile.read(fs, options.file))
        ),
        replace: (state) => Effect.provide(CheckpointFile.replace(options.file, state), services),
        remove: fs.remove(options.file, { force: true })
      }
    )
  })

/** Like `file`, with the state in another place. The position must ensure that only one run uses it at a time. */
export const open = <Output extends string, E>(
  settings: Settings<Output>,
  position: Position<E>
): Effect.Effect<
  Checkpoint<Output, E | PlatformError.PlatformError>,
  CheckpointRefused | E | InvalidOption.InvalidOption | Lock.LockFailure | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* Declared.check(settingsSet, settings)
    const fs = yield* FileSystem.FileSystem
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const options = { ...settings, file: position.name }
    const outputs = Object.values<string>(options.outputs)
    const locks = yield* Effect.forEach(outputs, Lock.hold)
    const left = yield* position.read
    const isDiscarded = options.resume === false && left !== undefined
    if (isDiscarded) yield* position.remove
    const earlier =
      isDiscarded || left === undefined ? undefined : yield* CheckpointFile.decode(left, options)
    if (left === undefined) {
      // A run that was killed before its first save left its lock, but no checkpoint.
      for (const [at, name] of (Object.keys(options.outputs) as Array<Output>).entries())
        if (locks[at]?.isStale !== true) yield* Outputs.refuseForeign(fs, options, name)
    }
    const publish = Effect.andThen(Effect.provide(Outputs.publish(options), services), position.remove).pipe(
      Effect.uninterruptible
    )
    const run = yield* begin(options, position, publish, earlier)
    for (const lock of locks) lock.replaced()
    return run
  })
