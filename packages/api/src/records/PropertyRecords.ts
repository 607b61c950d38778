/** The records of properties of the public service (docs/families/properties.md). */
import { lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a record. */
export const Predicted = lazyRecord(
  { title: "predicted properties", family: "properties" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type Predicted = RecordOf<typeof Predicted>

/** The schema of a record. */
export const Fate = lazyRecord(
  { title: "fate properties", family: "fate" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type Fate = RecordOf<typeof Fate>
