/** The search of the public service by several formulas at once (docs/families/search.md). */
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"

/** The substances whose MS-ready form has one of several formulas. No result says which. */
export const byMsreadyFormulas = Row.make({
  dialect: "ctx",
  name: "search.byMsreadyFormulas",
  what: "substances whose MS-ready form has one of several formulas",
  note: "The response does not say which formula a substance has. Request one formula at a time to know.",
  key: Key.formulas,
  recordKey: null,
  multiplicity: "many",
  scalar: "dtxsid",
  miss: "empty",
  record: () => dtxsidList.value,
  special: "an index of formulas",
  get: {
    path: "/chemical/search/by-msready-formula/",
    method: "POST",
    answer: "list",
    title: "Substances whose MS-ready form has one of several formulas"
  },
  command: {
    words: ["formula", "msready-any"],
    description: "The substances whose MS-ready form has one of several formulas, one NDJSON line each",
    examples: [
      {
        command: "chemstream formula msready-any C15H16O2,C6H6",
        description: "The substances of two formulas, with one request"
      }
    ]
  }
})
