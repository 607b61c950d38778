/**
 * What the page shows of a harvest. A server responds with a JSON array of them under `Explorer.harvestsPath`.
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
  readonly tally: Readonly<Record<"read" | "found" | "missing" | "failed" | "duplicates" | "invalid", number>>
}
