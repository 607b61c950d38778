/** The records of assays of the public service (docs/families/assays.md). */
import { lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a record. */
export const Model = lazyRecord(
  { title: "models", family: "assays" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type Model = RecordOf<typeof Model>
