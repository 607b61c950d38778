import { type ChemClient, type CircuitBreaker, RetryPolicy } from "@chemstream/client"
import { Effect, Fiber, Layer, Result } from "effect"
import { CircuitBreaker as Breaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { against, bisphenolA, key, settings, using } from "./against.ts"
import * as Scripted from "./scriptedService.ts"
import * as Virtual from "./virtualService.ts"

type Client = ChemClient.ChemClient["Service"]

const virtual = <A, E>(body: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(body, TestClock.layer()))

const get = (client: Client) => client.details.byDtxsid(bisphenolA)

const guarded = <A, E>(
  service: Virtual.VirtualService,
  circuitBreaker: CircuitBreaker.CircuitBreaker,
  use: (client: Client) => Effect.Effect<A, E>,
  retry: RetryPolicy.RetryPolicy | RetryPolicy.Decide = RetryPolicy.never
) => using(settings("http://127.0.0.1:1", { circuitBreaker, retry }), use, service.layer)

/** Every failure is the call's end, an open circuit too. */
const noWaiting: RetryPolicy.Decide = () => undefined

/** The tags of so many calls, one after the other; `ok` for those that succeed. */
const outcomes = (count: number, client: Client) =>
  Effect.forEach(Array(count).fill(client), (one: Client) =>
    Effect.map(Effect.result(get(one)), (result) => (Result.isFailure(result) ? result.failure._tag : "ok"))
  )

const down: Virtual.Reply = { status: 500 }

describe("a circuit breaker", () => {
  it.each<[string, Virtual.Reply | typeof Virtual.unreachable, string]>([
    ["5xx", down, "ServiceFailure"],
    ["refused connections", Virtual.unreachable, "ConnectionFailed"]
  ])("keeps calls from a service after five failures in a row: %s", (_, reply, tag) =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.scripted(reply)
        const seen = yield* guarded(service, {}, (client) => outcomes(8, client), noWaiting)
        expect(seen).toEqual([...Array(5).fill(tag), ...Array(3).fill("CircuitOpen")])
        expect(service.times).toHaveLength(5)
      })
    )
  )

  it("counts time-outs, and starts anew after a success", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.make(({ index }) =>
          index === 1 ? Effect.succeed(Virtual.record) : Effect.as(Effect.sleep(100_000), Virtual.record)
        )
        const fiber = yield* Effect.forkChild(
          guarded(service, { failures: 2 }, (client) => outcomes(5, client), noWaiting)
        )
        yield* TestClock.adjust("10 minutes")
        const seen = yield* Fiber.join(fiber)
        expect(seen).toEqual(["RequestTimeout", "ok", "RequestTimeout", "RequestTimeout", "CircuitOpen"])
      })
    ))

  it.each([400, 401, 404, 413, 429])("takes a %i for an answer of a service that is there", (status) =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.make(({ index }) => Effect.succeed(index % 2 === 0 ? down : { status }))
        const program = guarded(service, { failures: 2 }, (client) => outcomes(20, client), noWaiting)
        const fiber = yield* Effect.forkChild(program)
        yield* TestClock.adjust("10 minutes")
        expect(yield* Fiber.join(fiber)).not.toContain("CircuitOpen")
        expect(service.times).toHaveLength(20)
      })
    )
  )

  it("says what the last failure was, how long nothing is sent, and never the key", () =>
    against([Scripted.problem(502, "no upstream")], ({ url, asked }) =>
      Effect.gen(function* () {
        const error = yield* using(
          settings(url, { circuitBreaker: { failures: 1, openFor: 30_000 }, retry: noWaiting }),
          (client) => Effect.andThen(Effect.flip(get(client)), Effect.flip(get(client)))
        )
        expect(error).toMatchObject({
          _tag: "CircuitOpen",
          attempts: 0,
          endpoint: "details.byDtxsid",
          retryable: true,
          message: expect.stringMatching(
            /^nothing is sent for another (30\.0|2\d\.\d) s, because the last calls failed: the service failed \(502\): no upstream$/
          )
        })
        expect(JSON.stringify(error)).not.toContain(key)
        expect(asked).toHaveLength(1)
      })
    ))

  it("lets one call try when the time is over, and doubles the time when that fails, up to the longest", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.make(({ at }) =>
          Effect.as(Effect.sleep(100), at < 60_000 ? down : Virtual.record)
        )
        const settings = { failures: 1, openFor: 5_000, maxOpenFor: 15_000 }
        const patient = RetryPolicy.make({ attempts: 100 })
        const fiber = yield* Effect.forkChild(
          guarded(
            service,
            settings,
            (client) =>
              Effect.andThen(
                Effect.ignore(get(client)),
                Effect.forEach(Array(20).fill(client), get, { concurrency: "unbounded" })
              ),
            patient
          )
        )
        yield* TestClock.adjust("10 minutes")
        yield* Fiber.join(fiber)
        const tries = service.times.filter((time) => time <= 70_000)
        // Nothing but one probe a time until one succeeds: after 5, 10, 15, 15 and 15 s, each to within a retry's delay.
        const gaps = tries.slice(1).map((time, index) => time - (tries[index] ?? 0))
        const probes = gaps.slice(0, 5)
        expect(probes).toHaveLength(5)
        probes.forEach((gap, index) => {
          const openFor = Math.min(5_000 * 2 ** index, 15_000)
          expect(gap).toBeGreaterThanOrEqual(openFor)
          expect(gap).toBeLessThanOrEqual(openFor + 1_000)
        })
      })
    ))

  it("costs a waiting call none of its attempts", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.make(({ at }) => Effect.succeed(at < 100_000 ? down : Virtual.record))
        const fiber = yield* Effect.forkChild(
          guarded(
            service,
            { failures: 1 },
            (client) =>
              Effect.forEach(Array(4).fill(client), (one: Client) => Effect.result(get(one)), {
                concurrency: "unbounded"
              }),
            RetryPolicy.make({ attempts: 5 })
          )
        )
        yield* TestClock.adjust("1 hour")
        const results = yield* Fiber.join(fiber)
        expect(results.every(Result.isSuccess)).toBe(true)
        // Without a breaker the four calls would have ended after 20 requests within 8 s.
        expect(service.times.filter((time) => time < 100_000).length).toBeLessThan(12)
      })
    ))

  it("ends a call that was sent with its own last failure, when the time of the policy is over", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.scripted(Virtual.unreachable)
        const fiber = yield* Effect.forkChild(
          guarded(
            service,
            { failures: 1 },
            (client) => Effect.flip(get(client)),
            RetryPolicy.make({ attempts: 100, maxElapsed: 20_000 })
          )
        )
        yield* TestClock.adjust("1 hour")
        expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ConnectionFailed", attempts: 3 })
      })
    ))

  it("gives the probe to the next when the call that tries is interrupted", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.make(({ index }) =>
          index === 1 ? Effect.never : Effect.succeed(index === 0 ? down : Virtual.record)
        )
        yield* guarded(
          service,
          { failures: 1, openFor: 5_000 },
          (client) =>
            Effect.gen(function* () {
              yield* Effect.flip(get(client))
              yield* TestClock.adjust("5 seconds")
              const probe = yield* Effect.forkChild(get(client), { startImmediately: true })
              const turnedAway = yield* Effect.flip(get(client))
              expect(turnedAway._tag).toBe("CircuitOpen")
              yield* Fiber.interrupt(probe)
              yield* get(client)
              expect(service.times).toHaveLength(3)
            }),
          noWaiting
        )
      })
    ))

  it("is shared by clients with one store", () =>
    virtual(
      Effect.gen(function* () {
        const failing = Virtual.scripted(down)
        const other = Virtual.scripted(Virtual.record)
        const context = yield* Layer.build(Breaker.layerStoreMemory())
        const through = (service: Virtual.VirtualService) =>
          guarded(service, { failures: 2 }, (client) => outcomes(3, client), noWaiting).pipe(
            Effect.provide(context)
          )
        yield* through(failing)
        expect(yield* through(other)).toEqual(Array(3).fill("CircuitOpen"))
        expect(other.times).toEqual([])
      }).pipe(Effect.scoped)
    ))

  it("is not there when not asked for: a call ends after its attempts", () =>
    virtual(
      Effect.gen(function* () {
        const service = Virtual.scripted(down)
        const fiber = yield* Effect.forkChild(
          using(
            settings("http://127.0.0.1:1", { retry: RetryPolicy.make({ attempts: 9 }) }),
            (client) => Effect.flip(get(client)),
            service.layer
          )
        )
        yield* TestClock.adjust("1 hour")
        expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "ServiceFailure", attempts: 9 })
        expect(service.times).toHaveLength(9)
      })
    ))
})
