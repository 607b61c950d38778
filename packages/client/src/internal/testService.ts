/**
 * The service in memory behind `ChemClient.layerTest`, for tests of programs that use the client. It has the records that the test
 * gives it, and opens no connection. Everything else is the real client: paths, batches, retries, limits, readers of responses.
 */
import { type Key, type Operation, type Row, Rows } from "@chemstream/api"
import { type InvalidOption, Options } from "@chemstream/batch"
import { type Duration, Effect, Layer, Predicate, Result } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"

/** A request that the service in memory has got. */
export interface TestRequest {
  /** The name of the endpoint, e.g. `details.byDtxsidBatch`. */
  readonly endpoint: string
  /** The requested values, in their order. */
  readonly keys: ReadonlyArray<string>
  /** The number of requests before it. */
  readonly index: number
}

/**
 * What a service does instead of its response: a status, a response with headers and a body, a connection that is refused
 * (`unreachable`), or no response at all (`silent`).
 */
export type TestFault =
  | number
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | "unreachable"
  | "silent"

/** A record of a test: some of the fields of a record of the row, in any projection. */
type TestRecord<A> = A extends object ? Partial<A> : A

type RecordsOf<R extends Row.Row> =
  | TestRecord<Row.RecordOf<R>>
  | { readonly [P in keyof R["forms"]]: TestRecord<Row.RecordIn<R, P>> }[keyof R["forms"]]

/** The records of a row by key, each a record or a list of records. A row without a key has a list. */
type RowRecords<R extends Row.Row> = R extends { readonly key: object }
  ? Readonly<Record<string, RecordsOf<R> | ReadonlyArray<RecordsOf<R>>>>
  : ReadonlyArray<RecordsOf<R>>

/** The records of a test by row and key. */
export type TestRecords = { readonly [N in Rows.Name]?: RowRecords<Rows.ByName[N]> }

/** What the service in memory responds. */
export interface TestService {
  /**
   * The responses by row and key, e.g. `{ "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } } }`. A value is a
   * record or a list of records, without its key if it has that of the request. A row has the same records for single requests
   * and batches. Other keys are missing, as the row defines it. A row without keys has a list. Default: none.
   */
  readonly records?: TestRecords | undefined
  /** Returns the fault of a request. Default: none. */
  readonly fault?: ((request: TestRequest) => TestFault | undefined) | undefined
  /** How long the response to a request takes. Default: 0. */
  readonly latency?: Duration.Input | ((request: TestRequest) => Duration.Input) | undefined
  /** Called with each request, e.g. to count them. */
  readonly onRequest?: ((request: TestRequest) => void) | undefined
}

const recordsKind = /* @__PURE__ */ Options.object<TestRecords>(
  'an object with the records of each row, e.g. { "details.byDtxsid": { DTXSID7020182: {} } }'
)

const entry = /* @__PURE__ */ Options.kind("a record or a list of records", (value) => value !== undefined)

/** The records of all rows. Made when a test gives some, because there are many rows. */
const ofRows = (): Options.AnyKind =>
  Options.set<Record<string, unknown>>()(
    Object.fromEntries(Rows.all.map((row) => [row.name, recordsOf(row)]))
  )

/** The records of a row. A key that the client never requests in this spelling is a mistake of the test. */
const recordsOf = ({ key }: Row.Row): Options.AnyKind => {
  if (key === undefined) return Options.list(Options.kind("a record", () => true))
  const wanted = "an object with a record, or a list of records, for each key"
  return Options.record(
    entry,
    wanted,
    0,
    Options.kind(wanted, (text) => spelling(key, text as string), "secret")
  )
}

/** Whether a key is requested in this spelling, or what to write instead. */
const spelling = ({ fields, parse }: Key.Key, key: string): boolean | string =>
  // The keys of several fields have the form of a path.
  Object.keys(fields).length > 1 ||
  Result.match(parse(key), {
    onFailure: ({ message }) => `a key that can be requested: ${message}`,
    onSuccess: (spelled) => spelled === key || `${spelled}, as it is requested`
  })

/** The declaration of the options. */
export const optionSet = Options.set<TestService>()({
  records: {
    ...recordsKind,
    problem: (records, path) => recordsKind.problem(records, path) ?? ofRows().problem(records, path)
  },
  fault: Options.func,
  latency: Options.anyOf(Options.func, Options.time("finite")),
  onRequest: Options.func
})

/** Makes the transport of a client of this service. Fails with `InvalidOption`, also if there is no such row. */
export const transport = (
  service: TestService
): Layer.Layer<HttpClient.HttpClient, InvalidOption.InvalidOption> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.gen(function* () {
      yield* Options.check(optionSet, service)
      const routes = routesOf(Rows.operations)
      let index = 0
      return HttpClient.make((request, url) =>
        Effect.gen(function* () {
          const { keys, operation, page } = requestOf(routes, request, url)
          const asked = { endpoint: operation.name, keys, index: index++ }
          service.onRequest?.(asked)
          const { latency = 0 } = service
          const delay = typeof latency === "function" ? latency(asked) : latency
          yield* Effect.orDie(Options.check(time, delay, "latency"))
          yield* Effect.sleep(delay)
          const fault = service.fault?.(asked)
          if (fault !== undefined) yield* Effect.orDie(Options.check(faultKind, fault, "fault"))
          if (fault === "silent") return yield* Effect.never
          if (fault === "unreachable") {
            const cause = Object.assign(new Error("refused by the test"), { code: "ECONNREFUSED" })
            return yield* new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause })
            })
          }
          return HttpClientResponse.fromWeb(
            request,
            fault === undefined
              ? responseTo(operation, keys, page, (service.records as Records)?.[operation.row.name] ?? {})
              : refusal(fault)
          )
        })
      )
    })
  )

type Records = Readonly<Record<string, Parameters<typeof responseTo>[3]>> | undefined

const time = /* @__PURE__ */ Options.time("finite")

const statusKind = /* @__PURE__ */ Options.kind<number>(
  "a status from 200 to 599",
  (value) => Number.isInteger(value) && (value as number) >= 200 && (value as number) < 600
)

const faultKind = /* @__PURE__ */ Options.anyOf(
  Options.oneOf(["unreachable", "silent"]),
  statusKind,
  Options.set<Exclude<TestFault, string | number>>()({
    status: Options.required(statusKind),
    headers: Options.object(),
    body: Options.text
  })
)

const contentType = { "content-type": "application/json" }

/** The response of a fault that has a status. */
const refusal = (fault: Exclude<TestFault, string>): Response => {
  const { status, body, headers } = typeof fault === "number" ? { status: fault } : fault
  const text = body ?? JSON.stringify({ title: "The test asked for this failure", status })
  return new Response(status === 204 || status === 304 ? null : text, {
    status,
    headers: { ...contentType, ...headers }
  })
}

/** An operation, and the pattern of its path with a group for each value. */
interface Route {
  readonly operation: Operation.Operation
  readonly pattern: RegExp
}

/** The routes of operations. A path with braces becomes a pattern with a group for each value. */
const routesOf = (operations: ReadonlyArray<Operation.Operation>): ReadonlyArray<Route> =>
  operations.map((operation) => {
    const segments = operation.path.replace(/\/$/, "").replace(/\{[^}]+\}/g, "([^/]+)")
    return { operation, pattern: new RegExp(`^${segments}/?$`) }
  })

/** Returns the operation of a request, its values and its page. A fixed path comes before one with a value. */
const requestOf = (
  routes: ReadonlyArray<Route>,
  { body, method }: HttpClientRequest.HttpClientRequest,
  url: URL
) => {
  const matches = routes.flatMap(({ operation, pattern }) => {
    const match = operation.method === method ? pattern.exec(url.pathname) : null
    return match === null ? [] : [{ operation, values: match.slice(1).map(decodeURIComponent) }]
  })
  const found = matches.sort((one, other) => one.values.length - other.values.length)[0]
  if (found === undefined) throw new Error(`the contract has no endpoint ${method} ${url.pathname}`)
  const { operation, values } = found
  const page = Number(url.searchParams.get(operation.row.page ?? ""))
  if (body._tag === "Uint8Array") {
    const text = new TextDecoder().decode(body.body)
    const payload: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : text.split("\n")
    const list = Array.isArray(payload) ? payload : Object.values(payload as object).find(Array.isArray)
    return { operation, keys: (list ?? []).map(String), page }
  }
  if (values.length > 0) return { operation, keys: [values.join("/")], page }
  const names = Object.keys(operation.key?.fields ?? {})
  return { operation, keys: names.flatMap((name) => url.searchParams.get(name) ?? []), page }
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: contentType })

/** The response of a service that has these records: to a batch, or to one key. Records get the key of the request. */
const responseTo = (
  { batch, key, row }: Operation.Operation,
  keys: ReadonlyArray<string>,
  page: number,
  records: Readonly<Record<string, unknown>> | ReadonlyArray<unknown>
): Response => {
  if (Array.isArray(records)) return json(page > 1 ? [] : records)
  const byKey = records as Readonly<Record<string, unknown>>
  const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])
  const name = row.recordKey === undefined ? key?.name : (row.recordKey ?? undefined)
  const withKey = (record: unknown, requested: string): unknown =>
    Predicate.isObject(record) && name !== undefined ? { [name]: requested, ...record } : record
  const known = keys.filter((one) => Object.hasOwn(byKey, one))
  if (batch !== undefined) {
    if (batch.response !== undefined)
      return json(Object.fromEntries(known.map((one) => [one, listOf(byKey[one])])))
    const { part } = row.get
    return json(
      known.flatMap((one) =>
        part === undefined
          ? listOf(byKey[one]).map((record) => withKey(record, one))
          : [withKey({ [part.field]: listOf(byKey[one]) }, one)]
      )
    )
  }
  const [requested = ""] = keys
  if (known.length === 0) return miss(row.miss, requested)
  const value = byKey[requested]
  const isList = row.get.answer === "list" || row.get.answer === "page"
  return json(
    Array.isArray(value) || isList
      ? listOf(value).map((record) => withKey(record, requested))
      : withKey(value, requested)
  )
}

/** The response to a key without a record. */
const miss = (kind: Operation.Operation["row"]["miss"], key: string): Response => {
  if (kind === "empty") return json([])
  if (kind === "nothing") return new Response("")
  const status = kind === "404" ? 404 : 400
  const problem = { title: "Not Found", status, detail: `no record for ${key}` }
  const body = kind === "suggestions" ? { ...problem, suggestions: [] } : problem
  return json(body, status)
}
