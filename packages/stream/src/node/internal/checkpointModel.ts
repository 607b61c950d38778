/** The settings of a saved run, the place of its state, and the run itself. */
import { Options as Declared, type ResumePoint } from "@chemstream/batch"
import type { Duration, Effect, PlatformError } from "effect"
import type { SettledBatch } from "../../runs/BatchCalls.ts"
import type * as Ledger from "../../runs/Ledger.ts"
import type * as Lock from "../Lock.ts"
import type { CheckpointRefused, Identity } from "./checkpointFile.ts"

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
  /** The file of the checkpoint. */
  readonly file: string
}

const record: Declared.AnyKind = Declared.object()

/** The declaration of the settings. */
export const settingsSet = Declared.set<Settings<string>>()({
  outputs: Declared.required(record),
  parts: record,
  identity: Declared.required(record),
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
