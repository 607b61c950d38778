import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Bundled, Service } from "@chemstream/service"
import { Config, Effect, Layer, Redacted } from "effect"
import { Otlp } from "effect/observability"

const apiKey = Redacted.make("any-key-will-do-here")

/** The bundled service in this process. For a real one, give its URL and your key to `ChemClient.layer`. */
const client = Layer.unwrap(
  Effect.gen(function* () {
    const service = yield* Service.make({ database: Bundled.database, keys: [apiKey] })
    return ChemClient.layer({ baseUrl: service.url, apiKey })
  })
)

/** Exports spans, metrics and logs to an OTLP collector, e.g. of OpenTelemetry, Jaeger or Grafana. */
const telemetry = Layer.unwrap(
  Effect.gen(function* () {
    const baseUrl = yield* Config.String("OTEL_EXPORTER_OTLP_ENDPOINT").pipe(
      Config.withDefault("http://127.0.0.1:4318")
    )
    return Otlp.layerJson({ baseUrl, resource: { serviceName: "harvest" } })
  })
)

const program = Effect.gen(function* () {
  const { details } = yield* ChemClient.ChemClient
  const records = yield* details.byDtxsidBatch(["DTXSID7020182", "DTXSID3039242"], { projection: "compact" })
  const missing = yield* Effect.flip(details.byDtxsid("DTXSID2099900001"))
  console.log(records.length, missing._tag)
}).pipe(Effect.withSpan("harvest"))

// The layers export the rest when they close.
await Effect.runPromise(
  program.pipe(Effect.provide(Layer.merge(client, telemetry).pipe(Layer.provide(Transport.layer()))))
)
