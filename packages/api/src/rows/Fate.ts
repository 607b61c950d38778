/** The endpoints of fate of the public service (docs/families/fate.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as PropertyRecords from "../records/PropertyRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The fate properties of substances. */
export const byDtxsid = Row.make({
  ...bySubstance,
  name: "fate.byDtxsid",
  what: "fate properties",
  record: PropertyRecords.Fate,
  get: { path: "/chemical/fate/search/by-dtxsid/{dtxsid}", answer: "list" }
})
