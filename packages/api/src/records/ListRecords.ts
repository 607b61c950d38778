/** The records of lists of the public service (docs/families/lists.md). */
import { lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a record. */
export const ListOfSubstance = lazyRecord(
  { title: "lists", family: "lists" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type ListOfSubstance = RecordOf<typeof ListOfSubstance>
