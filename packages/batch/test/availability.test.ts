import { Availability, Batch, Ledger } from "@chemstream/batch"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

describe("Availability", () => {
  /** Makes a call whose first attempts fail with this signal. */
  const failing = (failure: Availability.Signal, until: number) => {
    let calls = 0
    const call = Effect.suspend(() => (++calls <= until ? Effect.fail(failure) : Effect.succeed(calls)))
    return { call, asked: { signal: (signal: Availability.Signal) => signal, probe: () => call } }
  }

  it("reports its state: available, unavailable while probes fail, available again", () =>
    Effect.gen(function* () {
      const availability = Availability.make({ wait: "1 minute" })
      const { asked, call } = failing("unavailable", 2)
      expect(yield* availability.state).toBe("available")
      const fiber = yield* Effect.forkChild(availability.call(call, asked), { startImmediately: true })
      expect(yield* availability.state).toBe("unavailable")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      expect(yield* availability.state).toBe("available")
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("makes calls wait for the time that a throttling service requests", () =>
    Effect.gen(function* () {
      const availability = Availability.make({ wait: "1 minute" })
      const { asked, call } = failing({ throttled: 3000 }, 1)
      const first = yield* Effect.forkChild(availability.call(call, asked), { startImmediately: true })
      const second = yield* Effect.forkChild(availability.call(Effect.succeed("second"), asked), {
        startImmediately: true
      })
      expect(yield* availability.state).toBe("throttled")
      yield* TestClock.adjust("2999 millis")
      expect([first.pollUnsafe(), second.pollUnsafe()]).toEqual([undefined, undefined])
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(first)).toBe(2)
      expect(yield* Fiber.join(second)).toBe("second")
      expect(yield* availability.state).toBe("available")
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("fails a call that is throttled for longer than `wait`", () =>
    Effect.gen(function* () {
      const { asked, call } = failing({ throttled: 3000 }, 99)
      const waiting = yield* Effect.forkChild(
        Effect.flip(Availability.make({ wait: "10 seconds" }).call(call, asked)),
        { startImmediately: true }
      )
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(waiting)).toEqual({ throttled: 3000 })
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))
})

/** Yields until all fibers that do not wait for the clock have run. */
const allThatIsReady = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })

describe("Batch.outcomes of a service that becomes unavailable", () => {
  /** A service that is unavailable for some seconds of the test clock, from its second call on. */
  const run = (seconds: number, availability: Availability.Options | undefined) =>
    Effect.gen(function* () {
      const ledger = Ledger.make()
      const asked: Array<ReadonlyArray<string>> = []
      const started = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const outcomes = Batch.outcomes(Stream.range(1, 40), {
        size: 10,
        ledger,
        availability,
        signal: (error: number) => (error === 503 ? "unavailable" : "responded"),
        call: (keys) =>
          Effect.gen(function* () {
            const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
            const isUp = asked.push(keys) === 1 || now - started >= seconds * 1000
            if (!isUp) return yield* Effect.fail(503)
            return { records: keys.map((key) => ({ key, record: key })) }
          })
      })
      const fiber = yield* Effect.forkChild(Effect.result(Stream.runDrain(outcomes)), {
        startImmediately: true
      })
      let waiting = 0
      for (let passed = 0; passed < 150; passed++) {
        yield* allThatIsReady
        waiting = Math.max(waiting, ledger.waiting)
        yield* TestClock.adjust("1 second")
      }
      return { result: yield* Fiber.join(fiber), ledger, asked, waiting }
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

  it("waits for it by default, and counts the calls that wait", async () => {
    const { asked, ledger, result, waiting } = await run(30, undefined)
    expect(result._tag).toBe("Success")
    expect(ledger).toMatchObject({ found: 40, failed: 0, waiting: 0, batches: 4 })
    expect(waiting).toBe(3)
    // Probes request one key that was found before.
    expect(asked.filter(({ length }) => length === 1).every(([key]) => key === "1")).toBe(true)
  })

  it("stops with ServiceUnavailable after a longer outage", async () => {
    const { ledger, result } = await run(300, { wait: "2 minutes" })
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ServiceUnavailable", message: "the service has been unavailable for 2m: 503" }
    })
    expect(ledger).toMatchObject({ found: 10, failed: 0, waiting: 0 })
  })

  it("fails calls during the outage if `wait` is 0", async () => {
    const { ledger } = await run(300, { wait: 0 })
    expect(ledger).toMatchObject({ found: 10, failed: 30 })
  })
})
