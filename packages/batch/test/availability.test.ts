import { Availability, Batch, Ledger } from "@chemstream/batch"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { allThatIsReady } from "./virtualClock.ts"

describe("Availability", () => {
  const limits: Availability.Limits = { patience: Availability.patience({ wait: "1 minute" }) }

  /** Makes a request whose first attempts fail with this signal. It waits until the service may get it. */
  const failing = (failure: Availability.Signal, until: number) => {
    let calls = 0
    const result = Effect.suspend(() => (++calls <= until ? Effect.fail(failure) : Effect.succeed(calls)))
    const request = Effect.flatMap(Availability.Current, (current) =>
      Effect.andThen(
        current === undefined ? Effect.void : Effect.orDie(current.availability.admit(current)),
        result
      )
    )
    return { request, call: { signal: (signal: Availability.Signal) => signal, probe: () => request } }
  }

  const fork = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

  it("reports its state: available, unavailable while probes fail, available again", () =>
    Effect.gen(function* () {
      const availability = Availability.make()
      const { call, request } = failing("unavailable", 2)
      expect(yield* availability.state).toBe("available")
      const fiber = yield* fork(availability.attempt(request, call, limits))
      expect(yield* availability.state).toBe("unavailable")
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "Failure", fate: "outage" })
      expect(yield* availability.state).toBe("available")
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("lets no request be sent before the time that the service asks for, and then one at a time until a response", () =>
    Effect.gen(function* () {
      const availability = Availability.make()
      const { call, request } = failing({ throttled: 3000 }, 2)
      const first = yield* fork(availability.attempt(request, call, limits))
      expect(yield* Fiber.join(first)).toMatchObject({ _tag: "Failure", fate: "again" })
      const waiting = yield* fork(
        Effect.all(
          [1, 2].map(() => availability.attempt(request, call, limits)),
          { concurrency: 2 }
        )
      )
      expect(yield* availability.state).toBe("throttled")
      expect(yield* availability.pause).toBe(3000)
      yield* TestClock.adjust("2999 millis")
      expect(yield* availability.pause).toBe(1)
      // The trial is refused, and the other request waits again.
      yield* TestClock.adjust("1 millis")
      expect(yield* availability.pause).toBe(3000)
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(waiting)).toMatchObject([{ fate: "again" }, { _tag: "Success", value: 3 }])
      expect(yield* availability.state).toBe("available")
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("fails at once when the service asks to wait beyond `wait`, and says until when", () =>
    Effect.gen(function* () {
      const availability = Availability.make()
      const { call, request } = failing({ throttled: 3_600_000 }, 99)
      const guarded = Effect.flatMap(Availability.Current, (current) =>
        Effect.andThen(
          (current as Availability.Current).availability.admit(current as Availability.Current),
          request
        )
      )
      const asked = { signal: (): Availability.Signal => ({ throttled: 3_600_000 }), probe: () => request }
      yield* availability.attempt(request, call, limits)
      const attempted = yield* availability.attempt(guarded, asked, limits)
      expect(attempted).toMatchObject({
        _tag: "Failure",
        error: {
          _tag: "ServiceUnavailable",
          until: 3_600_000,
          message: expect.stringContaining("1970-01-01T01:00:00Z")
        }
      })
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))
})

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

  it("counts no call as waiting or in flight after it was interrupted while it waited", () =>
    Effect.gen(function* () {
      const ledger = Ledger.make()
      const outcomes = Batch.outcomes(Stream.range(1, 40), {
        size: 10,
        ledger,
        signal: () => "unavailable",
        call: () => Effect.fail(503)
      })
      const fiber = yield* Effect.forkChild(Stream.runDrain(outcomes), { startImmediately: true })
      yield* allThatIsReady
      yield* TestClock.adjust("10 seconds")
      yield* allThatIsReady
      expect(ledger.waiting).toBeGreaterThan(0)
      yield* Fiber.interrupt(fiber)
      expect(ledger).toMatchObject({ waiting: 0, inFlight: 0 })
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("stops with ServiceUnavailable after a longer outage", async () => {
    const { ledger, result } = await run(300, { wait: "2 minutes" })
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "ServiceUnavailable", message: "the service has been unavailable for 2m: 503" }
    })
    expect(ledger).toMatchObject({ found: 10, failed: 0, waiting: 0 })
  })

  it("stops at once if `wait` is 0, and fails no item", async () => {
    const { asked, ledger, result } = await run(300, { wait: 0 })
    expect(result).toMatchObject({ _tag: "Failure", failure: { _tag: "ServiceUnavailable" } })
    expect(ledger).toMatchObject({ found: 10, failed: 0 })
    expect(asked.length).toBeLessThan(8)
  })

  it("repeats a single item that is too slow as often as its policy says, and fails no other", async () => {
    const requests: Array<string> = []
    const outcomes = Batch.outcomes(Stream.make("slow", "fast", "slower"), {
      size: 1,
      signal: (error: number) => (error === 504 ? "overdue" : "responded"),
      call: ([key = ""]) =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          if (current?.mode === "probe") return { records: [] }
          const attempt = requests.push(key) && requests.filter((one) => one === key).length
          if (key === "fast" || (key === "slow" && attempt === 3)) return { records: [{ key, record: key }] }
          // Three attempts.
          if (current !== undefined && attempt < 3) current.retryDelay = 1
          return yield* Effect.fail(504)
        })
    })
    const found = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", "Found", "Failed"])
    expect(requests.filter((key) => key === "slow")).toHaveLength(3)
    expect(requests.filter((key) => key === "slower")).toHaveLength(3)
  })

  it("fails a single item whose connection always breaks off, before the service has ever responded", async () => {
    let requests = 0
    const outcomes = Batch.outcomes(Stream.make("a"), {
      signal: () => "unreachable",
      call: () =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          // Three attempts.
          if (current !== undefined && (current.failures ?? 0) < 2) current.retryDelay = 1
          if (++requests > 100) return yield* Effect.die("it is requested without end")
          return yield* Effect.fail("cut off")
        })
    })
    const found = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(found).toMatchObject([{ _tag: "Failed", error: "cut off" }])
    expect(requests).toBe(3)
  })

  it("gives a single item that failed in an outage all its attempts afterwards", () =>
    Effect.gen(function* () {
      const failures: Array<number | undefined> = []
      const outcomes = Batch.outcomes(Stream.make("good", "late"), {
        size: 1,
        concurrency: 1,
        signal: (error: number) => (error === 500 ? "failed" : "unavailable"),
        call: ([key = ""]) =>
          Effect.gen(function* () {
            const current = yield* Availability.Current
            const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
            if (current?.mode === "probe" && now < 4000) return yield* Effect.fail(503)
            if (key === "late" && failures.push(current?.failures) === 1) {
              yield* Effect.sleep("1 second")
              return yield* Effect.fail(500)
            }
            return { records: [{ key, record: key }] }
          })
      })
      const fiber = yield* Effect.forkChild(Stream.runCollect(outcomes), { startImmediately: true })
      for (let seconds = 0; seconds < 10; seconds++) {
        yield* allThatIsReady
        yield* TestClock.adjust("1 second")
      }
      expect((yield* Fiber.join(fiber)).map(({ _tag }) => _tag)).toEqual(["Found", "Found"])
      expect(failures).toEqual([0, 0])
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it("requests an item once alone that the service refused before the first success, also if another is in doubt", async () => {
    const requests: Array<string> = []
    const outcomes = Batch.outcomes(Stream.make("refused", "b", "c", "failing"), {
      concurrency: 1,
      signal: (error: string) => (error === "failing" ? "failed" : "responded"),
      call: (keys) => {
        requests.push(keys.join(" "))
        const bad = keys.find((key) => key === "refused" || key === "failing")
        return bad === undefined
          ? Effect.succeed({ records: keys.map((key) => ({ key, record: key })) })
          : Effect.fail(bad)
      }
    })
    const found = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Failed", "Found", "Found", "Failed"])
    expect(requests.filter((keys) => keys === "refused")).toHaveLength(1)
  })

  it("gives a batch that is not bisected the attempts of its policy", async () => {
    const requests: Array<ReadonlyArray<string>> = []
    const outcomes = Batch.outcomes(Stream.make("a", "b"), {
      onFailure: "failBatch",
      signal: () => "unreachable",
      call: (keys) =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          if (requests.push(keys) === 3) return { records: keys.map((key) => ({ key, record: key })) }
          if (current !== undefined && (current.failures ?? 0) < 2) current.retryDelay = 1
          return yield* Effect.fail("cut off")
        })
    })
    const found = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", "Found"])
    expect(requests).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"]
    ])
  })
})
