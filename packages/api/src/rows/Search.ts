/**
 * The endpoints of chemical search by name, identifier and formula (docs/service.md, section 3.2).
 *
 * `MsReady` has the MS-ready searches. The response to a search without a hit is 400 with suggestions
 * (docs/service.md, section 6).
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `recordKey: null`, records that do not
 * name their value; `scalar`, the name of a bare value; `special`, why a service needs code of its own.
 */
import { Schema } from "effect"
import { startWithTop } from "../dialect/internal/publicService.ts"
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import { dtxsidList } from "../records/internal/dtxsidList.ts"
import { SearchHit } from "../records/SearchHit.ts"

/** The family of searches by name or identifier. */
export const family = Family.make({
  word: "search",
  title: "Search by words",
  description: "Substances by name or identifier",
  examples: [
    { command: "chemstream search equal 80-05-7", description: "The substance with a CAS number" },
    { command: "chemstream search start-with Bisphenol", description: "All names that start with this" }
  ]
})

/** The family of searches by formula. */
export const formulaFamily = Family.make({
  word: "formula",
  title: "Search by formula",
  description: "Substances by molecular formula",
  examples: [{ command: "chemstream formula exact C15H16O2", description: "The substances of a formula" }]
})

/** The media type that requests for counts accept (docs/service.md, section 2). */
export const countType = "application/hal+json"

/** The header of a response that omits some of the hits. Its value is `true`. */
export const cappedHeader = "x-total-capped"

/** The common part of the searches by name. */
const hits = {
  section: "3.2",
  key: Key.word,
  recordKey: "searchValue",
  multiplicity: "many",
  miss: "suggestions",
  record: () => SearchHit,
  special: "text search with ranks and suggestions"
} as const

/**
 * The substances with exactly this name or identifier, best rank first, and the exact search of up to 200 values.
 *
 * A deployment may send misaligned hits of a batch (docs/service.md, section 6). This project's service sends the
 * hits of each value in order, and for a value without a match a record that says so.
 */
export const equal = Row.make({
  ...hits,
  key: Key.wholeWord,
  name: "search.equal",
  what: "substances with exactly this name or identifier",
  get: {
    path: "/chemical/search/equal/{word}",
    answer: "list",
    title: "Substances with a name or identifier"
  },
  batch: {
    path: "/chemical/search/equal/",
    limit: 200,
    documented: true,
    title: "Exact search of a batch of names or identifiers",
    // Above 100 words, the public service has sent misaligned hits.
    differences: { ctx: { lines: true, oneHitPerWord: true, largest: 100 } }
  },
  command: {
    description: "The substances with exactly this name or identifier, one NDJSON line for each hit",
    examples: [
      { command: 'chemstream search equal 80-05-7 "Bisphenol A"', description: "A CAS number and a name" },
      {
        command:
          "cut -f2 names.tsv | chemstream search equal --fields searchValue,dtxsid | chemstream details",
        description: "From names to details"
      }
    ]
  }
})

/** The substances with a name or identifier that starts with this text, best rank first. */
export const startWith = Row.make({
  ...hits,
  name: "search.startWith",
  what: "substances with a name or identifier that starts with this text",
  get: {
    path: "/chemical/search/start-with/{word}",
    answer: "list",
    title: "Substances with a name or identifier that starts with a text",
    differences: {
      // The public service may have cut off a response with this many hits.
      specification: { forms: [{ cutAt: startWithTop }] },
      ctx: { forms: [{ query: { top: "0" }, refusedBy: 400 }, { cutAt: startWithTop }] }
    }
  },
  command: {
    description:
      "The substances with a name or identifier that starts with this word, one NDJSON line for each hit",
    values: "The beginnings of names or identifiers",
    examples: [{ command: "chemstream search start-with Bisphenol", description: "All bisphenols" }]
  }
})

/** The substances with a name or identifier that contains this text, best rank first. */
export const contain = Row.make({
  ...hits,
  name: "search.contain",
  what: "substances with a name or identifier that contains this text",
  get: {
    path: "/chemical/search/contain/{word}",
    answer: "list",
    title: "Substances with a name or identifier that contains a text"
  },
  command: {
    description:
      "The substances with a name or identifier that contains this word, one NDJSON line for each hit",
    values: "Parts of names or identifiers",
    examples: [{ command: "chemstream search contain fluoro", description: "All names with fluoro in them" }]
  }
})

/** The common part of the searches by formula. */
const formulaSubstances = {
  section: "3.2",
  key: Key.formula,
  recordKey: null,
  multiplicity: "many",
  scalar: "dtxsid",
  miss: "empty",
  record: () => dtxsidList.value,
  special: "an index of formulas"
} as const

/** The substances with this molecular formula, all atoms counted. */
export const byExactFormula = Row.make({
  ...formulaSubstances,
  name: "search.byExactFormula",
  what: "substances with this molecular formula, all atoms counted",
  get: {
    path: "/chemical/search/by-exact-formula/{formula}",
    answer: "list",
    title: "Substances by exact molecular formula"
  },
  command: {
    words: ["formula", "exact"],
    description: "The substances with this molecular formula, all atoms counted, one NDJSON line each",
    examples: [
      {
        command: "chemstream formula exact C15H16O2",
        description: '{"query":"C15H16O2","dtxsid":"…"} a substance'
      },
      {
        command: "chemstream formula exact C15H16O2 --count",
        description: '{"query":"C15H16O2","count":12}'
      }
    ]
  }
})

/** The substances with this MS-ready formula: salts, counter-ions and solvents not counted. */
export const byMsreadyFormula = Row.make({
  ...formulaSubstances,
  name: "search.byMsreadyFormula",
  what: "substances with this MS-ready formula, without salts, counter-ions and solvents",
  get: {
    path: "/chemical/search/by-msready-formula/{formula}",
    answer: "list",
    title: "Substances by MS-ready formula"
  },
  command: {
    words: ["formula", "msready"],
    description: "The substances with this MS-ready formula, one NDJSON line each",
    values: "MS-ready formulas",
    examples: [
      {
        command: "chemstream formula msready --input formulas.txt --count",
        description: "The number of candidates for each formula of a file"
      }
    ]
  }
})

/** The common part of the counts by formula. */
const formulaCounts = {
  section: "3.2",
  key: Key.formula,
  recordKey: null,
  multiplicity: "one",
  scalar: "count",
  miss: "empty",
  record: () => Schema.Int.annotate({ description: "Number of substances" }),
  special: "an index of formulas"
} as const

const count = { name: "count", description: "Write only the number of substances" } as const

/** The number of substances with this molecular formula. */
export const countByExactFormula = Row.make({
  ...formulaCounts,
  name: "search.countByExactFormula",
  what: "number of substances with this molecular formula",
  get: {
    path: "/chemical/count/by-exact-formula/{formula}",
    answer: "one",
    accept: countType,
    title: "Number of substances by exact molecular formula"
  },
  command: { words: ["formula", "exact"], flag: count }
})

/** The number of substances with this MS-ready formula. */
export const countByMsreadyFormula = Row.make({
  ...formulaCounts,
  name: "search.countByMsreadyFormula",
  what: "number of substances with this MS-ready formula",
  get: {
    path: "/chemical/count/by-msready-formula/{formula}",
    answer: "one",
    accept: countType,
    title: "Number of substances by MS-ready formula"
  },
  command: { words: ["formula", "msready"], flag: count }
})
