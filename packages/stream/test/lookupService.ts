/**
 * A scripted service on loopback, and a lookup that runs against it.
 */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { InvalidOption } from "@chemstream/batch"
import { ChemClient, type ChemError, RetryPolicy } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { type Identifiers, Lookup, type Outcome } from "@chemstream/stream"
import { Effect, Layer, Redacted, type Result, type Scope, Stream } from "effect"
import { FetchHttpClient } from "effect/http"

/** A request: path and query as sent, and the values of a batch. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

export interface ScriptedResponse {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type Respond = (asked: ReceivedRequest) => ScriptedResponse

export const ok = (body: string): ScriptedResponse => ({ status: 200, body })

const startServer = (respond: Respond) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const text = Buffer.concat(chunks).toString()
          const { body, headers, status } = respond({
            method: request.method ?? "",
            url: request.url ?? "",
            body: text === "" ? undefined : /^[[{"]/.test(text) ? JSON.parse(text) : text.split("\n")
          })
          response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  )

/** Makes a client of a scripted service. It retries a failed call once. */
export const clientOf = (
  respond: Respond,
  settings: Pick<ChemClient.Settings, "dialect"> = {}
): Effect.Effect<Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption>, never, Scope.Scope> =>
  Effect.map(startServer(respond), (server) =>
    ChemClient.layer({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: Redacted.make("key"),
      retry: RetryPolicy.make({ attempts: 2, baseDelay: 1 }),
      ...settings
    }).pipe(Layer.provide(FetchHttpClient.layer))
  )

type RunFailure = ChemError.ChemError | InvalidOption.InvalidOption | InvalidOption.InvalidOption

const inputOf = (
  ids: ReadonlyArray<string | Identifiers.Identifier>
): Stream.Stream<Identifiers.Identifier> =>
  Stream.fromIterable(ids.map((id, at) => (typeof id === "string" ? { text: id, line: at + 1 } : id)))

/** Returns the outcomes of a lookup, or the error that stopped it. */
export const run = <R>(
  respond: Respond,
  lookup: Lookup.Lookup<R>,
  ids: ReadonlyArray<string | Identifiers.Identifier>,
  options: Lookup.Options = {}
): Promise<Result.Result<ReadonlyArray<Outcome.Outcome<R, ChemError.ChemError>>, RunFailure>> =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond)
    return yield* Lookup.outcomes(inputOf(ids), lookup, options).pipe(
      Stream.runCollect,
      Effect.result,
      Effect.provide(client)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

/** Returns the outcomes of a lookup that finishes. */
export const outcomesOf = async <R>(
  respond: Respond,
  lookup: Lookup.Lookup<R>,
  ids: ReadonlyArray<string | Identifiers.Identifier>,
  options?: Lookup.Options
): Promise<ReadonlyArray<Outcome.Outcome<R, ChemError.ChemError>>> => {
  const result = await run(respond, lookup, ids, options)
  if (result._tag === "Failure") throw result.failure
  return result.success
}

/** Describes an outcome in short: the identifier and records of a found one, otherwise its tag and identifier. */
export const short = (outcome: Outcome.Outcome<RawRecord.RawRecord, unknown>): unknown =>
  outcome._tag === "Found"
    ? [outcome.id, ...outcome.records.map(RawRecord.toText)]
    : `${outcome._tag} ${outcome.id}`
