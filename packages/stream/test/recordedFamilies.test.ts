/**
 * Every recorded exchange of the families that the public service alone has, sent by the client and by the lookups: the
 * client returns the parsed response, and a lookup the text of its records.
 */
import { Operation } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf } from "./lookupService.ts"
import {
  callOf,
  compact,
  type Exchange,
  exchanges,
  expectedOf,
  linesOf,
  named,
  operationOf,
  respondTo
} from "./recordedExchanges.ts"

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
