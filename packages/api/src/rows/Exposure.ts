/** The endpoints of exposure of the public service (docs/families/exposure.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as ExposureRecords from "../records/ExposureRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The functional uses of substances. */
export const functionalUse = Row.make({
  ...bySubstance,
  name: "exposure.functionalUse",
  what: "functional uses",
  record: ExposureRecords.FunctionalUse,
  get: { path: "/exposure/functional-use/search/by-dtxsid/{dtxsid}", answer: "list" }
})
