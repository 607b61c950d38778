/**
 * Records the batches of a saved run, and writes its checkpoint at intervals and at the end.
 *
 * `openCheckpoint.ts` opens the checkpoint and decides whether an earlier run is resumed.
 */
import { Options as Declared, MonotonicClock, type ResumePoint } from "@chemstream/batch"
import { Duration, Effect, FileSystem, type PlatformError, type Scope } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import type * as Ledger from "../../runs/Ledger.ts"
import type * as Lock from "../Lock.ts"
import type { CheckpointRefused, Identity, State } from "./checkpointFile.ts"
import * as CheckpointFile from "./checkpointFile.ts"
import { recorder, restoreLedger } from "./checkpointProgress.ts"
import * as Outputs from "./savedOutputs.ts"

/** The default of `every`, in milliseconds. */
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

/** When a run is saved, and whether it resumes. */
export interface SaveOptions {
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

/** The settings of a saved run. `Output` is the type of the names of its outputs. */
export interface Settings<Output extends string> extends SaveOptions {
  /** The files of the run by name. */
  readonly outputs: { readonly [Name in Output]: string }
  /** The names of the files while they grow. Default: `NAME.part`. */
  readonly parts?: { readonly [Name in Output]?: string } | undefined
  /**
   * The values that must be equal for a resumed run: endpoint, projection, options that change the output,
   * version. A difference is refused.
   */
  readonly identity: Identity
  /** Returns a text of yours that each save stores, e.g. about records that are already written. Default: none. */
  readonly note?: (() => string) | undefined
}

/** The settings of a run that is saved in a file. */
export interface Options<Output extends string> extends Settings<Output> {
  readonly file: string
}

const anyObject: Declared.AnyKind = Declared.object()

/** The declaration of the settings. */
export const settingsSet = Declared.set<Settings<string>>()({
  outputs: Declared.required(anyObject),
  parts: anyObject,
  identity: Declared.required(anyObject),
  every: Declared.withDefault(Declared.time("infinite"), defaultEvery),
  resume: Declared.withDefault(Declared.flag, true),
  note: Declared.func
})

/** The declaration of the settings of a run that is saved in a file. */
export const optionSet = Declared.set<Options<string>>()({
  ...settingsSet.fields,
  file: Declared.required(Declared.text)
})

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
  /**
   * Whether the earlier run had reached the end of its input, and only its outputs lack their names. Read the input again
   * nevertheless: it may have grown since.
   */
  readonly isComplete: boolean
  /** The text that the earlier run stored. Undefined: there is none. */
  readonly note: string | undefined
  /** Whether a state of the run is saved, so that the same run resumes it. Without one, the outputs are removed at the end. */
  readonly isSaved: () => boolean
  /** Writes the outcomes of a batch. In ordered mode, record batches in their order. */
  readonly record: <R, F>(
    batch: SettledBatch<R, F>,
    bytes: { readonly [Name in Output]?: Uint8Array }
  ) => Effect.Effect<void, E>
  /** Saves the state now. Returns the number of records that are saved. */
  readonly save: Effect.Effect<number, E>
  /** Saves that the input has ended. If something fails until the end of `complete`, the same run repeats only that. */
  readonly finish: Effect.Effect<void, E>
  /** Finishes the run: the outputs get their names, and the checkpoint is removed. */
  readonly complete: Effect.Effect<void, E>
}

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
    // Whether the input has ended, and whether the outputs have their names.
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

    const write = Effect.fnUntraced(function* (hasEnded: boolean) {
      isPending = false
      yield* outputs.sync
      const state = yield* CheckpointFile.encode({
        identity: options.identity,
        complete: hasEnded,
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
