/** The records of extra of the public service (docs/families/extra.md). */
import { lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a record. */
export const ExtraData = lazyRecord(
  { title: "counts of literature", family: "extra" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type ExtraData = RecordOf<typeof ExtraData>

/** The schema of a record. */
export const GhsLink = lazyRecord(
  { title: "GHS safety pages", family: "links" },
  { dtxsid: text("Substance identifier (DTXSID…)") }
)

/** A record. */
export type GhsLink = RecordOf<typeof GhsLink>
