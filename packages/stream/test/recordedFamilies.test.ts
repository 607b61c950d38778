/**
 * Every recorded exchange of the families that the public service alone has, sent by the client and by the lookups: the
 * client returns the parsed response, and a lookup the text of its records.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Operation, Row, Rows } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, type Respond } from "./lookupService.ts"

const recorded = join(import.meta.dirname, "../../../../shared/real/rest")

interface Exchange {
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

const exchanges: ReadonlyArray<Exchange> = existsSync(recorded)
  ? JSON.parse(readFileSync(join(recorded, "index.json"), "utf8")).filter((one: Exchange) => !isLeft(one))
  : []

const bodyOf = ({ body, file }: Exchange): Buffer =>
  file === "" ? Buffer.from(body ?? "") : readFileSync(join(recorded, "answers", file))

const targetOf = ({ path }: Exchange): URL => new URL(path, "http://service")

const operationOf = (exchange: Exchange): Operation.Operation => {
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
const callOf = (exchange: Exchange, { path, row }: Operation.Operation) => {
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
const respondTo =
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
const expectedOf = (exchange: Exchange, operation: Operation.Operation): unknown => {
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

type Call = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, { readonly _tag: string }>

const callsOf = (exchange: Exchange, operation: Operation.Operation) => {
  const { batch, row } = operation
  const { key, projection, query } = callOf(exchange, operation)
  const options = projection === undefined ? [] : [{ projection }]
  const values = batch === undefined ? key : [JSON.parse(exchange.request_body ?? "[]")]
  return Effect.map(ChemClient.ChemClient, (client) => {
    const group = client[Operation.groupOf(row.name) as "hazard"] as unknown as Readonly<Record<string, Call>>
    const named = (method: string, ...more: ReadonlyArray<unknown>) =>
      (group[method] as Call)(...values, ...more)
    const method = Operation.methodOf(operation.name)
    if (row.page !== undefined) {
      const page = Effect.map(named(`${method}Page`), (one) => (one as { records: unknown }).records)
      const pages = client.endpoint(row).pages(key[0] as never)
      return [page, Effect.map(Stream.runCollect(pages), (all) => all.flatMap(({ records }) => records))]
    }
    const { batch: ofBatch, get } = client.endpoint(row) as unknown as {
      readonly batch: Call
      readonly get: Call
    }
    return [
      named(method, ...Object.values(query), ...options),
      batch === undefined ? get(key.join(","), { ...query, projection }) : ofBatch(values[0])
    ]
  })
}

const compact = (record: RawRecord.RawRecord): string =>
  new TextDecoder().decode(RawRecord.toLine(record)).trim()

/** The lines of each value, as the response has them, with the key where they lack it. */
const linesOf = (
  exchange: Exchange,
  row: Row.Row,
  id: string,
  isBatch: boolean,
  form: string | undefined
) => {
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

describe.skipIf(exchanges.length === 0).each(["ctx", "specification"] as const)(
  "in the dialect %s (skipped without ../shared/real/rest)",
  (dialect) => {
    const within = <A>(
      exchange: Exchange,
      use: Effect.Effect<A, unknown, ChemClient.ChemClient>
    ): Promise<A> =>
      Effect.gen(function* () {
        const client = yield* clientOf(respondTo(exchange, operationOf(exchange).row), { dialect })
        return yield* Effect.provide(use, client)
      }).pipe(Effect.scoped, Effect.runPromise)

    const named = exchanges.map(
      (one) => [`${one.method} ${one.path} ${one.request_body ?? ""}`, one] as const
    )

    it.each(named)("the client returns the response to %s", (_, exchange) => {
      const operation = operationOf(exchange)
      return within(
        exchange,
        Effect.gen(function* () {
          const calls = yield* callsOf(exchange, operation)
          const results = yield* Effect.forEach(calls, (call) =>
            Effect.match(call, { onSuccess: (value) => value, onFailure: ({ _tag }) => _tag as unknown })
          )
          const expected = expectedOf(exchange, operation)
          expect(results).toEqual([expected, expected])
        })
      )
    })

    const ofLookups = named.filter(([, exchange]) => {
      const operation = operationOf(exchange)
      const { batch, row } = operation
      const hasOwnForm = row.forms?.[callOf(exchange, operation).projection ?? ""]?.answer !== undefined
      return row.key !== undefined && (batch !== undefined || row.batch === undefined || hasOwnForm)
    })

    it.each(ofLookups)("the records of a lookup are those of the response to %s", (_, exchange) => {
      const operation = operationOf(exchange)
      const { batch, row } = operation
      const { key, projection, query } = callOf(exchange, operation)
      const ids: ReadonlyArray<string> =
        batch === undefined ? [key.join(",")] : JSON.parse(exchange.request_body ?? "")
      const lookup = Lookup.of(row, {
        ...query,
        ...(Object.hasOwn(row.forms ?? {}, projection ?? "") ? { projection } : {})
      } as object)
      const outcomeOf = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): unknown =>
        outcome._tag === "Found" ? outcome.records.map(compact) : outcome._tag
      return within(
        exchange,
        Effect.gen(function* () {
          const input = Stream.fromIterable(ids.map((text, at) => ({ text, line: at + 1 })))
          const outcomes = yield* Stream.runCollect(Lookup.outcomes(input, lookup))
          const expected = ids.map((id) => {
            if (Result.isFailure(lookup.parse(id))) return "Invalid"
            const lines = linesOf(exchange, row, id, batch !== undefined, projection)
            return lines.length === 0 ? "Missing" : lines
          })
          expect(outcomes.map(outcomeOf)).toEqual(expected)
        })
      )
    })
  }
)
