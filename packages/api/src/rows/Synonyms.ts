/**
 * The endpoints of synonyms and alternate identifiers (docs/service.md, section 3.4).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `form` and `forms`, the records by
 * projection.
 */

import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { defaultProjection, FlatSynonym, SynonymRecord } from "../records/SynonymRecord.ts"

/** The family of synonyms. */
export const family = Family.make({
  word: "synonyms",
  title: "Synonyms",
  description: "Names and other identifiers of substances",
  tool: { description: "Gives the names and other identifiers of substances.", identifiers: "DTXSIDs" }
})

/** The synonyms of substances: by quality, or as a flat list under `ccd-synonyms`. */
export const byDtxsid = Row.make({
  name: "synonyms.byDtxsid",
  section: "3.4",
  what: "synonyms",
  note: "A record has a list for each quality, or null.",
  key: Key.dtxsid,
  multiplicity: "one",
  miss: "404",
  record: () => SynonymRecord,
  form: defaultProjection,
  forms: {
    "ccd-synonyms": { record: () => FlatSynonym, answer: "list", multiplicity: "many" },
    [defaultProjection]: { record: () => SynonymRecord }
  },
  formsNote: "Form of the response",
  get: { path: "/chemical/synonym/search/by-dtxsid/{dtxsid}", answer: "one" },
  batch: { path: "/chemical/synonym/search/by-dtxsid/", limit: 1000, documented: true },
  command: {
    description: "Synonyms of substances, as NDJSON",
    projection: "One line per substance, or with ccd-synonyms one per synonym",
    examples: [
      { command: "chemstream synonyms DTXSID7020182", description: "All synonyms of a substance, in groups" },
      {
        command: "chemstream synonyms --input ids.txt --projection ccd-synonyms > synonyms.ndjson",
        description: "One line per synonym, with its quality"
      }
    ]
  }
})
