/**
 * Reads a line of an errors file: an identifier, its outcome, and its line and fields in the original input.
 */
import { RawRecord } from "@chemstream/ndjson"

export interface Problem {
  readonly id: string
  readonly outcome: string
  /** The line of the original input. 0: unknown. */
  readonly line: number
  readonly given: string | undefined
  readonly carried: RawRecord.RawRecord | undefined
}

/** Parses a line of an errors file. `"surplus"`: the line is about a surplus record. */
export const problemOf = (object: RawRecord.RawRecord): Problem | "surplus" | undefined => {
  const id = RawRecord.value(object, "id")
  const outcome = RawRecord.value(object, "outcome")
  if (outcome === "surplus") return outcome
  if (typeof id !== "string" || typeof outcome !== "string") return undefined
  const line = RawRecord.value(object, "line")
  const given = RawRecord.value(object, "given")
  const carried = RawRecord.value(object, "carried")
  return {
    id,
    outcome,
    line: typeof line === "number" ? line : 0,
    given: typeof given === "string" ? given : undefined,
    carried: RawRecord.isRawRecord(carried) ? carried : undefined
  }
}
