/**
 * The endpoints of links of the public service (docs/families/links.md). Its document does not have them.
 *
 * Properties of a row here (`endpoints/Row.ts` has all): `miss`, the response to an unknown value; `unknown`, the record of an unknown
 * value.
 */
import * as Family from "../endpoints/Family.ts"
import * as Row from "../endpoints/Row.ts"
import * as Key from "../identifiers/Key.ts"
import * as LinkRecords from "../records/LinkRecords.ts"

/** The family of links. */
export const family = Family.make({
  word: "links",
  title: "Links",
  description: "Pages about substances elsewhere: GHS safety data, Wikipedia",
  about:
    "A record has the address of a page about the substance, not its content. The document of the public service does not list these requests."
})

/** The common part of the rows. A batch has no record of an unknown substance. */
const oneBySubstance = { dialect: "ctx", key: Key.dtxsid, multiplicity: "one", miss: "empty" } as const

/** The limit is this project's own. */
const batch = { limit: 200, documented: false, refusal: 400 } as const

const words = ["links"] as const

/** The links to the GHS classifications of substances in PubChem. */
export const ghs = Row.make({
  ...oneBySubstance,
  name: "links.ghs",
  what: "links to GHS classifications",
  one: "link to the GHS classification",
  note: "They are pages of PubChem. A single unknown substance has a record without a link.",
  unknown: { isSafetyData: false, safetyUrl: null },
  record: LinkRecords.GhsLink,
  get: { path: "/chemical/ghslink/to-dtxsid/{dtxsid}", answer: "either" },
  batch: { ...batch, path: "/chemical/ghslink/to-dtxsid/" },
  command: {
    words,
    description: "Links to pages about the safety of substances, one NDJSON line each",
    examples: [
      { command: "chemstream links DTXSID7020182", description: "The GHS classification in PubChem" },
      { command: "chemstream links --wikipedia DTXSID7020182", description: "The article of Wikipedia" }
    ]
  }
})

/** The links to the Wikipedia articles of substances. */
export const wikipedia = Row.make({
  ...oneBySubstance,
  name: "links.wikipedia",
  what: "links to Wikipedia articles",
  one: "link to the Wikipedia article",
  note: "A single unknown substance has a record without a link.",
  unknown: { safetyUrl: null },
  record: LinkRecords.WikipediaLink,
  get: { path: "/chemical/wikipedia/by-dtxsid/{dtxsid}", answer: "either" },
  batch: { ...batch, path: "/chemical/wikipedia/by-dtxsid/" },
  command: { words, flag: { name: "wikipedia", description: "Write links to Wikipedia articles instead" } }
})
