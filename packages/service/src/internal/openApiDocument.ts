/**
 * Makes the OpenAPI document of the service from the contract. It adds the address, the version of this package, a
 * description and an example of each operation, and the statuses of limits.
 */
import { readFileSync } from "node:fs"
import { BatchLimit } from "@chemstream/api"
import { Context } from "effect"
import { type HttpApi, OpenApi } from "effect/http-api"

/** The version of this package. */
export const version: string = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
).version

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

/** An example of each parameter by name. */
const parameters: Readonly<Record<string, unknown>> = {
  dtxsid: "DTXSID7020182",
  dtxcid: "DTXCID30182",
  word: "Bisphenol A",
  formula: "C15H16O2",
  start: 228.11,
  end: 228.12,
  aeid: 3032,
  spid: "TP0000001A01",
  m4id: 1842410,
  tissue: "liver",
  next: 1
}

/** An example of each body by the last segment of the path. */
const bodies: Readonly<Record<string, unknown>> = {
  "by-dtxsid": ["DTXSID7020182", "DTXSID3039242"],
  "by-dtxcid": ["DTXCID30182"],
  "by-mass": { masses: [228.115], error: 0.002 },
  "by-spid": ["TP0000001A01"],
  "by-m4id": [1842410],
  "by-aeid": [3032],
  equal: ["Bisphenol A", "80-05-7"]
}

/** Makes the document. */
export const make = (api: HttpApi.Top): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(api)
  const limits = limitsByOperation(api)
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      complete(operation as Operation, path, method, limits.get((operation as Operation).operationId))
    }
  }
  return {
    ...document,
    info: { ...document.info, version },
    // Relative to the address of the document.
    servers: [{ url: "/", description: "This service" }]
  }
}

/** The parts of an operation that `complete` reads or adds. */
interface Operation {
  readonly operationId: string
  summary?: string
  description?: string
  responses: Record<string, { description: string; content?: unknown }>
  readonly parameters?: Array<{ readonly name: string; example?: unknown }>
  readonly requestBody?: { readonly content: Record<string, { example?: unknown }> }
}

const complete = (operation: Operation, path: string, method: string, limit: number | undefined): void => {
  const isBatch = method === "post"
  const missing = operation.responses["404"] === undefined ? "an empty list" : "a 404"
  operation.description ??= [
    `${operation.summary}.`,
    isBatch
      ? `Takes up to ${limit ?? 1} values in a request. Unknown values are absent from the response.`
      : /\/chemical\/all$/.test(path)
        ? "Each page has the start of the next one."
        : `An unknown value gets ${path.includes("/count/") ? "the number 0" : missing}.`
  ].join(" ")
  for (const parameter of operation.parameters ?? []) {
    const example = parameters[parameter.name]
    if (example !== undefined) parameter.example = example
  }
  const body = operation.requestBody?.content["application/json"]
  if (body !== undefined) body.example = bodies[path.replace(/\/$/, "").split("/").at(-1) ?? ""]
  for (const [status, description] of Object.entries({ ...always, ...(isBatch ? withBody : {}) })) {
    operation.responses[status] ??= status === "304" ? { description } : { description, content: problem }
  }
}

/** The schema of a problem document. */
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

/** Returns the largest number of values in a batch by operation. */
const limitsByOperation = (api: HttpApi.Top): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(api.groups).flatMap(([group, { endpoints }]) =>
      Object.entries(endpoints).flatMap(([name, { annotations }]): ReadonlyArray<[string, number]> => {
        const limit = Context.getOrUndefined(annotations, BatchLimit.BatchLimit)
        return limit === undefined ? [] : [[`${group}.${name}`, limit.values]]
      })
    )
  )
