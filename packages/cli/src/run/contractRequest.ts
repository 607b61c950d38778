/**
 * Parses a method, a path and a body into a request to an endpoint of the contract, with its parameters, query and body.
 */
import { ChemicalApi } from "@chemstream/api"
import type { Endpoint } from "@chemstream/client"
import { Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { nearest } from "../help/nearest.ts"

/** A request to an endpoint. */
export interface ContractRequest {
  readonly endpoint: Endpoint.Name
  readonly request: {
    readonly params?: unknown
    readonly query?: unknown
    readonly payload?: unknown
  }
}

/** An endpoint with its name in the contract. */
interface NamedEndpoint {
  readonly name: Endpoint.Name
  readonly endpoint: HttpApiEndpoint.Top
}

const endpoints: ReadonlyArray<NamedEndpoint> = Object.entries(ChemicalApi.ChemicalApi.groups).flatMap(
  ([group, { endpoints }]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      name: `${group}.${name}` as Endpoint.Name,
      endpoint: endpoint as unknown as HttpApiEndpoint.Top
    }))
)

/** Parses a method, a path with its query, and a body. Fails with the reason if the contract has no such request. */
export const parse = (
  method: string,
  path: string,
  payload: unknown
): Result.Result<ContractRequest, string> => {
  const url = URL.parse(path, "http://host")
  if (url === null || !path.startsWith("/")) {
    return Result.fail(`${JSON.stringify(path)} is not a path: a path starts with /, e.g. /chemical/all`)
  }
  const segments = segmentsOf(url.pathname)
  for (const { endpoint, name } of endpoints) {
    if (endpoint.method !== method) continue
    const params = match(endpoint.path, segments)
    if (params === undefined) continue
    if ((payload === undefined) !== (method === "GET")) {
      return Result.fail(
        `${method} ${endpoint.path} takes ${method === "GET" ? "no --data" : "a body: --data JSON"}`
      )
    }
    return Result.all({
      endpoint: Result.succeed(name),
      request: Result.all({
        ...(endpoint.params === undefined ? {} : { params: decode(endpoint.params, params) }),
        ...(endpoint.query === undefined
          ? {}
          : { query: decode(endpoint.query, Object.fromEntries(url.searchParams)) }),
        ...(payload === undefined ? {} : { payload: Result.succeed(payload) })
      })
    })
  }
  return Result.fail(unknownRequest(method, url.pathname))
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.replace(/^\/|\/$/g, "").split("/")

/** Returns the parameters of a path. Undefined if it does not match the pattern. */
const match = (
  pattern: string,
  segments: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  const parts = segmentsOf(pattern)
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? ""
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(segment)
    else if (part !== segment) return undefined
  }
  return params
}

/** Decodes texts by the schema of the contract. */
const decode = (
  schema: Schema.Top,
  texts: Readonly<Record<string, string>>
): Result.Result<unknown, string> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema as unknown as Schema.ConstraintDecoder<unknown>)(texts),
    (error) => String(error.message).replace(/\s+/g, " ")
  )

const unknownRequest = (method: string, path: string): string => {
  const lines = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  const other = endpoints.find(
    ({ endpoint }) => endpoint.method !== method && match(endpoint.path, segmentsOf(path)) !== undefined
  )
  if (other !== undefined) return `${path} takes ${other.endpoint.method}, not ${method}`
  // A common prefix counts more than single letters.
  const meant =
    nearest(`${method} ${path}`, lines) ??
    lines.toSorted((one, two) => sharedPrefix(two, method, path) - sharedPrefix(one, method, path))[0]
  return `the contract has no ${method} ${path}; the nearest is ${meant}. See /openapi.json of a service, or docs/service.md`
}

const sharedPrefix = (line: string, method: string, path: string): number => {
  const text = `${method} ${path}`
  let length = 0
  while (length < text.length && text[length] === line[length]) length++
  return length
}
