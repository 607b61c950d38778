/**
 * Parses a method, a path and a body into a request to an endpoint of the contract, with its parameters, query and body.
 */
import { ChemicalApi, Quote } from "@chemstream/api"
import type { Endpoint } from "@chemstream/client"
import { Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { didYouMean, nearest } from "../help/nameSuggestions.ts"

/** A request to an endpoint. */
export interface ContractRequest {
  readonly endpoint: Endpoint.Name
  readonly request: {
    readonly params?: unknown
    readonly query?: unknown
    readonly payload?: unknown
  }
}

interface NamedEndpoint {
  readonly name: Endpoint.Name
  readonly endpoint: HttpApiEndpoint.Top
}

const endpointsOf = (): ReadonlyArray<NamedEndpoint> =>
  Object.entries(ChemicalApi.ChemicalApi.groups).flatMap(([group, { endpoints }]) =>
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
    return Result.fail(`${Quote.value(path)} is not a path: a path starts with /, e.g. /chemical/all`)
  }
  const segments = segmentsOf(url.pathname)
  for (const { endpoint, name } of endpointsOf()) {
    if (endpoint.method !== method) continue
    const params = match(endpoint.path, segments)
    if (params === undefined) continue
    if ((payload === undefined) !== (method === "GET")) {
      return Result.fail(
        `${method} ${endpoint.path} takes ${method === "GET" ? "no --data" : "a body: --data JSON"}`
      )
    }
    const unexpected = unexpectedParameter(
      `${method} ${endpoint.path}`,
      parametersOf(endpoint),
      url.searchParams
    )
    if (unexpected !== undefined) return Result.fail(unexpected)
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

/** A trailing slash gives an empty segment, because a service may respond with 404 if the slash is missing. */
const segmentsOf = (path: string): ReadonlyArray<string> => path.slice(1).split("/")

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
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = decodeURIComponent(segment)
    else if (part !== segment) return undefined
  }
  return params
}

/** Returns the names of the query parameters of an endpoint. */
const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  query?.ast._tag === "Objects" ? query.ast.propertySignatures.map(({ name }) => String(name)) : []

/** Returns the refusal of a query with an unknown or repeated parameter. */
const unexpectedParameter = (
  line: string,
  allowed: ReadonlyArray<string>,
  given: URLSearchParams
): string | undefined => {
  for (const name of given.keys()) {
    const word = JSON.stringify(name)
    if (!allowed.includes(name)) {
      const takes = allowed.length === 0 ? "no query parameters" : allowed.join(", ")
      return `${line} has no query parameter ${word}${didYouMean(name, allowed)}; it takes ${takes}`
    }
    if (given.getAll(name).length > 1) return `the query parameter ${word} is given twice: give it once`
  }
  return undefined
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
  const other = endpointsOf().find(
    ({ endpoint }) => endpoint.method !== method && match(endpoint.path, segmentsOf(path)) !== undefined
  )
  if (other !== undefined) return `${path} takes ${other.endpoint.method}, not ${method}`
  const meant = nearestLine(method, path)
  const suggestion = meant === undefined ? "" : ` (did you mean ${meant}?)`
  return `the contract has no ${method} ${path}${suggestion}. See /openapi.json of a service, or docs/service.md`
}

/** Two near paths have at least this many equal segments at the start. The first one alone says little: it is the family, e.g. `/chemical`. */
const fewestShared = 2

/** Returns the method and path that was most likely meant. Undefined if none is near. */
const nearestLine = (method: string, path: string): string | undefined => {
  const segments = segmentsOf(path)
  const candidates = endpointsOf().map(({ endpoint }) => ({
    line: `${endpoint.method} ${endpoint.path}`,
    // Parameters take the values of the given path, so that only fixed segments differ.
    filled: `${endpoint.method} /${segmentsOf(endpoint.path)
      .map((part, at) => (part.startsWith(":") ? (segments[at] ?? part) : part))
      .join("/")}`,
    shared: endpoint.method === method ? sharedSegments(segmentsOf(endpoint.path), segments) : 0
  }))
  const misspelt = nearest(
    `${method} ${path}`,
    candidates.map(({ filled }) => filled)
  )
  const [longest] = candidates.toSorted((one, other) => other.shared - one.shared)
  return (
    candidates.find(({ filled }) => filled === misspelt)?.line ??
    (longest !== undefined && longest.shared >= fewestShared ? longest.line : undefined)
  )
}

/** Counts the equal segments at the start of two paths. */
const sharedSegments = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const different = one.findIndex((segment, at) => segment !== other[at])
  return different === -1 ? one.length : different
}
