// Writes the records of the contract: their names on the page, and tables of their fields.

import {
  AedRecord,
  AllRecord,
  BioactivityData,
  BioactivitySummary,
  DetailProjection,
  RecordSchema,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import { Table } from "@chemstream/ndjson"
import {
  descriptionOf,
  type Endpoint,
  fieldNamesOf,
  type JsonSchema,
  typeOf,
  withoutNull
} from "./contract.ts"
import { code, table, wrap } from "./markdown.ts"
import { ServicePageError } from "./ServicePageError.ts"

/** Every record of the contract, by its name on the page, with its fields. */
const recordFields: Readonly<Record<string, object>> = {
  "detail record": DetailProjection.everyField,
  "standard-2 record": AllRecord.standardFields,
  "id record": AllRecord.idFields,
  hit: SearchHit.fields,
  "synonym record": SynonymRecord.fields,
  "flat synonym": SynonymRecord.flatFields,
  "data record": BioactivityData.fields,
  "plot point": BioactivityData.plotFields,
  "endpoint summary": BioactivitySummary.endpointFields,
  "chemical summary": BioactivitySummary.chemicalFields,
  "tissue summary": BioactivitySummary.tissueFields,
  "AED record": AedRecord.fields
}

const recordNames: ReadonlyMap<string, string> = new Map(
  Object.entries(recordFields).map(([name, fields]) => [Object.keys(fields).sort().join(" "), name])
)

/** Returns the name of a record on the page. Undefined: the value is not a record. */
export const recordNameOf = (schema: JsonSchema): string | undefined => {
  const fields = fieldNamesOf(schema)
  if (fields === undefined) return undefined
  const name = recordNames.get([...fields].sort().join(" "))
  if (name === undefined)
    throw new ServicePageError(`The page has no name for a record of ${fields.join(" ")}`)
  return name
}

/** Returns the schema of each record in responses, by name. */
export const recordsOf = (all: ReadonlyArray<Endpoint>): ReadonlyMap<string, JsonSchema> => {
  const found = new Map<string, JsonSchema>()
  const visit = (schema: JsonSchema): void => {
    for (const inner of schema.anyOf ?? []) visit(inner)
    if (schema.items !== undefined) visit(schema.items)
    const name = recordNameOf(schema)
    if (name !== undefined) found.set(name, schema)
  }
  for (const { response } of all) visit(response)
  return found
}

const record = (records: ReadonlyMap<string, JsonSchema>, name: string): JsonSchema => {
  const found = records.get(name)
  if (found === undefined) throw new ServicePageError(`No endpoint returns a ${name}`)
  return found
}

/** Writes a row for each field, and for each field of a nested record. */
export const fieldTable = (
  records: ReadonlyMap<string, JsonSchema>,
  name: string,
  without?: string,
  only: (field: string) => boolean = () => true
): string => {
  const schema = record(records, name)
  const known = new Set(without === undefined ? [] : fieldNamesOf(record(records, without)))
  const required = new Set(schema.required)
  return table(
    ["field", "type", "meaning"],
    Object.entries(schema.properties ?? {})
      .filter(([field]) => !known.has(field) && only(field))
      .flatMap(([field, value]) => fieldRows(field, value, required.has(field)))
  )
}

const fieldRows = (
  field: string,
  schema: JsonSchema,
  isRequired: boolean
): ReadonlyArray<ReadonlyArray<string>> => [
  [code(field), isRequired ? `${typeOf(schema)}, never null` : typeOf(schema), descriptionOf(schema)],
  ...Object.entries(withoutNull(schema).properties ?? {}).flatMap(([inner, value]) =>
    fieldRows(`${field}.${inner}`, value, false)
  )
]

/** The headings of the fields of the detail record, by their first field. */
const detailHeadings: Readonly<Record<string, string>> = {
  id: "Identity",
  smiles: "Structure",
  molFormula: "Formula and mass",
  qcLevel: "Quality",
  activeAssays: "Assay counts",
  cpdataCount: "Sources and links",
  averageMass: "Further mass and structure",
  expocat: "Exposure and toxicity",
  hrFatheadMinnow: "Predicted and measured properties"
}

/** Writes the fields of the detail record, with a table for each heading. */
export const detailTables = (records: ReadonlyMap<string, JsonSchema>): string => {
  const groups: Array<{ readonly heading: string; readonly fields: Set<string> }> = []
  for (const field of Object.keys(DetailProjection.everyField)) {
    const heading = detailHeadings[field]
    if (heading !== undefined) groups.push({ heading, fields: new Set() })
    groups.at(-1)?.fields.add(field)
  }
  if (groups.length !== Object.keys(detailHeadings).length) {
    throw new ServicePageError("A heading of the detail record names a field that it lacks")
  }
  return groups
    .map(
      ({ fields, heading }) =>
        `**${heading}**\n\n${fieldTable(records, "detail record", undefined, (field) => fields.has(field))}`
    )
    .join("\n\n")
}

/** The records of the public service with other fields than the contract: the missing and the additional fields of each. */
export const publicFields = (): string => {
  const rows = RecordSchema.differences.flatMap(({ fields, record, schema }) => {
    const own = Table.columnsOf(schema).map(({ name }) => name)
    const names = Object.keys(fields)
    const lacks = own.filter((name) => !names.includes(name))
    const has = names.filter((name) => !own.includes(name))
    if (lacks.length === 0 && has.length === 0) return []
    return [[record, String(names.length), listed(lacks), listed(has)]]
  })
  return table(["record", "fields", "it lacks", "it has beside the contract's"], rows)
}

/** Writes names as code. Of many, only the first. */
const listed = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "none"
    : `${names.slice(0, mostListed).map(code).join(", ")}${names.length > mostListed ? ` and ${names.length - mostListed} more` : ""}`

const mostListed = 6

/** Writes the fields of the projections, in full or as another projection without some fields. */
export const projections = (): string => {
  const everything = Object.keys(DetailProjection.everyField)
  return DetailProjection.names
    .map((name) => {
      const fields = DetailProjection.fieldNames(name)
      const lead = `- ${code(name)}, ${fields.length} fields${name === DetailProjection.defaultProjection ? " (the default)" : ""}:`
      if (fields.length === everything.length) return `${lead} every field above.`
      const larger = DetailProjection.names.find((other) => {
        const others = DetailProjection.fieldNames(other)
        return (
          others.length > fields.length &&
          others.length - fields.length <= 3 &&
          fields.every((field) => others.includes(field))
        )
      })
      if (larger !== undefined) {
        const less = DetailProjection.fieldNames(larger).filter((field) => !fields.includes(field))
        return wrap(`${lead} ${code(larger)} without ${less.map(code).join(", ")}.`, "  ")
      }
      return wrap(`${lead} ${fields.map(code).join(", ")}.`, "  ")
    })
    .join("\n")
}
