/**
 * The endpoints of counts of references, and of substances by structure, of the public service (docs/families/extra.md).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `suggested`, the batch size of lookups; `special`, why a service needs code of its
 * own.
 */
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"
import * as LinkRecords from "../records/LinkRecords.ts"

/** The family of extra. */
export const family = Family.make({
  word: "extra",
  title: "Reference counts",
  description: "Counts of literature and patents about substances",
  about: "The search for substances by SMILES finds those with the same structure."
})

/** The numbers of articles and patents about substances. The batch limit is in no document. */
export const byDtxsid = Row.make({
  dialect: "ctx",
  name: "extra.byDtxsid",
  what: "counts of references",
  note: "`dtxcid` is the PubChem number of the compound. A count that is not known is null.",
  key: Key.dtxsid,
  multiplicity: "one",
  miss: "400",
  record: LinkRecords.ExtraData,
  get: { path: "/chemical/extra-data/search/by-dtxsid/{dtxsid}", answer: "either" },
  batch: {
    path: "/chemical/extra-data/search/by-dtxsid/",
    limit: 2000,
    documented: false,
    suggested: 200,
    refusal: 400
  },
  command: {
    description: "Numbers of articles and patents about substances, one NDJSON line each",
    examples: [{ command: "chemstream extra DTXSID7020182", description: "The counts of a substance" }]
  }
})

const smiles = Key.text("smiles", {
  one: "a SMILES",
  many: "SMILES",
  example: "CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1",
  description: "SMILES of a structure"
})

/** The substances with a structure. The response to a SMILES that cannot be read or is unknown is empty. */
export const bySmiles = Row.make({
  dialect: "ctx",
  name: "extra.bySmiles",
  what: "substances",
  note: "A SMILES that cannot be read has none, like an unknown one.",
  key: smiles,
  recordKey: null,
  multiplicity: "many",
  miss: "nothing",
  record: LinkRecords.StructureMatch,
  get: {
    path: "/chemical/detail/search/by-smiles/",
    answer: "list",
    title: "Substances with a structure"
  },
  command: {
    words: ["search", "smiles"],
    description: "The substances with this structure, one NDJSON line each",
    examples: [
      {
        command: 'chemstream search smiles "CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1"',
        description: "The substances with a structure"
      }
    ]
  }
})

/** The substances whose MS-ready form has one of several formulas. No result says which. */
export const byMsreadyFormulas = Row.make({
  dialect: "ctx",
  name: "extra.byMsreadyFormulas",
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
