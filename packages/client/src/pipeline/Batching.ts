/**
 * Settings of the `get` methods of details, synonyms and bioactivity, which collect single identifiers into batches.
 *
 * `calls/internal/batchedGet.ts` collects them. The batch methods and the stream package split existing lists.
 */
import { Options } from "@chemstream/batch"
import type { Duration } from "effect"

/** How single identifiers are collected. */
export interface Settings {
  /** How long the first identifier of a batch waits for others. Default: 5 milliseconds. */
  readonly window?: Duration.Input | undefined
  /**
   * The largest batch; the next identifier starts another. Default: 1000, and never more than the endpoint takes.
   * Duplicates in a batch are sent once.
   */
  readonly size?: number | undefined
}

/** The declaration of the settings. */
export const optionSet = Options.set<Settings>()({
  window: Options.withDefault(Options.time("finite"), 5),
  size: Options.withDefault(Options.count, 1000)
})
