/** The endpoints of lists of the public service (docs/families/lists.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as ListRecords from "../records/ListRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The lists of substances. */
export const of = Row.make({
  ...bySubstance,
  name: "lists.of",
  what: "lists",
  record: ListRecords.ListOfSubstance,
  get: { path: "/chemical/list/search/by-dtxsid/{dtxsid}", answer: "list" }
})
