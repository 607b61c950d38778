/** Says why a record is not of a kind, by its fields, so that records of another kind are not imported as it. */
import {
  AedRecord,
  BioactivityData,
  BioactivitySummary,
  DetailProjection,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import type { Kind } from "./importers.ts"

/** The fields of each kind of record that a service returns, with its name in a message. */
const kindFields: Readonly<
  Record<Kind | "hit" | "summary", { readonly name: string; readonly fields: ReadonlyArray<string> }>
> = {
  details: { name: "detail records", fields: DetailProjection.fieldNames("ccdchemicaldetails") },
  synonyms: { name: "synonym records", fields: Object.keys(SynonymRecord.fields) },
  bioactivity: { name: "bioactivity data records", fields: Object.keys(BioactivityData.fields) },
  aed: { name: "AED records", fields: Object.keys(AedRecord.fields) },
  hit: { name: "search hits", fields: Object.keys(SearchHit.fields) },
  summary: { name: "bioactivity summaries", fields: Object.keys(BioactivitySummary.chemicalFields) }
}

/** Identifiers that are in records of several kinds do not count. */
const identifiers = new Set(["dtxsid", "dtxcid", "aeid"])

const entries = Object.entries(kindFields)

/** The kinds of each field, as indexes of `entries`. */
const kindsOfField = Map.groupBy(
  entries.flatMap(([, { fields }], index) =>
    fields.filter((field) => !identifiers.has(field)).map((field) => ({ field, index }))
  ),
  ({ field }) => field
)

/**
 * Returns why a record is not of a kind: it has no field of the kind, or more fields of another kind. Undefined: it may be of
 * the kind. Common identifiers and fields that no kind has do not count.
 */
export const kindMismatch = (record: object, kind: Kind): string | undefined => {
  const counts = entries.map(() => 0)
  for (const field in record) {
    for (const { index } of kindsOfField.get(field) ?? []) counts[index] = (counts[index] as number) + 1
  }
  const own = counts[entries.findIndex(([name]) => name === kind)] as number
  const most = counts.indexOf(Math.max(...counts))
  const [, other] = entries[most] as (typeof entries)[number]
  if ((counts[most] as number) === 0) {
    return `the record has no field of ${kindFields[kind].name} except its identifier`
  }
  if ((counts[most] as number) <= own) return undefined
  const foreign = other.fields.filter(
    (field) => field in record && !identifiers.has(field) && !kindFields[kind].fields.includes(field)
  )
  return `the record looks like one of ${other.name} (it has ${foreign.slice(0, 3).join(", ")}), not of ${kindFields[kind].name}`
}
