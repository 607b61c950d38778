/**
 * Saves runs, so that they can be stopped at any moment and resumed.
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
import { InvalidOption, MonotonicClock, type ResumePoint } from "@chemstream/batch"
import { Duration, Effect, FileSystem, Path, type PlatformError, Scope } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import type * as Ledger from "../../runs/Ledger.ts"
import * as Lock from "../Lock.ts"
import * as CheckpointFile from "./checkpointFile.ts"
import {
  CheckpointRefused,
  type Difference,
  type Identity,
  type Refusal,
  type State
} from "./checkpointFile.ts"
import * as Outputs from "./outputs.ts"
import { recorder, restoreLedger } from "./recorder.ts"

export type { Difference, Identity, Refusal }
export { CheckpointRefused }

/** The default time between two saves, in milliseconds. */
export const defaultEvery = 1000

/**
 * The place of the state of a run: a file, or a row next to the records in a database. A state is replaced
 * atomically.
 */
export interface Position<E> {
  /** Its name in messages. */
  readonly name: string
  /** Reads the state of an earlier run. Undefined: there is none. */
  readonly read: Effect.Effect<string | undefined, E | CheckpointRefused | Lock.LockFailure>
  readonly replace: (state: string) => Effect.Effect<void, E>
  readonly remove: Effect.Effect<void, E>
  /**
   * Whether the state is written in one transaction with the records. Then even the shortest run is saved.
   * Default: false.
   */
  readonly isOutput?: boolean | undefined
}

/** The settings of a saved run. `Output` is the type of the names of its outputs. */
export interface Settings<Output extends string> {
  /** The files of the run by name. */
  readonly outputs: { readonly [Name in Output]: string }
  /**
   * The values that must be equal for a resumed run: endpoint, projection, options that change the output,
   * version. A difference is refused.
   */
  readonly identity: Identity
  /**
   * The time between two saves. After a kill, identifiers since the last save are requested again. Default: 1
   * second.
   */
  readonly every?: Duration.Input | undefined
  /**
   * Whether to resume the run of the checkpoint. `false` discards it and starts over, but a file that is not a
   * checkpoint is still refused. Default: true.
   */
  readonly resume?: boolean | undefined
}

/** The settings of a run that is saved in a file. */
export interface Options<Output extends string> extends Settings<Output> {
  /** The file of the checkpoint. */
  readonly file: string
}

/** A saved run. `E` is the error of saving it. */
export interface Checkpoint<Output extends string, E = PlatformError.PlatformError> {
  /**
   * The part of the input that an earlier run has settled, for the settings of the stream. Undefined: there is
   * no earlier run.
   */
  readonly resumePoint: ResumePoint.ResumePoint | undefined
  /** The ledger of the run, with the counts of the earlier runs. */
  readonly ledger: Ledger.Ledger
  /** The duration of the earlier runs, in milliseconds. */
  readonly earlierMillis: number
  /** Whether the earlier run had finished. Nothing can be recorded then; call `complete`. */
  readonly isComplete: boolean
  /** Writes the outcomes of a batch. In ordered mode, record batches in their order. */
  readonly record: <R, F>(
    batch: SettledBatch<R, F>,
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, E>
  /** Saves the state now. */
  readonly save: Effect.Effect<void, E>
  /** Finishes the run: the outputs get their names, and the checkpoint is removed. */
  readonly complete: Effect.Effect<void, E>
}

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
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const scope = yield* Scope.Scope
    return yield* open<Output, PlatformError.PlatformError>(options, {
      name: options.file,
      // After the outputs, so that the error of a second run names the output.
      read: Effect.andThen(
        Scope.provide(Lock.hold(options.file), scope),
        CheckpointFile.read(fs, options.file)
      ),
      replace: (state) => CheckpointFile.replace(fs, path, options.file, state),
      remove: fs.remove(options.file, { force: true })
    })
  })

/** Like `file`, with the state in another place. The position must make sure that one run at a time uses it. */
export const open = <Output extends string, E>(
  settings: Settings<Output>,
  position: Position<E>
): Effect.Effect<
  Checkpoint<Output, E | PlatformError.PlatformError>,
  CheckpointRefused | E | InvalidOption.InvalidOption | Lock.LockFailure | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* InvalidOption.refuse([InvalidOption.time("every", settings.every, "infinite")])
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const options = { ...settings, file: position.name }
    const outputs = Object.values<string>(options.outputs)
    const hasStaleLock = yield* Effect.forEach(outputs, Lock.hold)
    const left = yield* position.read
    const isDiscarded = options.resume === false && left !== undefined
    if (isDiscarded) yield* position.remove
    const earlier =
      isDiscarded || left === undefined ? undefined : yield* CheckpointFile.decode(left, options)
    if (left === undefined) {
      // A run that was killed before its first save left its lock, but no checkpoint.
      for (const [at, output] of outputs.entries())
        if (hasStaleLock[at] !== true) yield* Outputs.refuseForeign(fs, options.file, output)
    }
    const publish = Effect.andThen(Outputs.publish(fs, path, options), position.remove).pipe(
      Effect.uninterruptible
    )
    return earlier?.complete === true
      ? finished(earlier, publish)
      : yield* begin(fs, options, position, publish, earlier)
  })

/** Begins a run, or resumes an earlier one. */
const begin = <Output extends string, E>(
  fs: FileSystem.FileSystem,
  options: Options<Output>,
  position: Position<E>,
  publish: Effect.Effect<void, E | PlatformError.PlatformError>,
  earlier: State | undefined
): Effect.Effect<
  Checkpoint<Output, E | PlatformError.PlatformError>,
  CheckpointRefused | PlatformError.PlatformError,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const ledger = restoreLedger(earlier)
    const recorded = recorder(earlier)
    let isEmpty = earlier === undefined
    // Whether a checkpoint exists, and whether something was recorded since it was written.
    let isContinuable = earlier !== undefined
    let isPending = false
    let isWhole = false
    let isPublished = false
    const outputs = yield* Effect.onError(Outputs.open(fs, options, earlier), () =>
      isEmpty ? Outputs.remove(fs, options) : Effect.void
    )
    // Added after the outputs are open, so that it runs before they close.
    yield* Effect.addFinalizer(() => {
      if (isPublished) return Effect.void
      if (isEmpty) return Outputs.remove(fs, options)
      return isPending ? Effect.catch(write(isWhole), warn(options)) : Effect.void
    })
    const startedAt = yield* MonotonicClock.currentMillis
    let savedAt = startedAt
    const every = Duration.toMillis(options.every ?? defaultEvery)

    const write = Effect.fnUntraced(function* (complete: boolean) {
      isPending = false
      yield* outputs.sync
      const state = yield* CheckpointFile.encode({
        identity: options.identity,
        complete,
        ...recorded.resumePoint(),
        lengths: outputs.lengths(),
        counts: recorded.counts(ledger),
        elapsed: Math.round((earlier?.elapsed ?? 0) + (yield* MonotonicClock.currentMillis) - startedAt)
      })
      yield* position.replace(state)
      isContinuable = true
      savedAt = yield* MonotonicClock.currentMillis
    }, Effect.uninterruptible)

    const record: Checkpoint<Output, E | PlatformError.PlatformError>["record"] = Effect.fnUntraced(
      function* (batch, bytes) {
        yield* outputs.append(bytes)
        isEmpty = false
        isPending = true
        recorded.add(batch)
        if ((yield* MonotonicClock.currentMillis) - savedAt >= every) yield* write(false)
      },
      Effect.uninterruptible
    )

    const complete = Effect.gen(function* () {
      // A run that was never saved needs no checkpoint at its end.
      yield* isContinuable || position.isOutput === true ? write(true) : outputs.sync
      isWhole = true
      yield* publish
      isPublished = true
    }).pipe(Effect.uninterruptible)

    return {
      resumePoint: recorded.resumePoint().spans.length === 0 ? undefined : recorded.resumePoint(),
      ledger,
      earlierMillis: earlier?.elapsed ?? 0,
      isComplete: false,
      record,
      save: Effect.suspend(() => write(false)),
      complete
    }
  })

/** A finished run whose outputs do not have their names yet. */
const finished = <Output extends string, E>(
  state: State,
  complete: Effect.Effect<void, E>
): Checkpoint<Output, E> => ({
  resumePoint: { spans: state.spans, digest: state.digest },
  ledger: restoreLedger(state),
  earlierMillis: state.elapsed ?? 0,
  isComplete: true,
  record: () =>
    Effect.die(new Error("the run of this checkpoint has finished: nothing more can be recorded")),
  save: Effect.void,
  complete
})

const warn =
  ({ file }: Options<string>) =>
  (error: unknown): Effect.Effect<void> =>
    Effect.logWarning(`the checkpoint ${file} could not be saved; the one before it is still valid`, error)
