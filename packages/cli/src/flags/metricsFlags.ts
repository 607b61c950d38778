/**
 * The flags that export the metrics of a command. `process/metricsExport.ts` exports them, and is loaded only if one is given.
 */
import { Effect, type Scope } from "effect"
import { Flag } from "effect/cli"
import type { CommandFailure } from "../CommandFailure.ts"
import * as FileCheck from "../output/fileCheck.ts"
import { hasCollector } from "../process/hasCollector.ts"
import type { Settings } from "../process/metricsExport.ts"
import { optional, optionalText, port } from "./flagTypes.ts"
import * as ServerAddress from "./serverAddress.ts"

export const flags = {
  metricsPort: port("metrics-port").pipe(
    Flag.withDescription("Port on which Prometheus reads /metrics; 0 for a free one [default: none]"),
    optional
  ),
  metricsHost: ServerAddress.hostOfPort("metrics"),
  metricsFile: optionalText(
    "metrics-file",
    "FILE",
    "File of the metrics for the textfile collector of Prometheus, e.g. run.prom, written every five seconds and at the end [default: none]"
  )
}

export type { Settings }

/** Exports nothing. */
export const none: Settings = {
  metricsPort: undefined,
  metricsHost: ServerAddress.loopback,
  metricsFile: undefined
}

/** The files that the flags name. */
export const files = ({ metricsFile }: Pick<Settings, "metricsFile">): ReadonlyArray<FileCheck.Use> =>
  FileCheck.replaced("--metrics-file", metricsFile).map((use) => ({ ...use, isWritten: true }))

/** A command may make several clients, and its process has one set of metrics. */
let isExporting = false

/** Whether anything reads the metrics of this process. */
export const isRead = (): boolean => isExporting || hasCollector

/** Exports until the scope closes. */
export const start = (settings: Settings): Effect.Effect<void, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (isExporting || (settings.metricsFile === undefined && settings.metricsPort === undefined)) return
    isExporting = true
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isExporting = false
      })
    )
    const MetricsExport = yield* Effect.promise(() => import("../process/metricsExport.ts"))
    yield* MetricsExport.start(settings)
  })
