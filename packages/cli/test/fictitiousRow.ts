/** Fictitious endpoints as rows, and their records. Not a test itself. */
import { Key, Row } from "@chemstream/api"
import { Schema } from "effect"

const Fiction = Schema.Struct({
  dtxsid: Schema.String,
  toxvalId: Schema.Int,
  toxvalNumeric: Schema.NullOr(Schema.Finite)
}).annotate({ title: "Toxicity value" })

export const toxval = Row.make({
  name: "fiction.toxvalByDtxsid",
  section: "-",
  what: "toxicity values",
  key: Key.dtxsid,
  order: "toxvalId",
  multiplicity: "many",
  miss: "404",
  record: () => Fiction,
  get: { path: "/fiction/toxval/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { path: "/fiction/toxval/search/by-dtxsid/", limit: 3, documented: true }
})

export const ids = ["DTXSID7020182", "DTXSID3039242", "DTXSID9020112"] as const

/** Four records of each substance, with numbers as services write them. */
export const lines: ReadonlyArray<string> = Array.from(
  { length: 12 },
  (_, n) => `{"dtxsid":"${ids[n % 3]}","toxvalId":${12 - n},"toxvalNumeric":${n}.50}`
)

/** A paged row with a key. */
export const studies = Row.make({
  name: "fiction.studiesByType",
  section: "-",
  what: "studies",
  key: Key.text("studyType", { one: "a study type", many: "study types", example: "chronic" }),
  order: "studyId",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ studyType: Schema.String, studyId: Schema.Int }),
  page: "pageNumber",
  get: { path: "/fiction/toxref/data/search/by-study-type/{studyType}", answer: "page" }
})

/** A catalogue of objects. */
export const kinds = Row.make({
  name: "fiction.studyTypes",
  section: "-",
  what: "types of studies",
  multiplicity: "many",
  miss: "empty",
  record: () => Schema.Struct({ name: Schema.String }),
  get: { path: "/fiction/toxref/types", answer: "list" }
})

/** A catalogue of texts. */
export const media = Row.make({
  name: "novel.media",
  section: "-",
  what: "media",
  multiplicity: "many",
  miss: "empty",
  scalar: "medium",
  record: () => Schema.String,
  get: { path: "/novel/mmdb/mediums", answer: "list" }
})

export const rows = [toxval, studies, kinds, media]
