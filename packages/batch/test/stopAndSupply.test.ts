/** What calls and runs see of each other: the availability of a shared service, the stop signal, and the supply of batches. */
import { Availability, Batch, Ledger } from "@chemstream/batch"
import { Deferred, Effect, Fiber, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { allThatIsReady } from "./virtualClock.ts"

const echo = (keys: ReadonlyArray<string>) => ({ records: keys.map((key) => ({ key, record: key })) })

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `k${at}`)

const inTestTime = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()))

const patient: Availability.Limits = { patience: Availability.patience({ wait: "1 minute" }) }
const signal = (error: Availability.Signal) => error

describe("the availability of a service", () => {
  it("is paused for as long as another process was asked to wait, and not shorter by a second pause", () =>
    inTestTime(
      Effect.gen(function* () {
        const availability = Availability.make()
        expect(availability.hasResponded()).toBe(false)
        yield* availability.pauseFor(3000)
        yield* availability.pauseFor(1000)
        expect(yield* availability.pause).toBe(3000)
        expect(yield* availability.state).toBe("throttled")
        yield* TestClock.adjust("5 seconds")
        expect(yield* availability.pause).toBe(0)
        availability.forget()
        expect(yield* availability.state).toBe("available")
        availability.recordResponse()
        expect(availability.hasResponded()).toBe(true)
      })
    ))

  it("is unknown until a connection has come about, so a failure to connect is the caller's", () =>
    inTestTime(
      Effect.gen(function* () {
        let probes = 0
        const attempt = (availability: Availability.Availability) =>
          availability.attempt(
            Effect.fail<Availability.Signal>("unreachable"),
            { signal, probe: () => Effect.sync(() => ++probes) },
            patient
          )
        const fresh = Availability.make()
        expect(yield* attempt(fresh)).toMatchObject({ fate: "own", signal: "unreachable" })
        expect(probes).toBe(0)
        const reached = Availability.make()
        reached.recordResponse()
        expect(yield* attempt(reached)).toMatchObject({ fate: "own" })
        expect(probes).toBe(1)
      })
    ))

  it("is in doubt after a request that got no response in time, unless another one got a response meanwhile", () =>
    inTestTime(
      Effect.gen(function* () {
        let probes = 0
        const availability = Availability.make()
        availability.recordResponse()
        const call = { signal, probe: () => Effect.sync(() => ++probes) }
        const attempt = (meanwhile: Effect.Effect<unknown>) =>
          availability.attempt(
            Effect.andThen(meanwhile, Effect.fail<Availability.Signal>("overdue")),
            call,
            patient
          )
        expect(yield* attempt(Effect.void)).toMatchObject({ fate: "smaller" })
        expect(probes).toBe(1)
        const other = Effect.orDie(availability.attempt(Effect.void, call, patient))
        expect(yield* attempt(other)).toMatchObject({ fate: "smaller" })
        expect(probes).toBe(1)
      })
    ))

  it("numbers its probes from 0, and each outage goes on with the next number", () =>
    inTestTime(
      Effect.gen(function* () {
        const indexes: Array<number> = []
        const availability = Availability.make()
        const call = {
          signal,
          probe: (index: number) =>
            indexes.push(index) < 3 ? Effect.fail<Availability.Signal>("unavailable") : Effect.void
        }
        const fiber = yield* Effect.forkChild(
          availability.attempt(Effect.fail<Availability.Signal>("unavailable"), call, patient),
          { startImmediately: true }
        )
        yield* TestClock.adjust("3 seconds")
        expect(yield* Fiber.join(fiber)).toMatchObject({ fate: "outage" })
        expect(yield* availability.verify(call, "failed", patient)).toBe(true)
        expect(indexes).toEqual([0, 1, 2, 3])
      })
    ))

  it.each([
    ["overdue", "smaller"],
    ["unavailable", "own"],
    ["failed", "own"]
  ] as const)("does not matter to calls that do not wait: %s means %s", (error, fate) =>
    inTestTime(
      Effect.gen(function* () {
        const availability = Availability.make()
        const call = { signal, probe: () => Effect.die("a probe") }
        const limits = { ...patient, isPatient: false }
        expect(
          yield* availability.attempt(Effect.fail<Availability.Signal>(error), call, limits)
        ).toMatchObject({ fate })
        expect(yield* availability.state).toBe("available")
        // No doubt is left, so a later call is not probed for it.
        expect(availability.isBlocked({ isTrial: false } as Availability.Current)).toBe(false)
      })
    )
  )

  it("judges only failures that may be the service's", () => {
    const availability = Availability.make()
    const judged = (one: Availability.Signal) => availability.judges(one, patient)
    expect((["unavailable", "overdue", { throttled: 0 }] as const).map(judged)).toEqual([true, true, true])
    const others = [
      "responded",
      "unreachable",
      "elsewhere",
      "failed",
      "refused",
      "unclear",
      "unsent"
    ] as const
    expect(others.map(judged)).toEqual(others.map(() => false))
    availability.recordResponse()
    expect((["unreachable", "elsewhere"] as const).map(judged)).toEqual([true, true])
  })

  it("gives runs their patience, if they have none of their own", () =>
    inTestTime(
      Effect.gen(function* () {
        const waits = [undefined, { wait: 0 }, { wait: "5 seconds" }] as const
        const seconds: Array<number> = []
        for (const forRuns of waits) {
          const availability = Availability.make(forRuns)
          const outcomes = Batch.outcomes(Stream.make("a"), {
            call: () => Effect.fail("down"),
            signal: () => "unavailable",
            service: Effect.succeed(availability)
          })
          let passed = 0
          const fiber = yield* Effect.forkChild(Effect.result(Stream.runDrain(outcomes)), {
            startImmediately: true
          })
          for (; passed < 100; passed++) {
            yield* allThatIsReady
            if (fiber.pollUnsafe() !== undefined) break
            yield* TestClock.adjust("1 second")
          }
          expect(yield* Fiber.join(fiber)).toMatchObject({ failure: { _tag: "ServiceUnavailable" } })
          seconds.push(passed)
        }
        expect(seconds).toEqual([60, 0, 5])
      })
    ))
})

describe("a stop signal", () => {
  it("is that of an abort signal", async () => {
    const aborter = new AbortController()
    const stop = Availability.stopOf(aborter.signal)
    expect(stop.isRequested()).toBe(false)
    const requested = Effect.runPromise(stop.requested)
    aborter.abort()
    await requested
    expect(stop.isRequested()).toBe(true)
    await Effect.runPromise(stop.requested)
    expect(() => Availability.stopOf({} as never).isRequested()).toThrow("The argument signal ")
  })

  it("ends a wait at once, and lets no later one begin", async () => {
    const aborter = new AbortController()
    const wait = (time: Effect.Effect<void>) =>
      Effect.runPromise(
        Effect.result(
          Effect.provideService(
            Availability.unlessStopped(time),
            Availability.Stop,
            Availability.stopOf(aborter.signal)
          )
        )
      )
    expect(Result.isSuccess(await wait(Effect.void))).toBe(true)
    const pending = wait(Effect.never)
    aborter.abort()
    const stopped = { failure: { _tag: "ServiceUnavailable", message: "the run was stopped" } }
    expect(await pending).toMatchObject(stopped)
    expect(await wait(Effect.void)).toMatchObject(stopped)
    await Effect.runPromise(Availability.unlessStopped(Effect.void))
  })

  it.each([true, false])(
    "lets batches on the wire settle, and sends no more requests: ordered %s",
    async (ordered) => {
      const aborter = new AbortController()
      const ledger = Ledger.make()
      const emitted: Array<unknown> = []
      let calls = 0
      const outcomes = Batch.outcomes(Stream.fromIterable(names(10)), {
        size: 1,
        concurrency: 1,
        ordered,
        ledger,
        call: (keys) =>
          Effect.sync(() => {
            if (++calls === 3) aborter.abort()
            return echo(keys)
          })
      })
      const result = await Effect.runPromise(
        Effect.result(
          Effect.provideService(
            Stream.runForEach(outcomes, ({ item }) => Effect.sync(() => emitted.push(item))),
            Availability.Stop,
            Availability.stopOf(aborter.signal)
          )
        )
      )
      expect(result).toMatchObject({
        failure: { _tag: "ServiceUnavailable", message: "the run was stopped" }
      })
      expect(emitted).toEqual(names(3))
      expect(calls).toBe(3)
      expect(ledger).toMatchObject({ found: 3, inFlight: 0 })
    }
  )

  it.each([
    [true, []],
    [false, ["k1"]]
  ])(
    "leaves out what comes after an unsettled batch in ordered mode alone: ordered %s",
    (ordered, expected) =>
      Effect.gen(function* () {
        const requested = yield* Deferred.make<void>()
        const answered = yield* Deferred.make<void>()
        const isSent = yield* Deferred.make<void>()
        let isRequested = false
        const emitted: Array<unknown> = []
        const outcomes = Batch.outcomes(Stream.fromIterable(names(2)), {
          size: 1,
          concurrency: 2,
          ordered,
          signal: () => ({ throttled: 60_000 }),
          call: (keys) =>
            keys[0] === "k0"
              ? Effect.andThen(Deferred.await(isSent), Effect.fail("throttled"))
              : Effect.as(
                  Effect.andThen(Deferred.succeed(isSent, undefined), Deferred.await(answered)),
                  echo(keys)
                )
        })
        const fiber = yield* Effect.forkChild(
          Effect.exit(
            Effect.provideService(
              Stream.runForEach(outcomes, ({ item }) => Effect.sync(() => emitted.push(item))),
              Availability.Stop,
              { isRequested: () => isRequested, requested: Deferred.await(requested) }
            )
          )
        )
        yield* Deferred.await(isSent)
        yield* allThatIsReady
        isRequested = true
        yield* Deferred.succeed(requested, undefined)
        yield* allThatIsReady
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(fiber)
        expect(emitted).toEqual(expected)
      }).pipe(Effect.runPromise)
  )
})

describe("the supply of a run", () => {
  it("is exhausted outside a run", async () => {
    const supply = await Effect.runPromise(Effect.map(Batch.Supply, (one) => one))
    expect(supply.isExhausted()).toBe(true)
    await Effect.runPromise(supply.exhausted)
  })

  it.each([
    [7, 1, 4, [4, 3]],
    [3, 1, 4, [3]],
    [8, 2, 4, [4]],
    [9, 1, 2, [2, 2, 2, 2, 1]]
  ])(
    "is exhausted when no further batch can begin: %i keys in batches of %i, %i calls",
    async (count, size, concurrency, groups) => {
      const gathered: Array<number> = []
      let waiting = 0
      const outcomes = Batch.outcomes(Stream.fromIterable(names(count)), {
        size,
        concurrency,
        call: (keys) =>
          Effect.gen(function* () {
            const supply = yield* Batch.Supply
            waiting++
            yield* supply.exhausted
            expect(supply.isExhausted()).toBe(true)
            yield* Effect.yieldNow
            if (waiting > 0) gathered.push(waiting)
            waiting = 0
            return echo(keys)
          })
      })
      expect(await Effect.runPromise(Stream.runCount(outcomes))).toBe(count)
      expect(gathered).toEqual(groups)
    }
  )

  it.each([
    [1, true, 2],
    [4, true, 5],
    [5, true, 7],
    [4, false, 5]
  ])(
    "has a quarter more batches than %i calls in memory while the reader is slow, ordered %s: %i",
    async (concurrency, ordered, most) => {
      let began = 0
      const outcomes = Batch.batches(Stream.fromIterable(names(40)), {
        size: 1,
        concurrency,
        ordered,
        call: (keys) =>
          Effect.sync(() => {
            began++
            return echo(keys)
          })
      })
      const first = Stream.take(outcomes, 1).pipe(
        Stream.mapEffect(() => Effect.as(allThatIsReady, began)),
        Stream.runCollect
      )
      // One place was freed by the batch that the reader has.
      expect((await Effect.runPromise(first))[0]).toBeLessThanOrEqual(most + 1)
    }
  )

  it("of an ordered run goes on while one slow batch holds the others back", async () => {
    const requested: Array<string> = []
    const outcomes = Batch.outcomes(Stream.fromIterable(names(60)), {
      size: 1,
      concurrency: 2,
      call: (keys) => {
        requested.push(keys[0] ?? "")
        return keys[0] === "k0"
          ? Effect.as(
              Effect.yieldNow.pipe(Effect.repeat({ until: () => requested.length === 60 })),
              echo(keys)
            )
          : Effect.succeed(echo(keys))
      }
    })
    const all = await Effect.runPromise(Stream.runCollect(outcomes))
    expect(all.map(({ item }) => item)).toEqual(names(60))
  })
})
