// The generated parts of docs/service.md, as Markdown from the contract. The prose between them is written in the page.
//
// A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. Reading the contract is `contract.ts`.

import {
  Access,
  AedRecord,
  AllRecord,
  BioactivityData,
  BioactivitySummary,
  DetailProjection,
  Details,
  MassRange,
  Search,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import {
  descriptionOf,
  type Endpoint,
  endpoints,
  fieldNamesOf,
  type JsonSchema,
  type Parameter,
  problems,
  typeOf,
  withoutNull
} from "./contract.ts"

/** The longest line of a paragraph or list, in characters. */
const lineWidth = 118

/** A part names a record, a group or a meaning that this module does not know, or the page lacks a part. */
export class ServicePageError extends Error {
  override readonly name = "ServicePageError"
}

/** The page with every generated part made anew. Throws `ServicePageError`. */
export const fill = (page: string): string => {
  const made = parts()
  const missing = new Set(made.keys())
  const filled = page.replace(
    /^<!-- generated: (.+) -->\n[\s\S]*?^<!-- end -->$/gm,
    (_, name: string): string => {
      const text = made.get(name)
      if (text === undefined) throw new ServicePageError(`docs/service.md has an unknown part, "${name}"`)
      missing.delete(name)
      return `<!-- generated: ${name} -->\n\n${text}\n\n<!-- end -->`
    }
  )
  if (missing.size > 0) throw new ServicePageError(`docs/service.md lacks the part "${[...missing][0]}"`)
  return filled
}

/** The parts by name. */
const parts = (): ReadonlyMap<string, string> => {
  const all = endpoints()
  const records = recordsOf(all)
  const fields = (name: string, without?: string): string => fieldTable(records, name, without)
  return new Map([
    ["figures", figures(all)],
    ...[...new Set(all.map(({ group }) => group))].map((group): [string, string] => [
      `endpoints ${group}`,
      endpointsOf(
        group,
        all.filter((endpoint) => endpoint.group === group)
      )
    ]),
    ["batch limits", batchLimits(all)],
    ["fields detail record", detailTables(records)],
    ["projections", projections()],
    ["names standard-2 record", nameList(Object.keys(AllRecord.standardFields))],
    ["names id record", nameList(Object.keys(AllRecord.idFields))],
    ["fields hit", fields("hit")],
    ["fields batch hit", fields("batch hit", "hit")],
    ["ranks", ranks()],
    ["fields synonym record", fields("synonym record")],
    ["fields flat synonym", fields("flat synonym")],
    ["fields data record", fields("data record")],
    ["names plot point", nameList(Object.keys(BioactivityData.plotFields))],
    ["fields plot point", fields("plot point", "data record")],
    ["fields endpoint summary", fields("endpoint summary")],
    ["fields chemical summary", fields("chemical summary", "endpoint summary")],
    ["fields tissue summary", fields("tissue summary")],
    ["fields AED record", fields("AED record")],
    ["problems", problemTable()]
  ])
}

// Records

/** Every record of the contract: what the page calls it, and its fields. */
const recordFields: Readonly<Record<string, object>> = {
  "detail record": DetailProjection.everyField,
  "standard-2 record": AllRecord.standardFields,
  "id record": AllRecord.idFields,
  hit: SearchHit.fields,
  "batch hit": SearchHit.batchFields,
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

/** What the page calls a record; `undefined` for a value that is no record. */
const recordNameOf = (schema: JsonSchema): string | undefined => {
  const fields = fieldNamesOf(schema)
  if (fields === undefined) return undefined
  const name = recordNames.get([...fields].sort().join(" "))
  if (name === undefined)
    throw new ServicePageError(`The page has no name for a record of ${fields.join(" ")}`)
  return name
}

/** The schema of each record, by name, as the endpoints answer it. */
const recordsOf = (all: ReadonlyArray<Endpoint>): ReadonlyMap<string, JsonSchema> => {
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
  if (found === undefined) throw new ServicePageError(`No endpoint answers a ${name}`)
  return found
}

/** A row for each field; a field that is a record itself has a row for each of its own. */
const fieldTable = (
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

/** The headings of the detail record's fields, by the first field below each. */
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

const detailTables = (records: ReadonlyMap<string, JsonSchema>): string => {
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

/** The field sets of the projections: in full, or as another set without some fields. */
const projections = (): string => {
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

const ranks = (): string =>
  table(
    ["rank", "`searchName`"],
    Object.entries(SearchHit.ranks).map(([name, rank]) => [String(rank), code(name)])
  )

// Endpoints

/** What a parameter is, where the contract does not say it. */
const meanings: Readonly<Record<string, string>> = {
  dtxsid: "Substance identifier",
  dtxcid: "Compound identifier",
  formula: "Molecular formula, the elements in any order",
  start: "Smallest mass, in dalton, included",
  end: "Largest mass, in dalton, included",
  aeid: "Assay endpoint identifier, a positive 32-bit integer",
  m4id: "Data record identifier, a positive 32-bit integer",
  [Details.defaultPageParameter]: "Number of the page, from 1. Default: 1"
}

const endpointsOf = (group: string, all: ReadonlyArray<Endpoint>): string => {
  const rows = all.map((endpoint) => [
    code(`${endpoint.method} ${endpoint.path}`),
    takes(endpoint, all),
    responseOf(endpoint.response)
  ])
  const parameters = new Map<string, Parameter>(
    all.flatMap((endpoint) =>
      endpoint.parameters.map((parameter) => [
        `${parameter.in} ${parameter.name} ${describe(parameter)}`,
        parameter
      ])
    )
  )
  return [
    table(["request", "takes", "response"], rows),
    wrap(`Accept and response type: ${mediaTypes(group, all)}.`),
    [...parameters.values()]
      .map((parameter) =>
        wrap(
          `- ${code(parameter.name)} (${parameter.in}${parameter.required ? "" : ", optional"}): ${describe(parameter)}.`,
          "  "
        )
      )
      .join("\n")
  ].join("\n\n")
}

const describe = ({ name, schema }: Parameter): string => {
  const said = descriptionOf(schema).replace(/; (.+) when not given$/, ". Default: $1") || meanings[name]
  if (said === undefined) throw new ServicePageError(`The page has no meaning for the parameter ${name}`)
  const values = schema.enum === undefined ? "" : `. Values: ${schema.enum.map(code).join(", ")}`
  return `${said}${values}`
}

/** What a request carries besides its path: query parameters, and the values of a batch. */
const takes = (endpoint: Endpoint, group: ReadonlyArray<Endpoint>): string => {
  const query = endpoint.parameters.filter((one) => one.in === "query").map(({ name }) => code(name))
  return [...(endpoint.body === undefined ? [] : [bodyOf(endpoint, group)]), ...query].join(", ")
}

const bodyOf = ({ body, limit, name }: Endpoint, group: ReadonlyArray<Endpoint>): string => {
  const most = `1–${limit?.values}`
  if (body?.type === "object") {
    return Object.keys(body.properties ?? {})
      .map((field) => (field === "error" ? code(field) : `${most} ${code(field)}`))
      .join(", ")
  }
  // The values of a batch are those that the single request of the same name takes in its path.
  const single = group.find((other) => `${other.name}Batch` === name)
  const [value] = single?.parameters.filter((one) => one.in === "path") ?? []
  if (value === undefined) throw new ServicePageError(`The page has no name for the values of ${name}`)
  return `${most} ${code(value.name)}`
}

const mediaTypes = (group: string, all: ReadonlyArray<Endpoint>): string => {
  const byType = Map.groupBy(all, ({ mediaType }) => mediaType)
  const [usual, ...others] = [...byType].sort(([, a], [, b]) => b.length - a.length)
  if (usual === undefined) throw new ServicePageError(`The group ${group} has no endpoint`)
  return [
    code(usual[0]),
    ...others.map(([type, some]) => `${code(type)} for ${some.map(({ path }) => code(path)).join(" and ")}`)
  ].join("; ")
}

/** A response in words: a record by its name, an array as a plural. */
const responseOf = (schema: JsonSchema): string => {
  const { additionalProperties, anyOf, items, type } = schema
  if (anyOf !== undefined) {
    const [first, second] = anyOf
    if (first !== undefined && second?.items !== undefined && recordNameOf(second.items) !== undefined) {
      if (recordNameOf(first) === recordNameOf(second.items)) return `${responseOf(first)}, or an array of it`
    }
    return anyOf.map(responseOf).join(" or ")
  }
  if (type === "array") {
    if (items === undefined) return "array"
    const name = recordNameOf(items)
    return name === undefined ? `array of ${valueName(items)}` : plural(name)
  }
  const name = recordNameOf(schema)
  if (name !== undefined) return name
  if (type === "object" && typeof additionalProperties === "object") {
    return `object of ${valueName(additionalProperties.items ?? additionalProperties)} arrays`
  }
  return descriptionOf(schema) === ""
    ? typeOf(schema)
    : `${typeOf(schema)}: ${descriptionOf(schema).toLowerCase()}`
}

const valueName = (schema: JsonSchema): string =>
  descriptionOf(schema).startsWith("Substance identifier") ? code("dtxsid") : typeOf(schema)

const plural = (name: string): string => (name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`)

// Limits, figures and problems

const batchLimits = (all: ReadonlyArray<Endpoint>): string =>
  table(
    ["batch", "values", "one more", "limit"],
    all.flatMap(({ limit, method, path }) =>
      limit === undefined
        ? []
        : [
            [
              code(`${method} ${path}`),
              String(limit.values),
              String(limit.refusal),
              limit.shown ? "documented" : "ours"
            ]
          ]
    )
  )

const figures = (all: ReadonlyArray<Endpoint>): string => {
  const tolerance = all.find(({ name }) => name === "byMassBatch")?.body?.properties?.["error"]
  if (tolerance?.maximum === undefined) throw new ServicePageError("The contract bounds no mass tolerance")
  return table(
    ["setting", "value", "source"],
    [
      ["request header of the key", code(Access.defaultKeyHeader), "observed"],
      ["media type of counts", code(Search.countType), "documented"],
      ["page parameter of `/chemical/all`", code(Details.defaultPageParameter), "observed"],
      ["records in a page of `/chemical/all`", count(Details.defaultPageSize), "ours"],
      ["default projection of detail records", code(DetailProjection.defaultProjection), "documented"],
      ["default projection of synonyms", code(SynonymRecord.defaultProjection), "documented"],
      ["default mass tolerance (`error`)", `${MassRange.defaultTolerance} Da`, "documented"],
      ["largest mass tolerance", `${count(tolerance.maximum)} Da`, "ours"],
      ["largest mass", `${count(MassRange.largestMass)} Da`, "ours"],
      ["smallest active hit call, multi-concentration data", String(BioactivityData.activeFrom), "documented"]
    ]
  )
}

/** When the service answers with each problem. */
const causes: Readonly<Record<string, string>> = {
  BadRequest: "malformed value, empty batch, too many DTXCIDs, unreadable body, or search miss",
  Unauthorized: "the key is missing or unknown",
  NotFound: "the identifier is well formed but unknown, or the path does not exist",
  MethodNotAllowed: "the path exists, the method does not; `allow` lists the methods",
  TooLarge: "too many values in any other batch, or a body over the size limit",
  UriTooLong: "the URL is over the length limit",
  UnsupportedMediaType: "the body is not sent as JSON",
  TooManyRequests: "the key is over its rate; `retry-after` gives the seconds to wait",
  InternalError: "a defect of the service; the cause is in its log",
  Unavailable: "the service is stopping or at its concurrency limit; with `retry-after`"
}

const problemTable = (): string =>
  table(
    ["status", "title", "cause"],
    problems().map(({ name, status, title }) => {
      const cause = causes[name]
      if (cause === undefined) throw new ServicePageError(`The page has no cause for the problem ${name}`)
      return [String(status), title, cause]
    })
  )

// Markdown

const code = (text: string): string => `\`${text}\``

const count = (value: number): string => value.toLocaleString("en-US")

const nameList = (names: ReadonlyArray<string>): string => wrap(`${names.map(code).join(", ")}.`)

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")
}

/** The text in lines of at most `lineWidth` characters; `indent` stands before each line but the first. */
const wrap = (text: string, indent = ""): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = `${indent}${word}`
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].join("\n")
}
