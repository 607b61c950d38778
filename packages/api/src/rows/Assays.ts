/** The endpoints of assays of the public service (docs/families/assays.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as AssayRecords from "../records/AssayRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The models of substances. */
export const models = Row.make({
  ...bySubstance,
  name: "assays.models",
  what: "models",
  record: AssayRecords.Model,
  get: { path: "/bioactivity/models/search/by-dtxsid/{dtxsid}", answer: "list" }
})
