/**
 * Records the batches of a run, and writes its checkpoint at intervals and at the end.
 *
 * `checkpoint.ts` opens the checkpoint and decides whether an earlier run is resumed.
 */
import { MonotonicClock } from "@chemstream/batch"
import { Duration, Effect, FileSystem, type PlatformError, type Scope } from "effect"
import type { CheckpointRefused, State } from "./checkpointFile.ts"
import * as CheckpointFile from "./checkpointFile.ts"
import { type Checkpoint, defaultEvery, type Options, type Position } from "./checkpointModel.ts"
import * as Outputs from "./outputs.ts"
import { recorder, restoreLedger } from "./recorder.ts"

/** Begins a run, or resumes an earlier one. */
export const begin = <Output extends string, E>(
  options: Options<Output>,
  position: Position<E>,
  publish: Effect.Effect<void, E | PlatformError.PlatformError>,
  earlier: State | undefined
): Effect.Effect<
  Checkpoint<Output, E | PlatformError.PlatformError>,
  CheckpointRefused | PlatformError.PlatformError,
  FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const ledger = restoreLedger(earlier)
    const recorded = recorder(earlier)
    // Whether a checkpoint exists, and whether something was recorded since it was written.
    let isSaved = earlier !== undefined
    let isPending = false
    let isWhole = false
    let isPublished = false
    // Without a checkpoint, no run could continue these outputs, and the next one would have to refuse them.
    const removeUnsaved = Effect.suspend(() => (isSaved ? Effect.void : Outputs.remove(fs, options)))
    const outputs = yield* Effect.onError(Outputs.open(options, earlier), () => removeUnsaved)
    // Added after the outputs are open, so that it runs before they close.
    yield* Effect.addFinalizer(() => {
      if (isPublished) return Effect.void
      const saved = isPending ? Effect.catch(write(isWhole), warn(options)) : Effect.void
      return Effect.andThen(saved, removeUnsaved)
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
        ...(options.note === undefined ? {} : { note: options.note() }),
        elapsed: Math.round((earlier?.elapsed ?? 0) + (yield* MonotonicClock.currentMillis) - startedAt)
      })
      yield* position.replace(state)
      isSaved = true
      savedAt = yield* MonotonicClock.currentMillis
    }, Effect.uninterruptible)

    const record: Checkpoint<Output, E | PlatformError.PlatformError>["record"] = Effect.fnUntraced(
      function* (batch, bytes) {
        yield* outputs.append(bytes)
        isPending = true
        recorded.add(batch)
        if ((yield* MonotonicClock.currentMillis) - savedAt >= every) yield* write(false)
      },
      Effect.uninterruptible
    )

    const finish = Effect.suspend(() => {
      isWhole = true
      return write(true)
    })

    const complete = Effect.gen(function* () {
      // A single rename is done or not, so a run that was never saved needs no checkpoint for it.
      const isAtomic = !isSaved && position.isOutput !== true && Object.keys(options.outputs).length < 2
      yield* isAtomic ? outputs.sync : finish
      isWhole = true
      yield* publish
      isPublished = true
    }).pipe(Effect.uninterruptible)

    return {
      resumePoint: recorded.resumePoint().spans.length === 0 ? undefined : recorded.resumePoint(),
      ledger,
      earlierMillis: earlier?.elapsed ?? 0,
      isComplete: earlier?.complete === true,
      note: earlier?.note,
      isSaved: () => isSaved,
      record,
      finish,
      save: Effect.suspend(() => Effect.map(write(isWhole), () => recorded.counts(ledger)["records"] ?? 0)),
      complete
    }
  })

const warn =
  ({ file }: Options<string>) =>
  (error: unknown): Effect.Effect<void> =>
    Effect.logWarning(`the checkpoint ${file} could not be saved`, error)
