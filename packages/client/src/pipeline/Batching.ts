/**
 * How single questions are gathered into batches: the settings of the `get` methods of details, synonyms and bioactivity.
 *
 * The gathering itself is in `internal/gather.ts`. Chunking a list or stream that a caller already has is left to the batch
 * methods and to the stream package.
 */
import type { Duration } from "effect"

/** How single questions are gathered. */
export interface Settings {
  /** How long the first question of a batch waits for others. Default: 5 milliseconds. */
  readonly window?: Duration.Input | undefined
  /**
   * The most questions in a batch: one more starts the next. 1000 when not given; never more than the endpoint takes.
   * Equal identifiers in a batch are sent once.
   */
  readonly size?: number | undefined
}

/** The settings with every figure. */
export type Complete = { readonly [K in keyof Settings]-?: NonNullable<Settings[K]> }

/** The settings when none are given. */
export const defaults: Complete = { window: 5, size: 1000 }
