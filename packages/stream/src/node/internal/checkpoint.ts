/**
 * Runs that can be stopped at any moment and continued: files that grow, and a checkpoint that says how far they are valid.
 *
 * While a run goes on, its outputs grow under temporary names (`NAME.part`). Every second they are flushed to disk, and then
 * the checkpoint is replaced. It holds the settled parts of the input, the length of each output at that moment, and the
 * counts. A run that continues cuts the outputs back to those lengths, skips what is settled and goes on. At the end the
 * outputs get their names and the checkpoint disappears. So the files always hold a run up to some moment, whatever killed it;
 * in ordered mode the finished files are byte for byte those of an undisturbed run. A run that records nothing leaves no file.
 *
 * One run at a time may use a checkpoint or write an output (`Lock`). Files are written with Effect's `FileSystem`.
 */
import { InvalidOption, MonotonicClock, ResumePoint } from "@chemstream/batch"
import { Duration, Effect, FileSystem, Path, type PlatformError, Scope } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import * as Ledger from "../../runs/Ledger.ts"
import * as Lock from "../Lock.ts"
import * as CheckpointFile from "./checkpointFile.ts"
import {
  CheckpointRefused,
  type Difference,
  type Identity,
  type Refusal,
  type State
} from "./checkpointFile.ts"
import * as GrowingOutputs from "./outputs.ts"

export type { Difference, Identity, Refusal }
export { CheckpointRefused }

/** The milliseconds between two saves. */
export const defaultEvery = 1000

/**
 * Where the state of a run is kept between two saves: a file, or a row beside the records that a database holds. A state is
 * replaced as a whole, whatever happens meanwhile.
 */
export interface Position<E> {
  /** What messages call it. */
  readonly name: string
  /** The state that a run has left; undefined where none has. */
  readonly read: Effect.Effect<string | undefined, E | CheckpointRefused | Lock.LockFailure>
  readonly replace: (state: string) => Effect.Effect<void, E>
  readonly remove: Effect.Effect<void, E>
  /** Whether records are written together with the state, so that even the shortest run is saved. Default: false. */
  readonly isOutput?: boolean | undefined
}

/** How a run is saved, wherever its state is kept. `Output` names its outputs. */
export interface Settings<Output extends string> {
  /** The files the run writes, each by its name. */
  readonly outputs: { readonly [Name in Output]: string }
  /**
   * What makes this run the same as the one that wrote the checkpoint: endpoint, projection, options that change the
   * output, version. Compared one by one; a difference is refused.
   */
  readonly identity: Identity
  /** The time between two saves. Work since the last one is requested again after a kill. Default: 1 second. */
  readonly every?: Duration.Input | undefined
  /** Whether to continue the run that the checkpoint is of. `false` discards it and starts over; a file that is no checkpoint is refused all the same. Default: true. */
  readonly resume?: boolean | undefined
}

/** How a run is saved in a file. */
export interface Options<Output extends string> extends Settings<Output> {
  /** The checkpoint's own file. */
  readonly file: string
}

/** A run that is saved. Saving it can fail with `E`. */
export interface Checkpoint<Output extends string, E = PlatformError.PlatformError> {
  /** What an earlier run has settled, for the settings of the stream; undefined at a first start. */
  readonly resumePoint: ResumePoint.ResumePoint | undefined
  /** The ledger of the run, with the counts of the earlier one. */
  readonly ledger: Ledger.Ledger
  /** The milliseconds that the earlier runs took which this one continues. */
  readonly earlier: number
  /** Whether the earlier run had come to its end: nothing can be recorded any more, only `complete` remains. */
  readonly isComplete: boolean
  /** Writes what became of a batch. In ordered mode batches must be given in the order they come. */
  readonly record: <R, F>(
    batch: SettledBatch<R, F>,
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, E>
  /** Saves what was recorded, now. */
  readonly save: Effect.Effect<void, E>
  /** Ends the run: the outputs appear under their names, and the checkpoint disappears. */
  readonly complete: Effect.Effect<void, E>
}

/**
 * Opens a checkpoint: begins a run, or continues the one it is of. Saves once more when the scope closes before the
 * end. Fails with `CheckpointRefused` when the checkpoint is of another run or does not fit the outputs, and with
 * `LockFailure` while another run writes one of the files, and with `InvalidOption` where `every` is no time.
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
      // After the outputs, so that a second run is told of the file that it would write.
      read: Effect.andThen(
        Scope.provide(Lock.hold(options.file), scope),
        CheckpointFile.read(fs, options.file)
      ),
      replace: (state) => CheckpointFile.replace(fs, path, options.file, state),
      remove: fs.remove(options.file, { force: true })
    })
  })

/** As `file`, with the state kept elsewhere. That one run at a time uses the position is for the position to see to. */
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
    const isOrphaned = yield* Effect.forEach(outputs, Lock.hold)
    const left = yield* position.read
    const isDiscarded = options.resume === false && left !== undefined
    if (isDiscarded) yield* position.remove
    const earlier =
      isDiscarded || left === undefined ? undefined : yield* CheckpointFile.decode(left, options)
    if (left === undefined) {
      // A run that was killed before its first save left no checkpoint, but its lock.
      for (const [at, output] of outputs.entries())
        if (isOrphaned[at] !== true) yield* GrowingOutputs.refuseForeign(fs, options.file, output)
    }
    const publish = Effect.andThen(GrowingOutputs.publish(fs, path, options), position.remove).pipe(
      Effect.uninterruptible
    )
    return earlier?.complete === true
      ? finished(earlier, publish)
      : yield* underWay(fs, options, position, publish, earlier)
  })

/** A run that begins, or continues an earlier one. */
const underWay = <Output extends string, E>(
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
    const ledger = restore(earlier)
    const settled = restore(earlier)
    let spans: ReadonlyArray<ResumePoint.Span> = earlier?.spans ?? []
    let digest = earlier?.digest ?? ""
    let isEmpty = earlier === undefined
    // Whether there is a checkpoint to continue from, and whether something was recorded since it was last written.
    let isContinuable = earlier !== undefined
    let isPending = false
    let isWhole = false
    let isPublished = false
    const outputs = yield* Effect.onError(GrowingOutputs.open(fs, options, earlier), () =>
      isEmpty ? GrowingOutputs.remove(fs, options) : Effect.void
    )
    // After the outputs are open, so that it runs before they are closed.
    yield* Effect.addFinalizer(() => {
      if (isPublished) return Effect.void
      if (isEmpty) return GrowingOutputs.remove(fs, options)
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
        spans,
        digest,
        lengths: outputs.lengths(),
        counts: countsOf(ledger, settled),
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
        const before = spans.at(-1)?.to ?? 0
        spans = ResumePoint.merge(spans, batch.spans)
        if ((spans.at(-1)?.to ?? 0) > before) digest = batch.digest
        for (const { from, to } of batch.spans) settled.read += to - from
        Ledger.enter(settled, batch)
        if ((yield* MonotonicClock.currentMillis) - savedAt >= every) yield* write(false)
      },
      Effect.uninterruptible
    )

    const complete = Effect.gen(function* () {
      // A run so short that it was never saved needs no checkpoint at its end either.
      yield* isContinuable || position.isOutput === true ? write(true) : outputs.sync
      isWhole = true
      yield* publish
      isPublished = true
    }).pipe(Effect.uninterruptible)

    return {
      resumePoint: earlier === undefined || spans.length === 0 ? undefined : { spans, digest },
      ledger,
      earlier: earlier?.elapsed ?? 0,
      isComplete: false,
      record,
      save: Effect.suspend(() => write(false)),
      complete
    }
  })

/** A run that had ended, and whose outputs were about to get their names. */
const finished = <Output extends string, E>(
  state: State,
  complete: Effect.Effect<void, E>
): Checkpoint<Output, E> => ({
  resumePoint: { spans: state.spans, digest: state.digest },
  ledger: restore(state),
  earlier: state.elapsed ?? 0,
  isComplete: true,
  record: () => Effect.die(new Error("the run of this checkpoint has ended: nothing more can be recorded")),
  save: Effect.void,
  complete
})

const restore = (state: State | undefined): Ledger.Ledger => {
  const ledger = Ledger.make()
  for (const name of Ledger.countNames) ledger[name] = state?.counts[name] ?? 0
  return ledger
}

/** What is accounted for comes from what was recorded; what it took, from the run as it stands. */
const countsOf = (ledger: Ledger.Counts, settled: Ledger.Counts): State["counts"] => {
  const { duplicates, failed, found, invalid, missing, read, records, surplus, suspicious, truncated } =
    settled
  const law = { duplicates, failed, found, invalid, missing, read }
  const counts = { ...ledger, ...law, records, surplus, suspicious, truncated }
  return Object.fromEntries(Ledger.countNames.map((name) => [name, counts[name]]))
}

const warn =
  ({ file }: Options<string>) =>
  (error: unknown): Effect.Effect<void> =>
    Effect.logWarning(`the checkpoint ${file} could not be renewed; the one before it holds`, error)
