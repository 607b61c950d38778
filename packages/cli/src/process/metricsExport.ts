/**
 * Exports the metrics of this process to Prometheus: on a port, or as a file for the textfile collector of its node exporter.
 *
 * The packages define the metrics. `telemetryExport.ts` sends the same ones to a collector.
 */
import { readFileSync, statSync } from "node:fs"
import { Metrics } from "@chemstream/client"
import { WholeFile } from "@chemstream/ndjson/node"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Effect, Exit, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { CommandFailure } from "../CommandFailure.ts"
import { asWriteFailure } from "../output/outputPlace.ts"
import * as Messages from "../terminal/messages.ts"
import * as StatusServer from "./statusServer.ts"

/** The time between two writings of the file, in milliseconds. */
const writeEvery = 5000

/** Where the metrics go: the parsed flags. */
export interface Settings {
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly metricsFile: string | undefined
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
    if (metricsFile !== undefined) yield* writeFiles(metricsFile, format)
    if (metricsPort === undefined) return
    const url = yield* StatusServer.serve(
      { host: metricsHost, port: metricsPort, what: "metrics" },
      { "/metrics": async () => ({ status: 200, type: "text/plain; version=0.0.4", body: format() }) }
    )
    Messages.say(`metrics at ${url}/metrics\n`)
  })

/**
 * Writes the file now, regularly, and when the scope closes. Prometheus never reads a part of it. The time of the last success is that of
 * the earlier file until this run succeeds, so an alert on it counts no failed run.
 */
const writeFiles = (file: string, format: () => string): Effect.Effect<void, CommandFailure, Scope.Scope> => {
  const encoder = new TextEncoder()
  const write = Effect.suspend(() => WholeFile.write(file, encoder.encode(format()))).pipe(
    Effect.provide(NodeServices.layer),
    asWriteFailure("the metrics (--metrics-file)")
  )
  const writeOrWarn = Effect.catch(write, ({ message }) => Effect.logWarning(message))
  return Effect.gen(function* () {
    const before = lastSuccessOf(file)
    if (before !== undefined) yield* Metrics.recordSuccess(before)
    yield* write
    yield* Effect.addFinalizer((exit) => Effect.andThen(recordSuccess(exit), writeOrWarn))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(writeEvery), writeOrWarn)))
  })
}

/** Returns the time of the last success in a file of an earlier run, if it has one. */
const lastSuccessOf = (file: string): number | undefined => {
  try {
    const text = statSync(file).isFile() ? readFileSync(file, "utf8") : ""
    return Number(/^chemstream_run_last_success_timestamp_seconds (\d+)$/m.exec(text)?.[1]) || undefined
  } catch {
    // There is no earlier file, or the writing of this one says why it cannot be opened.
    return undefined
  }
}

const recordSuccess = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
  Exit.isSuccess(exit)
    ? Effect.flatMap(Clock.currentTimeMillis, (now) => Metrics.recordSuccess(Math.floor(now / 1000)))
    : Effect.void
