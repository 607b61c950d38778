/** The endpoints of properties of the public service (docs/families/properties.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as PropertyRecords from "../records/PropertyRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The predicted properties of substances. */
export const predicted = Row.make({
  ...bySubstance,
  name: "properties.predicted",
  what: "predicted properties",
  record: PropertyRecords.Predicted,
  get: { path: "/chemical/property/predicted/search/by-dtxsid/{dtxsid}", answer: "list" }
})
