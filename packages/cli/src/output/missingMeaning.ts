/**
 * The meaning of `missing`, by endpoint: a service may know a substance and have no data of the requested kind.
 */
import { Repair, type Row, Rows } from "@chemstream/api"
import { find } from "../input/identifierCheck.ts"

/** The meanings, by prefix of the endpoint's name. The first match counts. */
const meanings: ReadonlyArray<readonly [string, (id: string) => string]> = [
  ["bioactivity.byM4id", (id) => `the service has no data record ${id}`],
  ["bioactivity.aed", (id) => `the service has no AED data of ${id}`],
  ["bioactivity", (id) => `the service has no bioactivity data of ${id}`],
  ["synonyms", (id) => `the service has no synonyms of ${id}`],
  ["msready", (id) => `the service has no MS-ready substance of ${id}`],
  ["search.byExactFormula", (id) => `the service has no substance of the formula ${id}`],
  ["search.byMsreadyFormula", (id) => `the service has no MS-ready substance of the formula ${id}`]
]

/** The responses that a family of the public service has for an unknown identifier, and also for a known one without records. */
const ambiguous: ReadonlySet<Row.Row["miss"]> = new Set(["empty", "nothing"])

const ofFamily = (endpoint: string, id: string): string | undefined => {
  const row = (Rows.byName as Readonly<Record<string, Row.Row>>)[endpoint.replace(/Batch$/, "")]
  return row?.dialect === "ctx" && ambiguous.has(row.miss)
    ? `the service has no records of ${id} (${row.what}), or does not know it`
    : undefined
}

/** Returns the meaning of `missing` for an identifier of an endpoint. Adds a note if the check digit is wrong. */
export const missingMeaning = (endpoint: string, id: string): string => {
  const [, tell] = meanings.find(([beginning]) => endpoint.startsWith(beginning)) ?? []
  const meaning = tell?.(id) ?? ofFamily(endpoint, id) ?? `the service does not know ${id}`
  const several = Repair.severalNote(id)
  if (several !== undefined) return `${meaning}: ${several}`
  return find(id, "auto").reason === "check-digit" ? `${meaning}: its check digit is wrong` : meaning
}
