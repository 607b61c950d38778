/** The records of exposure of the public service (docs/families/exposure.md). */
import { lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a record. */
export const FunctionalUse = lazyRecord(
  { title: "functional uses", family: "exposure" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type FunctionalUse = RecordOf<typeof FunctionalUse>
