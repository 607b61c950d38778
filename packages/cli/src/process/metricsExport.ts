/**
 * Exports the metrics of this process to Prometheus: on a port, or as a file for the textfile collector of its node exporter.
 *
 * The packages define the metrics. `otlp.ts` sends the same ones to a collector.
 */
import { Metrics } from "@chemstream/client"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Option, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { CommandFailure } from "../CommandFailure.ts"
import { asWriteFailure } from "../output/outputPlace.ts"
import * as Messages from "../terminal/messages.ts"
import * as StatusServer from "./statusServer.ts"

/** The time between two writings of the file, in milliseconds. */
const writeEvery = 5000

/** Where the metrics go: the parsed flags. */
export interface Settings {
  readonly metricsPort: Option.Option<number>
  readonly metricsHost: string
  readonly metricsFile: Option.Option<string>
}

/** Exports until the scope closes. The metrics are known, at zero, before the first request. */
export const start = ({
  metricsFile,
  metricsHost,
  metricsPort
}: Settings): Effect.Effect<void, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Metrics.register
    const services = yield* Effect.context<never>()
    const format = (): string => PrometheusMetrics.formatUnsafe(services)
    if (Option.isSome(metricsFile)) yield* writeFiles(metricsFile.value, format)
    if (Option.isNone(metricsPort)) return
    const url = yield* StatusServer.serve(
      { host: metricsHost, port: metricsPort.value, what: "metrics" },
      { "/metrics": async () => ({ status: 200, type: "text/plain; version=0.0.4", body: format() }) }
    )
    Messages.say(`metrics at ${url}/metrics\n`)
  })

/** Writes the file now, regularly, and when the scope closes. Prometheus never reads a part of it. */
const writeFiles = (file: string, format: () => string): Effect.Effect<void, CommandFailure, Scope.Scope> => {
  const encoder = new TextEncoder()
  const write = Effect.suspend(() => WholeFile.write(file, encoder.encode(format()))).pipe(
    Effect.provide(NodeServices.layer),
    asWriteFailure("the metrics (--metrics-file)")
  )
  const writeOrWarn = Effect.catch(write, ({ message }) => Effect.logWarning(message))
  return Effect.gen(function* () {
    yield* write
    yield* Effect.addFinalizer(() => writeOrWarn)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(writeEvery), writeOrWarn)))
  })
}
