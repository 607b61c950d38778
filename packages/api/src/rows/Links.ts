/** The endpoints of links of the public service (docs/families/links.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as LinkRecords from "../records/LinkRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The GHS safety pages of substances. */
export const ghs = Row.make({
  ...bySubstance,
  name: "links.ghs",
  what: "GHS safety pages",
  record: LinkRecords.GhsLink,
  get: { path: "/chemical/ghslink/to-dtxsid/{dtxsid}", answer: "list" }
})
