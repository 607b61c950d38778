/** Whether the environment names an OpenTelemetry collector. `telemetryExport.ts` sends to it. */
export const hasCollector: boolean = Object.keys(process.env).some((name) =>
  /^OTEL_EXPORTER_OTLP_([A-Z]+_)?ENDPOINT$/.test(name)
)
