/**
 * The harvests that the page shows. A server sends them as a JSON array from `Explorer.harvestsPath`.
 */

/** A harvest as the page shows it. */
export interface HarvestView {
  readonly name: string
  readonly state: string
  /** The reason for a pause, or what the harvest waits for. */
  readonly reason: string | null
  readonly source: string
  /** The number of identifiers in the source. */
  readonly identifiers: number
  readonly chunks: number
  readonly chunksDone: number
  /** Identifiers per second. */
  readonly rate: number
  readonly secondsLeft: number | null
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** The number of live workers that can run the harvest. */
  readonly working: number
  readonly workers: ReadonlyArray<{ readonly name: string; readonly chunks: number; readonly rate: number }>
  /** Failed identifiers by the name of their error, most frequent first. */
  readonly failures: ReadonlyArray<{ readonly reason: string; readonly identifiers: number }>
  readonly tally: Readonly<Record<"read" | "found" | "missing" | "failed" | "duplicates" | "invalid", number>>
}
