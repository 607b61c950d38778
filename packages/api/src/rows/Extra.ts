/** The endpoints of extra of the public service (docs/families/extra.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as LinkRecords from "../records/LinkRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The counts of literature of substances. */
export const byDtxsid = Row.make({
  ...bySubstance,
  name: "extra.byDtxsid",
  what: "counts of literature",
  record: LinkRecords.ExtraData,
  get: { path: "/chemical/extra-data/search/by-dtxsid/{dtxsid}", answer: "list" }
})
