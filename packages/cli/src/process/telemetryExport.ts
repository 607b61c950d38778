/**
 * Sends the spans, metrics and log messages of this process to an OpenTelemetry collector, as the usual `OTEL_*` variables say.
 *
 * It is loaded only if one of them names a collector.
 */
import { ConfigProvider, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { version } from "../version.ts"

const { env } = process

/** The defaults of OpenTelemetry. */
const defaults = {
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp"
}

const isNamed =
  env["OTEL_SERVICE_NAME"] !== undefined ||
  /(^|,)\s*service\.name=/.test(env["OTEL_RESOURCE_ATTRIBUTES"] ?? "")

/** Exports until the scope of the layer closes, and then what is left. */
export const layer: Layer.Layer<never> = Otlp.layerFromConfig({
  resource: { ...(isNamed ? {} : { serviceName: "chemstream" }), serviceVersion: version }
}).pipe(
  Layer.provide([
    env["OTEL_EXPORTER_OTLP_PROTOCOL"] === "http/json"
      ? OtlpSerialization.layerJson
      : OtlpSerialization.layerProtobuf,
    FetchHttpClient.layer,
    ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...defaults, ...env }))
  ])
)
