import { Context, Effect, Exit, Metric, Stream, Tracer } from "effect"
import { describe, expect, it } from "vitest"
import { Batch, Metrics } from "../src/index.ts"

/** Runs an effect with metrics and a tracer of its own. Returns the values of its series, and the names of its spans. */
const observe = async <A, E>(effect: Effect.Effect<A, E>) => {
  const registry = new Map()
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const exit = await Effect.runPromiseExit(
    effect.pipe(
      Effect.provideService(Metric.MetricRegistry, registry),
      Effect.provideService(Tracer.Tracer, tracer)
    )
  )
  const series = () =>
    Object.fromEntries(
      Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).map(
        ({ attributes, id, state }) => [
          [id.replace("chemstream_run_", ""), ...Object.values(attributes ?? {})].join(" "),
          Number("count" in state ? state.count : "value" in state ? state.value : undefined)
        ]
      )
    )
  return { exit, series: series(), spans }
}

const run = (
  call: (
    keys: ReadonlyArray<string>
  ) => Promise<{ readonly records: ReadonlyArray<{ readonly key: string; readonly record: string }> }>
) =>
  Stream.runDrain(
    Batch.outcomes(Stream.make("a", "b", "a", "c", "d"), {
      size: 2,
      call
    })
  )

describe("the metrics of a run", () => {
  it("count the items by outcome, records, batches and retries", async () => {
    const { exit, series } = await observe(
      run(async (keys) => ({
        records: keys.filter((key) => key !== "d").map((key) => ({ key, record: key }))
      }))
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    expect(series).toMatchObject({
      "items_total found": 3,
      "items_total missing": 1,
      "items_total duplicate": 1,
      records_total: 3,
      batches_total: 2,
      batches_in_flight: 0,
      batch_size_items: 2
    })
  })

  it("show a batch in flight, and none after an interruption", async () => {
    let inFlight: unknown
    const { series } = await observe(
      Effect.contextWith((context: Context.Context<never>) =>
        Effect.timeoutOption(
          run((keys) => {
            inFlight = Metric.snapshotUnsafe(context).find(
              ({ id }) => id === "chemstream_run_batches_in_flight"
            )?.state
            return keys.includes("a")
              ? new Promise(() => {})
              : Promise.resolve({ records: keys.map((key) => ({ key, record: key })) })
          }),
          "50 millis"
        )
      )
    )
    expect(inFlight).toEqual({ value: expect.any(Number) })
    expect((inFlight as { readonly value: number }).value).toBeGreaterThan(0)
    expect(series).toMatchObject({ batches_in_flight: 0 })
  })

  it("are known at zero when they are registered, and show the progress that is recorded", async () => {
    const { series } = await observe(
      Effect.andThen(Metrics.register, Metrics.recordProgress({ done: 2, total: 10, remaining: undefined }))
    )
    expect(series).toMatchObject({
      "items_total failed": 0,
      "waiting_calls throttled": 0,
      "waiting_calls unavailable": 0,
      expected_items: 10,
      done_items: 2,
      expected_end_timestamp_seconds: 0
    })
  })

  it("count the calls that wait, by the reason", async () => {
    let calls = 0
    const waiting = (context: Context.Context<never>) =>
      Metric.snapshotUnsafe(context).flatMap(({ attributes, id, state }) =>
        id === "chemstream_run_waiting_calls" && "value" in state && state.value === 1
          ? [attributes?.["reason"]]
          : []
      )
    const { exit, series } = await observe(
      Effect.contextWith((context: Context.Context<never>) => {
        const isWaiting = Effect.map(Effect.yieldNow, () => waiting(context))
        const outcomes = Batch.outcomes(Stream.make("a", "b"), {
          size: 1,
          call: async (keys) => {
            if (++calls === 1) throw { status: 429, retryAfter: "50 millis" }
            return { records: keys.map((key) => ({ key, record: key })) }
          }
        })
        return Effect.all(
          [Stream.runDrain(outcomes), Effect.repeat(isWaiting, { until: (all) => all.length > 0 })],
          {
            concurrency: 2
          }
        )
      })
    )
    expect(exit).toEqual(Exit.succeed([undefined, ["throttled"]]))
    expect(series).toMatchObject({ "items_total found": 2, "waiting_calls throttled": 0 })
  })
})

describe("the spans of a run", () => {
  it("are one for each batch, with its size", async () => {
    const { spans } = await observe(
      run(async (keys) => ({ records: keys.map((key) => ({ key, record: key })) }))
    )
    expect(spans.map(({ attributes, name }) => [name, attributes.get("chemstream.batch_size")])).toEqual([
      ["chemstream.batch", 2],
      ["chemstream.batch", 2]
    ])
  })
})
