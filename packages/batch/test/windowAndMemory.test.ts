/** How long an item waits for its batch to fill, how many batches are in memory, and what a run counts while calls wait. */
import { Availability, Batch, Ledger } from "@chemstream/batch"
import { Effect, Fiber, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as MonotonicClock from "../src/MonotonicClock.ts"
import * as VirtualClock from "./virtualClock.ts"

describe("the window of a run", () => {
  /** Runs over items that arrive at these milliseconds. Returns the calls: their keys, and their times. */
  const callsOf = async (times: ReadonlyArray<number>, window: string | undefined) => {
    const calls: Array<string> = []
    const items = Stream.mapEffect(Stream.fromIterable(times), (at) =>
      Effect.gen(function* () {
        const now = yield* MonotonicClock.currentMillis
        if (at > now) yield* Effect.sleep(at - now)
        return String(at)
      })
    )
    const outcomes = Batch.outcomes(items, {
      size: 2,
      window: window as never,
      call: (keys) =>
        Effect.map(MonotonicClock.currentMillis, (now) => {
          calls.push(`${keys.join("+")} at ${Math.round(now)}`)
          return { records: keys.map((key) => ({ key, record: key })) }
        })
    })
    expect(await VirtualClock.run(Stream.runCount(outcomes))).toBe(times.length)
    return calls
  }

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<string>]>([
    [
      "the first item of each batch waits for it",
      [0, 3000, 9000],
      ["0 at 1000", "3000 at 4000", "9000 at 9000"]
    ],
    ["a full batch does not wait", [0, 500, 9000], ["0+500 at 500", "9000 at 9000"]],
    [
      "it begins anew after a full batch",
      [0, 500, 600, 9000],
      ["0+500 at 500", "600 at 1600", "9000 at 9000"]
    ]
  ])("is the longest wait for a batch to fill: %s", async (_, times, calls) => {
    expect(await callsOf(times, "1 second")).toEqual(calls)
  })

  it("has no end by default", async () => {
    expect(await callsOf([0, 3000, 9000], undefined)).toEqual(["0+3000 at 3000", "9000 at 9000"])
  })
})

describe("the batches in memory", () => {
  it.each([
    [1, 2],
    [4, 5],
    [5, 7],
    [8, 10]
  ])("are those of %i calls and a quarter more: %i", async (concurrency, most) => {
    const ledger = Ledger.make()
    const outcomes = Batch.outcomes(Stream.range(1, 100), {
      key: String,
      size: 1,
      concurrency,
      ledger,
      call: () => Effect.never
    })
    const read = await Effect.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Stream.runDrain(outcomes), { startImmediately: true })
        for (let turns = 0; turns < 400; turns++) yield* Effect.yieldNow
        const { read } = ledger
        yield* Fiber.interrupt(fiber)
        return read
      })
    )
    // One more has been read, and waits for a place.
    expect(read).toBe(most + 1)
  })
})

describe("a call that waits for the service", () => {
  it("is counted as waiting, and not as in flight", async () => {
    const ledger = Ledger.make()
    const counts: Array<readonly [waiting: number, inFlight: number]> = []
    let isUp = false
    const outcomes = Batch.outcomes(Stream.range(1, 3), {
      key: String,
      size: 1,
      ledger,
      signal: () => "unavailable",
      call: (keys) =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          if (current?.mode === "probe") counts.push([ledger.waiting, ledger.inFlight])
          if (counts.length > 1) isUp = true
          return isUp
            ? { records: keys.map((key) => ({ key, record: key })) }
            : yield* Effect.fail("unavailable")
        })
    })
    expect(await VirtualClock.run(Stream.runCount(outcomes))).toBe(3)
    // The second probe, of a service that is down.
    expect(counts[1]?.[0]).toBeGreaterThan(0)
    expect(counts[1]?.[1]).toBe(0)
    expect(ledger).toMatchObject({ waiting: 0, inFlight: 0 })
  })
})
