/** The endpoints of hazard data of the public service (docs/families/hazard.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as HazardRecords from "../records/HazardRecords.ts"

/** What the rows by substance have in common. An unknown substance has an empty list. */
const bySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "many", miss: "empty" } as const

/** The cancer calls of substances, one of each source. */
export const cancer = Row.make({
  ...bySubstance,
  name: "hazard.cancer",
  what: "cancer calls",
  record: HazardRecords.CancerCall,
  get: { path: "/hazard/cancer-summary/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { path: "/hazard/cancer-summary/search/by-dtxsid/", limit: 200, documented: true, refusal: 400 }
})
