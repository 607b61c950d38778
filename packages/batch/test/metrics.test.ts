import { Context, Effect, Exit, Metric, Stream, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { Batch, Ledger, Metrics } from "../src/index.ts"

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

describe("a recorder", () => {
  it("adds each count of a ledger since it was made, once", async () => {
    const { series } = await observe(
      Effect.gen(function* () {
        const ledger = { ...Ledger.make(), found: 100, batches: 100 }
        const record = Metrics.recorder(ledger)
        Object.assign(ledger, { found: 101, missing: 2, failed: 3, duplicates: 4, invalid: 5, records: 6 })
        Object.assign(ledger, { surplus: 7, batches: 108, retries: 9, inFlight: 3, batchSize: 50 })
        yield* record
        yield* record
        Object.assign(ledger, { found: 103, inFlight: 1, batchSize: 25 })
        yield* record
      })
    )
    expect(series).toEqual({
      "items_total found": 3,
      "items_total missing": 2,
      "items_total failed": 3,
      "items_total duplicate": 4,
      "items_total invalid": 5,
      records_total: 6,
      surplus_records_total: 7,
      batches_total: 8,
      retries_total: 9,
      batches_in_flight: 1,
      batch_size_items: 25
    })
  })

  it("subtracts nothing when a ledger takes items back", async () => {
    const { series } = await observe(
      Effect.gen(function* () {
        const ledger = { ...Ledger.make(), found: 5 }
        const record = Metrics.recorder(ledger)
        ledger.found = 3
        yield* record
        ledger.found = 4
        yield* record
      })
    )
    expect(series).toMatchObject({ "items_total found": 1 })
  })
})

describe("a recorded time", () => {
  const at = (millis: number, effect: Effect.Effect<void>) =>
    observe(Effect.provide(Effect.andThen(TestClock.setTime(millis), effect), TestClock.layer()))

  it("is the end of a run at its present rate, in whole seconds, or 0", async () => {
    const known = await at(10_400, Metrics.recordProgress({ done: 2, total: undefined, remaining: 5300 }))
    expect(known.series).toEqual({ expected_items: 0, done_items: 2, expected_end_timestamp_seconds: 16 })
    const now = await at(10_400, Metrics.recordProgress({ done: 9, total: 9, remaining: 0 }))
    expect(now.series).toEqual({ expected_items: 9, done_items: 9, expected_end_timestamp_seconds: 10 })
  })

  it("is that of the last success, and absent before the first", async () => {
    expect((await observe(Metrics.register)).series).not.toHaveProperty("last_success_timestamp_seconds")
    const { series } = await observe(Effect.andThen(Metrics.recordSuccess(5), Metrics.recordSuccess(9)))
    expect(series).toEqual({ last_success_timestamp_seconds: 9 })
  })
})

describe("an effect that waits", () => {
  it("counts as a waiting call until it ends, fails or is interrupted", async () => {
    for (const end of [Effect.void, Effect.fail("down"), Effect.interrupt] as ReadonlyArray<
      Effect.Effect<void, string>
    >) {
      const during: Array<unknown> = []
      const { series } = await observe(
        Effect.contextWith((context: Context.Context<never>) => {
          const look = Effect.sync(() => {
            for (const { attributes, state } of Metric.snapshotUnsafe(context))
              if ("value" in state) during.push([attributes?.["reason"], state.value])
          })
          return Metrics.whileWaiting("unavailable", Effect.andThen(look, end))
        })
      )
      expect(during).toEqual([["unavailable", 1]])
      expect(series).toEqual({ "waiting_calls unavailable": 0 })
    }
  })
})

describe("an unobserved effect", () => {
  it("has no metrics and no spans", async () => {
    const call = async (keys: ReadonlyArray<string>) => ({
      records: keys.map((key) => ({ key, record: key }))
    })
    const { exit, series, spans } = await observe(Metrics.unobserved(run(call)))
    expect(Exit.isSuccess(exit)).toBe(true)
    expect({ series, spans }).toEqual({ series: {}, spans: [] })
  })
})

describe("a wrong argument of the metrics", () => {
  it.each([
    ["at", () => Metrics.recordSuccess(-1)],
    ["ledger", () => Metrics.recorder({} as never)],
    ["reason", () => Metrics.recordWait(1, "tired" as never, Context.empty())],
    ["context", () => Metrics.recordWait(1, "throttled", {} as never)],
    ["effect", () => Effect.runSync(Metrics.unobserved(5 as never))],
    ["effect", () => Effect.runSync(Metrics.withSpan("a", {})(5 as never))],
    ["effect", () => Effect.runSync(Metrics.whileWaiting("throttled", 5 as never))],
    ["progress", () => Effect.runSync(Metrics.recordProgress({} as never))]
  ])("is refused by its name: %s", (name, use) => {
    expect(use).toThrow(`The argument ${name} `)
  })
})
