/**
 * Compares the published documents of the public service with the contract and the dialect `ctx`: methods, paths,
 * parameters, bodies, limits, projections and names of fields.
 *
 * `openapiDifferences.ts` lists the differences. A new document with other paths or fields changes that list.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  AedRecord,
  AllRecord,
  BatchLimit,
  BioactivityData,
  BioactivitySummary,
  ChemicalApi,
  DetailProjection,
  Dialect as Facts,
  Operation as Operations,
  Rows,
  SearchHit,
  SynonymRecord
} from "@chemstream/api"
import { Context, Option } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { knownDifferences, uncoveredRequests } from "./openapiDifferences.ts"

// The documents are beside the checkout, if available.
const folder = join(import.meta.dirname, "../../../../shared/real/openapi")

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, { readonly writeOnly?: true }>>
}
interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly description?: string
}
interface Operation {
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The compared parts of a request. */
interface Request {
  readonly path: ReadonlyArray<string>
  readonly query: ReadonlyArray<string>
  readonly body: "none" | "list" | "text" | "object"
  /** The largest batch, if documented. */
  readonly limit: number | undefined
  /** The descriptions of documented parameters, or the projections of the client. */
  readonly projections: ReadonlyArray<string>
}

const documents = (): ReadonlyArray<Document> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))

const schemasOf = (documents: ReadonlyArray<Document>): ReadonlyMap<string, Schema> =>
  new Map(documents.flatMap(({ components }) => Object.entries(components.schemas)))

/** Returns the requests of documents, by method and path. */
const documentedRequests = (documents: ReadonlyArray<Document>): ReadonlyMap<string, Request> => {
  const schemas = schemasOf(documents)
  return new Map(
    documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]): [string, Request] => {
          const names = (place: string) =>
            (operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name)
          const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
          const resolved = schemas.get(schema?.$ref?.split("/").at(-1) ?? "") ?? schema
          const limit = /\bmaximum (?:of )?(\d+)/i.exec(operation.description ?? "")?.[1]
          return [
            `${method.toUpperCase()} ${path}`,
            {
              path: names("path"),
              query: names("query").sort(),
              body: bodies[resolved?.type ?? ""] ?? "none",
              limit: limit === undefined ? undefined : Number(limit),
              projections: (operation.parameters ?? []).flatMap(({ description }) => description ?? [])
            }
          ]
        })
      )
    )
  )
}

const bodies: Readonly<Record<string, Request["body"]>> = { array: "list", string: "text", object: "object" }

/** Returns the requests of the client in the dialect `ctx`, by method and path. Each has its first form. */
const clientRequests = (): ReadonlyMap<string, Request> => {
  const contract = OpenApi.fromApi(ChemicalApi.ChemicalApi) as unknown as Document
  const clientNames = documentedRequests([contract])
  const endpoints = Object.entries(ChemicalApi.ChemicalApi.groups).flatMap(([group, { endpoints }]) =>
    Object.values(endpoints).map((endpoint) => [`${group}.${endpoint.identifier}`, endpoint] as const)
  )
  return new Map(
    endpoints.map(([name, endpoint]): [string, Request] => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const of = clientNames.get(`${endpoint.method} ${path}`) as Request
      const difference = ctxDifferences.get(name) ?? {}
      const [form] = difference.forms ?? []
      const single = difference.single !== undefined
      return [
        `${endpoint.method} ${form?.path ?? path}`,
        {
          path: of.path,
          query: [...of.query, ...Object.keys(form?.query ?? {})].sort(),
          body: difference.lines === true ? "text" : of.body,
          limit: single ? undefined : smallest(limitOf(endpoint), difference.largest),
          projections: Object.values(difference.projections ?? {})
        }
      ]
    })
  )
}

const ctxDifferences = new Map(
  Rows.operations.map((operation) => [operation.name, Operations.difference(operation, "ctx")])
)

const limitOf = ({ annotations }: HttpApiEndpoint.Constraint & { annotations: Context.Context<never> }) =>
  Option.getOrUndefined(
    Option.map(Context.getOption(annotations, BatchLimit.BatchLimit), ({ values }) => values)
  )

const smallest = (...limits: ReadonlyArray<number | undefined>): number | undefined => {
  const limitsPresent = limits.filter((limit) => limit !== undefined)
  return limitsPresent.length === 0 ? undefined : Math.min(...limitsPresent)
}

/** The field names of the documented records that the client reads. */
const records: Readonly<Record<string, ReadonlyArray<string>>> = {
  chemicaldetailall: Facts.ctxDetailFields.chemicaldetailall,
  ChemicalDetailStandard: Facts.ctxDetailFields.chemicaldetailstandard,
  ChemicalIdentifier: Facts.ctxDetailFields.chemicalidentifier,
  ChemicalStructure: Facts.ctxDetailFields.chemicalstructure,
  NtaToolkit: Facts.ctxDetailFields.ntatoolkit,
  compact: Facts.ctxDetailFields.compact,
  ChemicalDetailStandard2: Object.keys(AllRecord.standardFields),
  ChemicalBatchSearchResult: Object.keys(SearchHit.fields),
  ChemicalSearchAll: Object.keys(SearchHit.fields),
  ChemicalSynonymAll: Object.keys(SynonymRecord.fields),
  CcdSynonymFlatProjection: Object.keys(SynonymRecord.flatFields),
  BioactivityDataAll: Object.keys(BioactivityData.fields),
  AedData: Object.keys(AedRecord.fields),
  AssayAgg: Object.keys(BioactivitySummary.endpointFields),
  ChemicalAgg: Object.keys(BioactivitySummary.chemicalFields),
  SummaryByTissue: Object.keys(BioactivitySummary.tissueFields)
}

/** Returns the differences, one line each. */
const differences = (documents: ReadonlyArray<Document>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const compareNames = (
    what: string,
    documentedNames: ReadonlyArray<string>,
    clientNames: ReadonlyArray<string>
  ) => {
    for (const name of documentedNames)
      if (!clientNames.includes(name)) lines.push(`${what} ${name}: documented only`)
    for (const name of clientNames)
      if (!documentedNames.includes(name)) lines.push(`${what} ${name}: here only`)
  }
  const [documentedNames, clientNames] = [documentedRequests(documents), clientRequests()]
  compareNames("request", [...documentedNames.keys()], [...clientNames.keys()])
  for (const [name, request] of clientNames) {
    const other = documentedNames.get(name)
    if (other === undefined) continue
    compareNames(`${name}: path value`, other.path, request.path)
    compareNames(`${name}: parameter`, other.query, request.query)
    for (const projection of request.projections) {
      const isDocumented = other.projections.some((text) => text.includes(projection))
      if (!isDocumented) lines.push(`${name}: projection ${projection}: here only`)
    }
    if (other.body !== request.body)
      lines.push(`${name}: body is documented as ${other.body}, here ${request.body}`)
    if (other.limit !== request.limit)
      lines.push(`${name}: limit is documented as ${other.limit}, here ${request.limit}`)
  }
  const schemas = schemasOf(documents)
  for (const [name, fields] of Object.entries(records)) {
    const properties = Object.entries(schemas.get(name)?.properties ?? {})
    compareNames(
      `record ${name}: field`,
      properties.filter(([, { writeOnly }]) => writeOnly !== true).map(([field]) => field),
      fields
    )
  }
  compareNames("projection", schemas.get("ChemicalDetailProjection")?.enum ?? [], DetailProjection.names)
  return lines.sort()
}

/** Returns the differences after a change of the documents in memory. */
const differencesAfter = (edit: (document: Mutable) => void): ReadonlyArray<string> => {
  const all = documents()
  for (const document of all) edit(document as Mutable)
  return differences(all)
}

interface Mutable {
  readonly paths: Record<string, Record<string, { description?: string; parameters?: Array<Parameter> }>>
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, unknown> }> }
}

describe.skipIf(!existsSync(folder))(
  "the published documents (skipped without ../shared/real/openapi)",
  () => {
    it("differ from the contract and the dialect only by the listed differences", () => {
      expect(differences(documents())).toEqual(
        [
          ...knownDifferences,
          ...uncoveredRequests.map((request) => `request ${request}: documented only`)
        ].sort()
      )
    })

    it.each<[string, (document: Mutable) => void, ReadonlyArray<string>]>([
      [
        "a path",
        ({ paths }) => {
          const { "/chemical/synonym/search/by-dtxsid/": synonyms, ...others } = paths
          if (synonyms === undefined) return
          for (const path of Object.keys(paths)) delete paths[path]
          Object.assign(paths, others, { "/chemical/synonyms/search/by-dtxsid/": synonyms })
        },
        [
          "request POST /chemical/synonym/search/by-dtxsid/: here only",
          "request POST /chemical/synonyms/search/by-dtxsid/: documented only"
        ]
      ],
      [
        "a parameter",
        ({ paths }) => {
          for (const parameter of paths["/chemical/search/start-with/{word}"]?.["get"]?.parameters ?? []) {
            if (parameter.name === "top") Object.assign(parameter, { name: "limit" })
          }
        },
        [
          "GET /chemical/search/start-with/{word}: parameter limit: documented only",
          "GET /chemical/search/start-with/{word}: parameter top: here only"
        ]
      ],
      [
        "a limit",
        ({ paths }) => {
          const batch = paths["/chemical/search/equal/"]?.["post"]
          if (batch !== undefined) batch.description = "a maximum of 50 values"
        },
        ["POST /chemical/search/equal/: limit is documented as 50, here 100"]
      ],
      [
        "a field",
        ({ components: { schemas } }) => {
          const properties = schemas["ChemicalAgg"]?.properties
          if (properties === undefined) return
          delete properties["nhit"]
          properties["hits"] = {}
        },
        ["record ChemicalAgg: field hits: documented only", "record ChemicalAgg: field nhit: here only"]
      ],
      [
        "the projection of a plot",
        ({ paths }) => {
          for (const parameter of paths["/bioactivity/data/search/by-dtxsid/{dtxsid}"]?.["get"]?.parameters ??
            []) {
            Object.assign(parameter, { description: "none" })
          }
        },
        ["GET /bioactivity/data/search/by-dtxsid/{dtxsid}: projection toxcast-summary-plot: here only"]
      ]
    ])("show a change of %s", (_, edit, lines) => {
      const before = differences(documents())
      expect(differencesAfter(edit).filter((line) => !before.includes(line))).toEqual(lines)
    })
  }
)
