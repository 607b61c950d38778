/**
 * Looks up substances with Effect, in a service in this process, and writes their detail records as NDJSON.
 *
 * The command does the same: chemstream details DTXSID7020182 DTXSID2099900001 DTXSID3039242 --projection compact
 */
import { ChemClient } from "@chemstream/client"
import { Ndjson } from "@chemstream/ndjson"
import { Bundled, Service } from "@chemstream/service"
import { Details, Identifiers, Lookup } from "@chemstream/stream"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Layer, Redacted, Stream } from "effect"

const apiKey = Redacted.make("any-key-will-do-here")

/** The bundled service in this process. For a real one, give its URL and your key to `ChemClient.layer`. */
const client = Layer.unwrap(
  Effect.gen(function* () {
    const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
    return ChemClient.layer({ baseUrl: service.url, apiKey })
  })
).pipe(Layer.provide(NodeHttpClient.layerUndici))

const program = Identifiers.fromIterable(["DTXSID7020182", "DTXSID3039242", "DTXSID2099900001"]).pipe(
  Lookup.outcomes(Details.byDtxsid({ projection: "compact" })),
  Stream.tap((outcome) =>
    outcome._tag === "Found" ? Effect.void : Effect.sync(() => console.error(outcome._tag, outcome.id))
  ),
  Stream.flatMap((outcome) => Stream.fromIterable(outcome._tag === "Found" ? outcome.records : [])),
  Ndjson.encodeRaw(),
  Stream.runForEach((bytes) => Effect.sync(() => process.stdout.write(bytes)))
)

await Effect.runPromise(Effect.provide(program, client))
