import { Batch } from "@chemstream/batch"
import { BatchCalls, Identifiers, Ledger } from "@chemstream/stream"
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { echo, Refusal, type Run, run, settings, short } from "./batchRuns.ts"

describe("a failed batch", () => {
  const names = (count: number): ReadonlyArray<string> =>
    Array.from({ length: count }, (_, index) => `${index}`)
  const poisoned =
    (isPoison: (id: string) => boolean, log: Array<ReadonlyArray<string>>): Run["call"] =>
    (ids) => {
      log.push(ids)
      return ids.some(isPoison) ? Effect.fail(new Refusal("isolate")) : echo(ids)
    }

  it("is bisected until the bad identifiers are alone, with at most 2·k·log2(n) further calls", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 299 }), { maxLength: 8 }),
        async (count, poison) => {
          const log: Array<ReadonlyArray<string>> = []
          const bad = new Set(poison.filter((index) => index < count && index % 3 === 0).map(String))
          const outcomes = await run(
            names(count),
            settings({ size: 300, call: poisoned((id) => bad.has(id), log) })
          )
          expect(outcomes.map((outcome) => outcome.id)).toEqual(names(count))
          for (const outcome of outcomes)
            expect(outcome._tag).toBe(bad.has(outcome.id ?? "") ? "Failed" : "Found")
          expect(log.length).toBeLessThanOrEqual(1 + 2 * bad.size * Math.ceil(Math.log2(count)))
        }
      )
    )
  })

  it.each(["isolate", "halve"] as const)(
    "stops the run after at most log2(n) + 8 requests when nothing succeeds, and fails no identifier: %s",
    async (verdict) => {
      for (const count of [17, 100, 1000]) {
        const asked: Array<ReadonlyArray<string>> = []
        const outcomes: Array<unknown> = []
        const call: Run["call"] = (ids) => {
          asked.push(ids)
          return Effect.fail(new Refusal(verdict))
        }
        const result = await Effect.runPromise(
          BatchCalls.outcomes(Identifiers.fromIterable(names(count)), settings({ size: count, call })).pipe(
            Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
            Effect.result
          )
        )
        expect(result).toMatchObject({
          failure: { _tag: "ServiceUnavailable", message: expect.stringMatching(/has succeeded: refused$/) }
        })
        expect(outcomes).toEqual([])
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 8)
        // Both sides were tried.
        if (verdict === "isolate") expect(asked).toContainEqual([`${count - 1}`])
      }
    }
  )

  it("requests up to 16 identifiers alone when nothing succeeds, and each fails with its own error", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const outcomes = await run(names(16), settings({ size: 16, call: poisoned(() => true, asked) }))
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(16).fill("Failed"))
    expect(asked.slice(1).map((ids) => ids.length)).toEqual(Array(16).fill(1))
  })

  it("finds the good identifiers beside adjacent bad ones", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const isBad = (id: string): boolean => Number(id) < 31
    const outcomes = await run(names(100), settings({ size: 100, call: poisoned(isBad, asked) }))
    for (const outcome of outcomes) expect(outcome._tag).toBe(isBad(outcome.id ?? "") ? "Failed" : "Found")
    expect(asked.length).toBeLessThanOrEqual(1 + 2 * 31 * Math.ceil(Math.log2(100)))
  })

  it("is halved when it is too large, and so are the next ones", async () => {
    const sizes: Array<number> = []
    const ledger = Ledger.make()
    const outcomes = await run(
      names(400),
      settings({
        size: 16,
        concurrency: 1,
        ledger,
        call: (ids) => {
          sizes.push(ids.length)
          return ids.length > 5 ? Effect.fail(new Refusal("halve")) : echo(ids)
        }
      })
    )
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(Array(400).fill("Found"))
    // The size is tried once more after 16 successes, and then not again.
    expect(sizes.filter((size) => size > 5)).toEqual([16, 8, 8])
    expect(ledger.batchSize).toBe(4)
  })

  it("grows back to the size of earlier successful batches once the service has recovered", async () => {
    const sizes: Array<number> = []
    const ledger = Ledger.make()
    const outcomes = await run(
      names(2000),
      settings({
        size: 16,
        concurrency: 1,
        ledger,
        call: (ids) => {
          const isBad = sizes.push(ids.length) > 5 && sizes.length < 10
          return isBad ? Effect.fail(new Refusal("halve")) : echo(ids)
        }
      })
    )
    expect(outcomes.filter(({ _tag }) => _tag !== "Found").length).toBeLessThanOrEqual(1)
    expect(Math.min(...sizes)).toBeLessThan(4)
    expect(ledger.batchSize).toBe(16)
    expect(sizes.at(-1)).toBe(16)
  })

  it("does not grow when the service no longer takes the earlier size", async () => {
    const sizes: Array<number> = []
    await run(
      names(4000),
      settings({
        size: 16,
        concurrency: 1,
        call: (ids) =>
          sizes.push(ids.length) > 5 && ids.length > 5 ? Effect.fail(new Refusal("halve")) : echo(ids)
      })
    )
    const tooLarge = sizes.slice(5).filter((size) => size > 5)
    expect(tooLarge.length).toBeGreaterThan(2)
    expect(tooLarge.length).toBeLessThan(8)
  })

  it("fails a single identifier that is still too large", async () => {
    const outcomes = await run(
      ["a", "b"],
      settings({ call: (ids) => (ids.includes("b") ? Effect.fail(new Refusal("halve")) : echo(ids)) })
    )
    expect(outcomes.map(short)).toEqual(["Found a 1", "Failed b 2"])
  })

  it("reports unknown identifiers as missing, and finds the rest of the batch", async () => {
    const outcomes = await run(
      ["a", "b", "c"],
      settings({ call: (ids) => (ids.includes("b") ? Effect.fail(new Refusal("missing")) : echo(ids)) })
    )
    expect(outcomes.map(short)).toEqual(["Found a 1", "Missing b 2", "Found c 3"])
  })

  it("fails as a whole with `failBatch`, and stops the run with `abort`", async () => {
    const call: Run["call"] = (ids) => (ids.includes("b") ? Effect.fail(new Refusal("isolate")) : echo(ids))
    const whole = await run(["a", "b", "c", "d"], settings({ onFailure: "failBatch", call }))
    expect(whole.map(short)).toEqual(["Failed a 1", "Failed b 2", "Failed c 3", "Found d 4"])
    await expect(run(["a", "b", "c", "d"], settings({ onFailure: "abort", call }))).rejects.toThrow("refused")
  })

  it("names the slowest batches in the ledger", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const ledger = Ledger.make()
        const fiber = yield* BatchCalls.outcomes(
          Identifiers.fromIterable(names(8)),
          settings({
            ledger,
            size: 1,
            concurrency: 8,
            call: (ids) => Effect.delay(echo(ids), (Number(ids[0]) + 1) * 10)
          })
        ).pipe(Stream.runDrain, Effect.forkChild({ startImmediately: true }))
        while (ledger.inFlight < 8) yield* Effect.yieldNow
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)
        expect(ledger.slowest).toEqual(
          [7, 6, 5, 4, 3].map((n) => ({ first: `${n}`, size: 1, milliseconds: (n + 1) * 10 }))
        )
        expect(ledger.inFlight).toBe(0)
      }).pipe(Effect.provide(TestClock.layer()))
    ))
})

describe("A response without a requested key", () => {
  const answers = {
    "keys in another case": (ids: ReadonlyArray<string>) => ids.map((id) => id.toUpperCase()),
    "keys that are numbers": (ids: ReadonlyArray<string>) => ids.map((id) => Number(id.slice(1)) as never),
    "keys of other identifiers": () => ["x", "y"]
  }

  it.each(Object.entries(answers))("fails its identifiers: %s", async (_, keysOf) => {
    const ledger = Ledger.make()
    let calls = 0
    const outcomes = await run(
      ["a1", "b2", "c3", "d4"],
      settings({
        ledger,
        size: 2,
        call: (ids) => {
          if (++calls === 1) return echo(ids)
          return Effect.succeed({ records: keysOf(ids).map((key) => ({ key, record: key })) })
        }
      })
    )
    expect(outcomes.map(short)).toEqual(["Found a1 1", "Found b2 2", "Failed c3 3", "Failed d4 4"])
    expect(outcomes.at(-1)).toMatchObject({
      error: {
        _tag: "UnmatchedResponse",
        message: expect.stringContaining("has a requested key")
      }
    })
    expect(ledger).toMatchObject({ found: 2, failed: 2, missing: 0 })
  })

  it("isolates the identifier whose batches get such responses", async () => {
    const outcomes = await run(
      ["a", "b", "c", "d"],
      settings({
        size: 4,
        call: (ids) => echo(ids.includes("b") ? ["x"] : ids)
      })
    )
    expect(outcomes.map(short)).toEqual(["Found a 1", "Failed b 2", "Found c 3", "Found d 4"])
  })

  it("stops the run with `abort`", async () => {
    const exit = await Effect.runPromiseExit(
      Stream.runDrain(
        BatchCalls.outcomes(
          Identifiers.fromIterable(["a"]),
          settings({ onFailure: "abort", call: () => echo(["x"]) })
        )
      )
    )
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(Batch.UnmatchedResponse)
  })
})
