// The client whose responses the cache of the fixtures holds.
import { ChemClient, RetryPolicy } from "@chemstream/client"
import { DiskCache, Transport } from "@chemstream/client/node"
import { Effect, Layer, Redacted } from "effect"
import * as Gateway from "./Gateway.ts"

/** A substance that the service knows, and one that it does not know. */
export const known = "DTXSID00100000001"
export const unknown = "DTXSID0020232"

/** Requests a batch with details, and one identifier that the service does not know. */
export const ask = (
  file: string,
  proxy: string
): Effect.Effect<{ readonly found: ReadonlyArray<unknown>; readonly missing: string }, unknown> =>
  Effect.gen(function* () {
    const store = yield* DiskCache.make({ file })
    const layer = ChemClient.layer({
      baseUrl: Gateway.baseUrl,
      apiKey: Redacted.make(Gateway.key),
      cache: { store },
      retry: RetryPolicy.never
    }).pipe(Layer.provide(Transport.layer({ proxy })))
    return yield* Effect.gen(function* () {
      const client = yield* ChemClient.ChemClient
      const found = yield* client.details.byDtxsidBatch([known, unknown])
      const missing = yield* Effect.flip(client.details.byDtxsid(unknown))
      return { found, missing: missing._tag }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)
