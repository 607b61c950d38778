/** A fictitious endpoint as a row, and its 12 records. Not a test itself. */
import { Key, Row } from "@chemstream/api"
import { Schema } from "effect"

const Hazard = Schema.Struct({
  dtxsid: Schema.String,
  toxvalId: Schema.Int,
  toxvalNumeric: Schema.NullOr(Schema.Finite)
}).annotate({ title: "Toxicity value" })

export const toxval = Row.make({
  name: "hazard.toxvalByDtxsid",
  section: "-",
  what: "toxicity values",
  key: Key.dtxsid,
  order: "toxvalId",
  multiplicity: "many",
  miss: "404",
  record: () => Hazard,
  get: { path: "/hazard/toxval/search/by-dtxsid/{dtxsid}", answer: "list" },
  batch: { path: "/hazard/toxval/search/by-dtxsid/", limit: 3, documented: true }
})

export const ids = ["DTXSID7020182", "DTXSID3039242", "DTXSID9020112"] as const

/** Four records of each substance, with numbers as services write them. */
export const lines: ReadonlyArray<string> = Array.from(
  { length: 12 },
  (_, n) => `{"dtxsid":"${ids[n % 3]}","toxvalId":${12 - n},"toxvalNumeric":${n}.50}`
)
