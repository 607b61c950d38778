import { Batch, Ledger, Outcome } from "@chemstream/batch"
import { Clock, Effect, Fiber, Schedule, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as VirtualClock from "./virtualClock.ts"

type AnyOutcome = Outcome.Outcome<unknown, unknown, unknown, unknown>

const short = (outcome: AnyOutcome): string =>
  outcome._tag === "Failed" ? `failed: ${(outcome.error as Error).message}` : outcome._tag

const echo = async (keys: ReadonlyArray<string>) => ({
  records: keys.map((key) => ({ key, record: key }))
})

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `k${at}`)

/** Runs a program on a clock that skips its waits. */
const inVirtualTime = <A, E>(program: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provideService(program, Clock.Clock, VirtualClock.make()))

describe("the signal of a call", () => {
  const interruptedSignal = (
    start: (
      call: (keys: ReadonlyArray<string>, context: Batch.CallContext) => Promise<never>
    ) => Effect.Effect<unknown, unknown>
  ) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const calling = yield* Effect.callback<AbortSignal>((resume) => {
          const run = start((_, { signal }) => {
            resume(Effect.succeed(signal))
            return new Promise(() => {})
          })
          fiber = Effect.runFork(run)
        })
        expect(calling.aborted).toBe(false)
        yield* Fiber.interrupt(fiber as Fiber.Fiber<unknown, unknown>)
        return calling.aborted
      })
    )
  let fiber: Fiber.Fiber<unknown, unknown> | undefined

  it("aborts when a stream of items is interrupted", async () => {
    const isAborted = await interruptedSignal((call) =>
      Stream.runDrain(Batch.outcomes(Stream.make("a"), { call }))
    )
    expect(isAborted).toBe(true)
  })

  it("aborts when a request of a batcher is interrupted", async () => {
    const batcher = Batch.make({})
    expect(await interruptedSignal((call) => batcher.request(["a"], call))).toBe(true)
  })

  it("does not abort when the call has its result", async () => {
    const signals: Array<AbortSignal> = []
    await Effect.runPromise(
      Batch.make({}).request(["a"], (keys, { signal }) => {
        signals.push(signal)
        return echo(keys)
      })
    )
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })
})

describe("a call that throws", () => {
  it("is classified like one that rejects", async () => {
    const seen: Array<unknown> = []
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.make("a", "b", "c"), {
          call: (keys) => {
            if (keys.includes("b")) throw new Error("b is bad")
            return echo(keys)
          },
          classify: (error: Error) => {
            seen.push(error.message)
            return "isolate"
          }
        })
      )
    )
    expect(outcomes.map(short)).toEqual(["Found", "failed: b is bad", "Found"])
    expect(new Set(seen)).toEqual(new Set(["b is bad"]))
  })
})

/** A service that accepts 2 calls a second, and responds to any other with 429. */
const limitedService = (errorOf: (retryAfter: number) => unknown) => {
  let windowEnd = 0
  let inWindow = 0
  let refusals = 0
  const call = (keys: ReadonlyArray<string>) =>
    Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      if (now >= windowEnd) {
        windowEnd = now + 1000
        inWindow = 0
      }
      if (++inWindow <= 2) return Effect.promise(() => echo(keys))
      refusals++
      return Effect.fail(errorOf(windowEnd - now))
    })
  return { call, refusals: () => refusals }
}

describe("an error that asks to wait", () => {
  it.each([
    ["status 429", () => Object.assign(new Error("too many requests"), { status: 429 })],
    ["retryAfter in milliseconds", (retryAfter: number) => Object.assign(new Error("wait"), { retryAfter })],
    ["retryAfter as text", (wait: number) => ({ message: "wait", retryAfter: `${wait} millis` })],
    ["retryAfter in the seconds of a header", () => ({ message: "wait", retryAfter: "1" })],
    ["status 429 and a useless retryAfter", () => ({ message: "wait", status: 429, retryAfter: "soon" })]
  ])("is understood without settings: %s", async (_, errorOf) => {
    const service = limitedService(errorOf)
    const ledger = Ledger.make()
    const outcomes = await inVirtualTime(
      Stream.runCollect(
        Batch.outcomes(Stream.fromIterable(names(600)), { call: service.call, size: 20, ledger })
      )
    )
    expect(new Set(outcomes.map(short))).toEqual(new Set(["Found"]))
    expect(ledger).toMatchObject({ found: 600, failed: 0, batches: 30 })
    expect(service.refusals()).toBeGreaterThan(0)
  })

  it("is only an error for a `signal` that says so", async () => {
    const call = async (keys: ReadonlyArray<string>) => {
      if (keys.includes("k1")) throw Object.assign(new Error("too many requests"), { status: 429 })
      return echo(keys)
    }
    const outcomes = await Effect.runPromise(
      Stream.runCollect(Batch.outcomes(Stream.fromIterable(names(3)), { call, signal: () => "responded" }))
    )
    expect(outcomes.map(short)).toEqual(["Found", "failed: too many requests", "Found"])
  })
})

describe("the number of attempts", () => {
  it.each([
    [3, 3],
    [{ attempts: 3 }, 3],
    [1, 1],
    [{ attempts: 1 }, 1],
    [{}, 1],
    [Schedule.recurs(1), 2]
  ] as const)("of `retry` %j is %i", async (retry, expected) => {
    const starts: Array<number> = []
    const outcomes = await inVirtualTime(
      Stream.runCollect(
        Batch.outcomes(Stream.make("a"), {
          retry,
          classify: (): Batch.Verdict => "fail",
          call: () =>
            Effect.clockWith((clock) => {
              starts.push(clock.currentTimeMillisUnsafe())
              return Effect.fail(new Error("always"))
            })
        })
      )
    )
    expect(outcomes.map(short)).toEqual(["failed: always"])
    expect(starts).toHaveLength(expected)
    if (expected === 3) {
      const [first = 0, second = 0, third = 0] = starts
      expect(second - first).toBeGreaterThanOrEqual(400)
      expect(second - first).toBeLessThanOrEqual(600)
      expect(third - second).toBeGreaterThanOrEqual(800)
      expect(third - second).toBeLessThanOrEqual(1200)
    }
  })

  it.each([[0], [1.5], ["3"], [{ attempts: 0 }], [{ attempt: 3 }]])("is not %j", async (retry) => {
    const run = Stream.runDrain(Batch.outcomes(Stream.make("a"), { call: echo, retry: retry as number }))
    expect(await Effect.runPromise(Effect.flip(run))).toMatchObject({
      _tag: "InvalidOption",
      option: expect.stringMatching(/^retry/)
    })
  })
})

describe("Outcome.describe", () => {
  class Silent extends Error {
    override readonly name = "Silent"
  }
  const loop: { self?: unknown } = {}
  loop.self = loop

  it.each([
    [new Error("refused"), "refused"],
    ["refused", "refused"],
    [new Silent(""), "Silent"],
    [new Error("  "), "Error"],
    [{ _tag: "Refused", message: "" }, "Refused"],
    [new AggregateError([new Error("connect ECONNREFUSED ::1:9")]), "connect ECONNREFUSED ::1:9"],
    [new AggregateError([]), "AggregateError"],
    [Object.assign(new Error(""), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
    [{ status: 500 }, '{"status":500}'],
    [undefined, "undefined"],
    ["", "no reason was given"],
    [loop, "an error without a message"]
  ])("says the reason of %j: %s", (error, expected) => {
    const failed = { _tag: "Failed", key: "a", item: "a", error, records: undefined } as const
    expect(Outcome.describe(failed)).toBe(`failed: a: ${expected}`)
    expect(Outcome.describe({ _tag: "Invalid", item: "a", reason: error })).toBe(`invalid: a: ${expected}`)
  })

  it.each([
    [{ n: 3 }, '{"n":3}'],
    [{ toString: () => "three" }, "three"],
    [3, "3"]
  ])("shows the invalid item %o as %s", (item, shown) => {
    expect(Outcome.describe({ _tag: "Invalid", item, reason: "no key" })).toBe(`invalid: ${shown}: no key`)
  })
})
