/**
 * Makes the OpenAPI document of the service from the contract. It adds the address, the version of this package, a
 * description and an example of each operation, and the statuses of limits.
 */
import { ChemicalApi, Operation, type Row } from "@chemstream/api"
import { OpenApi } from "effect/http-api"
import { version } from "./version.ts"

/** The statuses of limits and of the service itself, which every operation has. */
const always: Readonly<Record<string, string>> = {
  304: "The client has the current response (`if-none-match`)",
  405: "The path does not have this method; `allow` lists its methods",
  408: "The request took too long to arrive",
  414: "The URL is too long",
  431: "The request line and the headers are too long",
  500: "The service failed",
  503: "Too many requests in flight, or the service is stopping; retry after `retry-after` seconds"
}

/** The further statuses of operations with a body. */
const withBody: Readonly<Record<string, string>> = {
  413: "Too many values, or a body that is too large",
  415: "The body is not JSON"
}

/** Examples of the parameters that are not of a key. */
const parameters: Readonly<Record<string, unknown>> = {
  tissue: "liver",
  next: 1,
  pageNumber: 1,
  category: "Dose Response Summary Value",
  propName: "Boiling Point",
  model: "COMPARA"
}

/** Examples of bodies that are more than a list of keys. */
const bodies: Readonly<Record<string, unknown>> = {
  "msready.byMassBatch": { masses: [228.115], error: 0.002 }
}

/** Makes the document of the endpoints of some rows. */
export const make = (rows: ReadonlyArray<Row.Row>): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(ChemicalApi.make(rows))
  const byName = new Map(Operation.ofRows(rows).map((operation) => [operation.name, operation]))
  for (const operations of Object.values(document.paths)) {
    for (const documented of Object.values(operations) as Array<Documented>) {
      const operation = byName.get(documented.operationId)
      if (operation !== undefined) complete(documented, operation)
    }
  }
  return {
    ...document,
    info: { ...document.info, version },
    // Relative to the address of the document.
    servers: [{ url: "/", description: "This service" }]
  }
}

/** The parts of an operation in the document that `complete` reads or adds. */
interface Documented {
  readonly operationId: string
  summary?: string
  description?: string
  responses: Record<string, { description: string; content?: unknown }>
  readonly parameters?: Array<{ readonly name: string; example?: unknown }>
  readonly requestBody?: { readonly content: Record<string, { example?: unknown }> }
}

/** Adds the description, the examples and the further statuses of an operation to its part of the document. */
const complete = (documented: Documented, operation: Operation.Operation): void => {
  const { batch, key, name, row } = operation
  documented.description ??= `${documented.summary}. ${
    batch === undefined
      ? textOfValue(row)
      : `Takes up to ${batch.limit} values in a request. Unknown values are absent from the response.`
  }`
  const examples = { ...parameters, ...key?.toFields(key.example) }
  for (const parameter of documented.parameters ?? []) {
    const example = (examples as Readonly<Record<string, unknown>>)[parameter.name]
    if (example !== undefined) parameter.example = example
  }
  const body = documented.requestBody?.content["application/json"]
  const values = Object.values(key?.toFields(key.example) ?? {})
  if (body !== undefined) body.example = bodies[name] ?? (row.get.method === "POST" ? values[0] : values)
  const statuses = {
    ...always,
    ...(row.dialect === undefined ? {} : { 400: "A malformed value, or an unknown one" }),
    ...(batch === undefined && row.get.method === undefined ? {} : withBody)
  }
  for (const [status, description] of Object.entries(statuses)) {
    documented.responses[status] ??= status === "304" ? { description } : { description, content: problem }
  }
}

const misses: Readonly<Record<Row.Row["miss"], string>> = {
  "404": "a 404",
  "400": "a 400",
  suggestions: "a 400 with suggestions",
  empty: "an empty list",
  nothing: "an empty body"
}

/** Says what the response to an unknown value is, or where a list begins. */
const textOfValue = ({ key, miss, page, scalar, unknown }: Row.Row): string => {
  if (page !== undefined && key === undefined) return "Each page has the start of the next one."
  if (key === undefined) return "It takes no value."
  if (page !== undefined) return "An unknown value gets a page without records."
  if (scalar === "count") return "An unknown value gets the number 0."
  return `An unknown value gets ${unknown === undefined ? misses[miss] : "a record without a value"}.`
}

const problem = {
  "application/problem+json": {
    schema: {
      type: "object",
      properties: {
        type: { type: "string" },
        title: { type: "string" },
        status: { type: "integer" },
        detail: { type: "string" },
        instance: { type: "string" }
      },
      required: ["type", "title", "status"]
    }
  }
}
