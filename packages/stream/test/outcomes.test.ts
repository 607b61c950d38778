import { Outcome, Outcomes } from "@chemstream/stream"
import { Deferred, Effect, Exit, Fiber, Queue, Sink, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const numbers = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 60 })

/** A sink that takes one element for each permit, and says how many it took. */
const gated = (permits: Queue.Dequeue<void>, taken: Array<number>) => {
  const take = (n: number) =>
    Effect.andThen(
      Queue.take(permits),
      Effect.sync(() => taken.push(n))
    )
  return Sink.forEach(take)
}

describe("Outcomes.tee", () => {
  it("gives each sink the whole stream, whatever arrays it comes in, and their results by name", async () => {
    const property = fc.asyncProperty(numbers, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      const results = await Effect.runPromise(
        Outcomes.tee(Stream.rechunk(Stream.fromIterable(all), size), {
          one: Sink.collect<number>(),
          other: Sink.collect<number>(),
          count: Sink.count
        })
      )
      expect(results).toEqual({ one: all, other: all, count: all.length })
      const typed: ReadonlyArray<number> = results.one
      expect(typed).toBe(results.one)
    })
    await fc.assert(property)
  })

  it("runs the stream once, no faster than its slowest sink", async () => {
    let produced = 0
    const taken: Array<number> = []
    const fast: Array<number> = []
    await Effect.gen(function* () {
      const permits = yield* Queue.unbounded<void>()
      const stalled = yield* Deferred.make<void>()
      const stream = Stream.range(1, 1000).pipe(
        Stream.rechunk(1),
        Stream.tap(() => Effect.sync(() => produced++))
      )
      const takeAtOnce = (n: number) =>
        Effect.andThen(
          Effect.sync(() => fast.push(n)),
          n === 3 ? Deferred.succeed(stalled, undefined) : Effect.void
        )
      const fiber = yield* Outcomes.tee(stream, {
        slow: gated(permits, taken),
        fast: Sink.forEach(takeAtOnce)
      }).pipe(Effect.forkChild)
      yield* Queue.offer(permits, undefined)
      yield* Deferred.await(stalled)
      // Whatever could still run has run once everything waits.
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      expect(taken).toEqual([1])
      expect(produced).toBeLessThanOrEqual(5)
      expect(fast.length).toBeLessThanOrEqual(produced)
      yield* Queue.offerAll(
        permits,
        Array.from({ length: 999 }, () => undefined)
      )
      yield* Fiber.join(fiber)
    }).pipe(Effect.runPromise)
    expect([taken.length, fast.length, produced]).toEqual([1000, 1000, 1000])
  })

  it("fails with the error of a sink, and interrupts the stream and the other sinks", async () => {
    const interrupted: Array<string> = []
    const onInterrupt = (name: string) => Effect.sync(() => interrupted.push(name))
    const stream = Stream.concat(Stream.make(1, 2), Stream.never).pipe(Stream.ensuring(onInterrupt("stream")))
    const write = (n: number) => (n === 2 ? Effect.fail("disk full") : Effect.void)
    const error = await Outcomes.tee(stream, {
      broken: Sink.forEach(write),
      other: Sink.ensuring(Sink.drain, onInterrupt("other"))
    }).pipe(Effect.flip, Effect.runPromise)
    expect(error).toBe("disk full")
    expect(interrupted.sort()).toEqual(["other", "stream"])
  })

  it("goes on without a sink that has ended, and ends the stream when all have", async () => {
    let produced = 0
    const endless = Stream.range(1, Number.MAX_SAFE_INTEGER).pipe(
      Stream.rechunk(1),
      Stream.tap(() => Effect.sync(() => produced++))
    )
    const program = Outcomes.tee(endless, { two: Sink.take<number>(2), five: Sink.take<number>(5) })
    expect(await Effect.runPromise(program)).toEqual({ two: [1, 2], five: [1, 2, 3, 4, 5] })
    expect(produced).toBeLessThanOrEqual(8)
  })

  it("fails with the error of the stream, after every sink took what came before", async () => {
    const taken: Array<string> = []
    const slowly = (name: string, turns: number) => {
      const take = (n: number) =>
        Effect.gen(function* () {
          for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
          taken.push(`${name} ${n}`)
        })
      return Sink.forEach(take)
    }
    const stream = Stream.concat(Stream.make(1, 2, 3), Stream.fail("gone"))
    const exit = await Effect.runPromiseExit(
      Outcomes.tee(stream, { fast: slowly("fast", 0), slow: slowly("slow", 20) })
    )
    expect(exit).toEqual(Exit.fail("gone"))
    expect(taken.sort()).toEqual(["fast 1", "fast 2", "fast 3", "slow 1", "slow 2", "slow 3"])
  })

  it("passes a defect of the stream on", async () => {
    const defect = new Error("a defect")
    const exit = await Effect.runPromiseExit(Outcomes.tee(Stream.die(defect), { all: Sink.drain }))
    expect(exit).toEqual(Exit.die(defect))
  })
})

describe("Outcomes.partitionBy", () => {
  it("gives each element to the one sink that is named for it, in order", async () => {
    const property = fc.asyncProperty(numbers, fc.integer({ min: 1, max: 9 }), async (all, size) => {
      const nameOf = (n: number) => (["zero", "one", "two"] as const)[n % 3] ?? "zero"
      const results = await Effect.runPromise(
        Outcomes.partitionBy(Stream.rechunk(Stream.fromIterable(all), size), nameOf, {
          zero: Sink.collect<number>(),
          one: Sink.collect<number>(),
          two: Sink.collect<number>()
        })
      )
      for (const [name, items] of Object.entries(results)) {
        expect(items).toEqual(all.filter((n) => nameOf(n) === name))
      }
      expect(Object.values(results).flat()).toHaveLength(all.length)
    })
    await fc.assert(property)
  })

  it("demands a sink for every name, of the compiler and when it runs", async () => {
    const nameOf = (n: number): "even" | "odd" => (n % 2 === 0 ? "even" : "odd")
    // @ts-expect-error there is no sink for "odd"
    const program = Outcomes.partitionBy(Stream.make(2, 3), nameOf, { even: Sink.drain })
    const exit = await Effect.runPromiseExit(program as Effect.Effect<unknown>)
    expect(String(Exit.isFailure(exit) && exit.cause)).toContain('there is no sink "odd"')
  })

  it("fails with the error of a sink", async () => {
    const program = Outcomes.partitionBy(Stream.make(1, 2), (n) => (n === 1 ? "one" : "other"), {
      one: Sink.drain,
      other: Sink.fail("disk full")
    })
    expect(await Effect.runPromise(Effect.flip(program))).toBe("disk full")
  })
})

describe("Outcomes.partitionByTag", () => {
  it("gives each sink the outcomes of its tag", async () => {
    const outcomes: ReadonlyArray<Outcome.Outcome<string, string>> = [
      Outcome.found("a", 1, ["A"]),
      Outcome.missing("b", 2),
      Outcome.failed("c", 3, "why"),
      Outcome.found("d", 4, ["D"])
    ]
    const results = await Effect.runPromise(
      Outcomes.partitionByTag(Stream.fromIterable(outcomes), {
        Found: Sink.map(Sink.collect<Outcome.Found<string>>(), (all) =>
          all.flatMap(({ records }) => records)
        ),
        Missing: Sink.collect<Outcome.Missing>(),
        Failed: Sink.map(Sink.collect<Outcome.Failed<string>>(), (all) => all.map(({ error }) => error)),
        Invalid: Sink.count
      })
    )
    expect(results).toEqual({ Found: ["A", "D"], Missing: [outcomes[1]], Failed: ["why"], Invalid: 0 })
  })
})
