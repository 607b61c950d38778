/**
 * The harvest of the page. A server responds with a JSON array of harvests under `Explorer.harvestsPath`.
 */

/** A harvest as the page shows it. */
export interface HarvestView {
  readonly name: string
  readonly state: string
  /** Why it is paused, or what it waits for. */
  readonly reason: string | null
  readonly source: string
  /** Identifiers of the source. */
  readonly identifiers: number
  readonly chunks: number
  readonly chunksDone: number
  /** Identifiers a second. */
  readonly rate: number
  readonly secondsLeft: number | null
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** Workers that live and can do it. */
  readonly working: number
  readonly workers: ReadonlyArray<{ readonly name: string; readonly chunks: number; readonly rate: number }>
  /** Failed identifiers by the name of their error, the most frequent first. */
  readonly failures: ReadonlyArray<{ readonly reason: string; readonly identifiers: number }>
  readonly tally: Readonly<Record<"read" | "found" | "missing" | "failed" | "duplicates" | "invalid", number>>
}
