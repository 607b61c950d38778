/**
 * The recorded exchanges of the families that the public service alone has: the operation that sends each, and what comes
 * out of it. The tests of the lookups and of the command read them.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Operation, Row, Rows } from "@chemstream/api"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import type { Respond } from "./lookupService.ts"

const recorded = join(import.meta.dirname, "../../../../shared/real/rest")

/** The folder of the responses that are files. */
export const answers = join(recorded, "answers")

export interface Exchange {
  readonly file: string
  readonly method: "GET" | "POST"
  readonly path: string
  readonly request_body: string | null
  readonly status: number
  readonly content_type: string | null
  readonly bytes: number
  readonly body?: string | null
}

/** Exchanges without a request of this client, each with the reason. */
const left: ReadonlyArray<readonly [path: RegExp, reason: string]> = [
  [/^\/chemical\/list\/chemicals\/search\/(contain|equal|start-with)\/\w+$/, "the path lacks a value"],
  [/\/search\/by-range\/\w+$/, "the path lacks values"],
  [/^\/chemical\/search\/by-msready-formula\/$/, "its recorded values are no formulas"],
  [/^\/chemical\/ghslink\/to-dtxsid\/$/, "the request is not recorded"]
]

const isLeft = ({ file, path, request_body, method, body }: Exchange): boolean =>
  left.some(([pattern]) => pattern.test(path)) ||
  // The bytes of some images are not recorded, and the reader refuses to send a batch that is no list.
  (file === "" && body === undefined) ||
  (method === "POST" && !request_body)

export const exchanges: ReadonlyArray<Exchange> = existsSync(recorded)
  ? JSON.parse(readFileSync(join(recorded, "index.json"), "utf8")).filter((one: Exchange) => !isLeft(one))
  : []

export const bodyOf = ({ body, file }: Exchange): Buffer =>
  file === "" ? Buffer.from(body ?? "") : readFileSync(join(answers, file))

export const targetOf = ({ path }: Exchange): URL => new URL(path, "http://service")

export const operationOf = (exchange: Exchange): Operation.Operation => {
  const { pathname } = targetOf(exchange)
  const operation = Rows.operations.find(
    ({ method, path, row }) =>
      method === exchange.method &&
      row.dialect !== undefined &&
      new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname)
  )
  if (operation === undefined) throw new Error(`no operation sends ${exchange.method} ${exchange.path}`)
  return operation
}

/** The values of the fields of the key, and the options of the call. */
export const callOf = (exchange: Exchange, { path, row }: Operation.Operation) => {
  const { pathname, searchParams } = targetOf(exchange)
  const segments = pathname.split("/").map(decodeURIComponent)
  const fields = Object.keys(row.key?.fields ?? {})
  const key = fields.map((name) => segments[path.split("/").indexOf(`{${name}}`)] ?? searchParams.get(name))
  const projection = searchParams.get("projection") ?? undefined
  const query = Object.fromEntries(Object.keys(row.query ?? {}).map((name) => [name, searchParams.get(name)]))
  return { key, query, projection }
}

const comparable = (url: URL, row: Row.Row): string => {
  // The name of a row's own form is not sent. The client requests all hits of a search.
  if (url.searchParams.get("projection") === row.form) url.searchParams.delete("projection")
  url.searchParams.delete("top")
  url.searchParams.sort()
  return `${decodeURIComponent(url.pathname)}?${url.searchParams}`
}

/** A service that has one response, to the recorded request alone. */
export const respondTo =
  (exchange: Exchange, row: Row.Row): Respond =>
  ({ body, method, url }) => {
    const isSame =
      method === exchange.method &&
      comparable(new URL(url, "http://service"), row) === comparable(targetOf(exchange), row) &&
      JSON.stringify(body ?? null) === JSON.stringify(JSON.parse(exchange.request_body || "null"))
    const type = exchange.content_type
    return isSame
      ? {
          status: exchange.status,
          body: bodyOf(exchange),
          headers: type === null ? {} : { "content-type": type }
        }
      : { status: 418, body: `{"detail":"not the recorded request: ${method} ${url}"}` }
  }

/** What the client returns: a value, or the tag of its error. */
export const expectedOf = (exchange: Exchange, operation: Operation.Operation): unknown => {
  const { key, projection } = callOf(exchange, operation)
  const { row } = operation
  const values = operation.batch === undefined ? [key.join(",")] : JSON.parse(exchange.request_body ?? "[]")
  const parse = operation.key?.parse
  if (parse !== undefined && values.some((value: string) => Result.isFailure(parse(value)))) {
    return "InvalidIdentifier"
  }
  const body = bodyOf(exchange)
  if (exchange.status !== 200 || body.length === 0) return "NotFound"
  if (row.get.body !== undefined) {
    return row.get.body === "bytes"
      ? { mediaType: exchange.content_type, size: body.length, base64: body.toString("base64") }
      : { mediaType: exchange.content_type, size: body.length, text: body.toString() }
  }
  const parsed = JSON.parse(body.toString())
  if (row.page !== undefined) return parsed.data
  if (operation.batch !== undefined || Row.isList(row, projection)) return parsed
  return Array.isArray(parsed) ? (parsed[0] ?? "NotFound") : parsed
}

export const compact = (record: RawRecord.RawRecord): string =>
  new TextDecoder().decode(RawRecord.toLine(record)).trim()

/** The lines of each value, as the response has them, with the key where they lack it. */
export const linesOf = (
  exchange: Exchange,
  row: Row.Row,
  id: string,
  isBatch: boolean,
  form: string | undefined
): ReadonlyArray<string> => {
  const body = bodyOf(exchange)
  const key = row.recordKey ?? row.key?.name ?? ""
  if (exchange.status !== 200 || body.length === 0) return []
  const own = `${JSON.stringify(key)}:${JSON.stringify(id)}`
  if (row.get.body !== undefined)
    return [`{${own},${JSON.stringify(expectedOf(exchange, operationOf(exchange))).slice(1)}`]
  // Every recorded page is empty.
  if (row.page !== undefined) return JSON.parse(body.toString()).data
  const isList = body.toString().trimStart().startsWith("[")
  const elements = isList ? Result.getOrThrow(RawArray.cut(body)) : [RawRecord.fromBytes(body)]
  const scalar = Row.scalarOf(row, form)
  return elements.flatMap((element) => {
    const text = compact(element)
    if (scalar !== undefined) return [`{"query":${JSON.stringify(id)},"${scalar}":${text}}`]
    const value = JSON.parse(text)[key]
    if (isBatch) return String(value) === id ? [text] : []
    return [value === undefined ? `{${own},${text.slice(1)}` : text]
  })
}

/** The exchanges, each with its request as a name. */
export const named = exchanges.map(
  (one) => [`${one.method} ${one.path} ${one.request_body ?? ""}`, one] as const
)
