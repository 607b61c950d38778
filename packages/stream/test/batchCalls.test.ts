import type { Batch } from "@chemstream/batch"
import { BatchCalls, Identifiers, Ledger } from "@chemstream/stream"
import { Cause, Effect, Exit, Fiber, Latch, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { echo, Refusal, type Run, run, settings, short } from "./batchRuns.ts"

describe("BatchCalls.outcomes", () => {
  it("returns one outcome for each identifier in the order of the input, with its line", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const ledger = Ledger.make()
    const outcomes = await run(
      ["a", "b", "!", "a", "c", "d", "e"],
      settings({
        ledger,
        call: (ids) => {
          asked.push(ids)
          return echo(ids.filter((id) => id !== "d").reverse())
        }
      })
    )
    expect(outcomes.map(short)).toEqual([
      "Found a 1",
      "Found b 2",
      "Invalid ! 3",
      "Found c 5",
      "Missing d 6",
      "Found e 7"
    ])
    expect(outcomes[0]).toMatchObject({ records: ["record of a"] })
    expect(asked).toEqual([
      ["a", "b", "c"],
      ["d", "e"]
    ])
    expect(ledger).toMatchObject({
      read: 7,
      found: 4,
      missing: 1,
      failed: 0,
      duplicates: 1,
      invalid: 1,
      batches: 2
    })
  })

  it("requests repeated identifiers again when they are not deduplicated", async () => {
    const ledger = Ledger.make()
    const outcomes = await run(["a", "a", "b", "a"], settings({ dedupe: false, ledger, size: 2 }))
    expect(outcomes.map(short)).toEqual(["Found a 1", "Found a 2", "Found b 3", "Found a 4"])
    expect(ledger).toMatchObject({ read: 4, found: 4, duplicates: 0, records: 4 })
  })

  it("fails the identifiers of a failed batch and continues with the next", async () => {
    const error = new Refusal("fail")
    const outcomes = await run(
      ["a", "b", "c", "d"],
      settings({ size: 2, call: (ids) => (ids.includes("a") ? Effect.fail(error) : echo(ids)) })
    )
    expect(outcomes.map(short)).toEqual(["Failed a 1", "Failed b 2", "Found c 3", "Found d 4"])
    expect(outcomes[0]).toMatchObject({ error })
  })

  it("stops the run with a fatal error, after every outcome before it", async () => {
    const seen: Array<string> = []
    const fatal = new Refusal("stop")
    const call: Run["call"] = (ids) => (ids.includes("e") ? Effect.fail(fatal) : Effect.delay(echo(ids), 5))
    const exit = await Effect.runPromiseExit(
      BatchCalls.outcomes(
        Identifiers.fromIterable(["a", "b", "c", "d", "e", "f", "g"]),
        settings({ size: 2, concurrency: 4, call })
      ).pipe(Stream.runForEach((outcome) => Effect.sync(() => seen.push(short(outcome)))))
    )
    expect(seen).toEqual(["Found a 1", "Found b 2", "Found c 3", "Found d 4"])
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(fatal)
  })

  it("counts emitted outcomes in the ledger, and none that a fatal error dropped", async () => {
    const ledger = Ledger.make()
    const seen: Array<string> = []
    const latch = Latch.makeUnsafe()
    const call: Run["call"] = (ids) =>
      ids.includes("a")
        ? Effect.andThen(latch.await, Effect.delay(Effect.fail(new Refusal("stop")), 20))
        : Effect.tap(echo(ids), () => (ids.includes("d") ? latch.open : Effect.void))
    await Effect.runPromiseExit(
      BatchCalls.outcomes(
        Identifiers.fromIterable(["a", "b", "c", "d"]),
        settings({ size: 1, concurrency: 4, call, ledger })
      ).pipe(Stream.runForEach((outcome) => Effect.sync(() => seen.push(outcome.id ?? ""))))
    )
    expect(seen).toEqual([])
    expect(ledger).toMatchObject({ found: 0, records: 0, batches: 4 })
  })

  it("fails identifiers without a record, instead of calling them missing, when the response is in doubt", async () => {
    const doubt = new Refusal("fail")
    const call: Run["call"] = (ids) =>
      Effect.map(echo(ids.filter((id) => id !== "b")), (answer) => ({ ...answer, doubt }))
    const outcomes = await run(["a", "b", "c"], settings({ call }))
    expect(outcomes.map(short)).toEqual(["Found a 1", "Failed b 2", "Found c 3"])
    expect(outcomes[1]).toMatchObject({ error: doubt })
  })

  it("has as many calls in flight as allowed, and never more", async () => {
    let inFlight = 0
    let most = 0
    const call: Run["call"] = (ids) =>
      Effect.gen(function* () {
        most = Math.max(most, ++inFlight)
        yield* Effect.sleep(2)
        inFlight--
        return yield* echo(ids)
      })
    await run(
      Array.from({ length: 60 }, (_, index) => `${index}`),
      settings({ concurrency: 3, call })
    )
    expect(most).toBe(3)
  })

  it("reads ahead only as far as the calls in flight need, for any length of the input", async () => {
    const ledger = Ledger.make()
    const endless = Stream.iterate(0, (n) => n + 1).pipe(
      Stream.map((n): Identifiers.Identifier => ({ text: `${n}`, line: n + 1 })),
      Stream.rechunk(1)
    )
    const taken = await Effect.runPromise(
      BatchCalls.outcomes(endless, settings({ size: 10, concurrency: 4, ledger })).pipe(
        Stream.take(25),
        Stream.runCollect
      )
    )
    expect(taken).toHaveLength(25)
    expect(ledger.read).toBeLessThan(200)
  })

  it("keeps batches bounded when the input has no valid identifier", async () => {
    const ledger = Ledger.make()
    const outcomes = await run(
      Array.from({ length: 1000 }, () => "!"),
      settings({ ledger })
    )
    expect(outcomes).toHaveLength(1000)
    expect(ledger).toMatchObject({ read: 1000, invalid: 1000, batches: 0 })
  })

  it("sends a batch that is not full when its window ends, and the last batch at the end of the input", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const asked: Array<ReadonlyArray<string>> = []
        const queue = yield* Queue.make<Identifiers.Identifier, Cause.Done>()
        const give = (text: string) => Queue.offer(queue, { text, line: 1 })
        const fiber = yield* BatchCalls.outcomes(
          Stream.fromQueue(queue),
          settings({
            size: 3,
            window: "1 second",
            call: (ids) => {
              asked.push(ids)
              return echo(ids)
            }
          })
        ).pipe(Stream.runCollect, Effect.forkChild({ startImmediately: true }))
        yield* give("a")
        yield* give("b")
        yield* TestClock.adjust("999 millis")
        expect(asked).toEqual([])
        yield* TestClock.adjust("1 millis")
        expect(asked).toEqual([["a", "b"]])
        for (const text of ["a", "c", "d", "e", "f"]) yield* give(text)
        yield* TestClock.adjust("1 second")
        yield* Queue.end(queue)
        const outcomes = yield* Fiber.join(fiber)
        expect(outcomes.map((outcome) => outcome.id)).toEqual(["a", "b", "c", "d", "e", "f"])
      }).pipe(Effect.provide(TestClock.layer()))
    ))

  it("returns the part of the input that each batch covers, with duplicates and invalid identifiers", async () => {
    const batches = await Effect.runPromise(
      BatchCalls.batches(
        Identifiers.fromIterable(["a", "a", "b", "!", "c", "a", "d", "d"]),
        settings({ size: 2 })
      ).pipe(Stream.runCollect)
    )
    expect(batches.map(({ outcomes, spans }) => [outcomes.map(short), ...spans])).toEqual([
      [["Found a 1", "Found b 3"], { from: 0, to: 3 }],
      [["Invalid ! 4", "Found c 5", "Found d 7"], { from: 3, to: 7 }],
      [[], { from: 7, to: 8 }]
    ])
  })

  it("resumes an earlier run: skips settled identifiers, and still recognizes their duplicates", async () => {
    const texts = ["a", "b", "!", "c", "a", "d", "c", "e"]
    const parts = await Effect.runPromise(
      BatchCalls.batches(Identifiers.fromIterable(texts), settings({ size: 2 })).pipe(Stream.runCollect)
    )
    const done = parts[1]
    if (done === undefined) throw new Error("there is no second batch")
    expect(done).toMatchObject({ spans: [{ from: 2, to: 6 }] })

    const asked: Array<string> = []
    const ledger = Ledger.make()
    const outcomes = await run(
      texts,
      settings({
        ledger,
        resumePoint: done,
        call: (ids) => {
          asked.push(...ids)
          return echo(ids)
        }
      })
    )
    expect(outcomes.map(short)).toEqual(["Found a 1", "Found b 2", "Found e 8"])
    expect(asked).toEqual(["a", "b", "e"])
    expect(ledger).toMatchObject({ read: 4, found: 3, duplicates: 1 })
  })

  it("refuses to resume with another input, before the first request", async () => {
    const [first] = await Effect.runPromise(
      BatchCalls.batches(Identifiers.fromIterable(["a", "b", "c"]), settings({ size: 2 })).pipe(
        Stream.runCollect
      )
    )
    if (first === undefined) throw new Error("there is no batch")
    const call: Run["call"] = () => Effect.die("asked")
    for (const [texts, reason] of [
      [["a", "x", "c"], /its first 2 items have changed/],
      [["ab", "", "c"], /its first 2 items have changed/],
      [["a"], /it has 1 items, but the earlier run has read at least 2/]
    ] as const) {
      await expect(run(texts, settings({ resumePoint: first, call }))).rejects.toThrow(reason)
    }
    expect(await run(["a", "b"], settings({ resumePoint: first, call }))).toEqual([])
  })

  it("accounts for exactly the rest, for any part that an earlier run has settled", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }).map(String), fc.constant("!")), { minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.boolean()),
        async (texts, size, chosen) => {
          const whole = await Effect.runPromise(
            BatchCalls.batches(
              Identifiers.fromIterable(texts),
              settings({ size, dedupe: true, ordered: false })
            ).pipe(Stream.runCollect)
          )
          const done = whole.filter(() => chosen.next().value)
          const spans = done.flatMap((batch) => batch.spans).sort((one, other) => one.from - other.from)
          const digest = done.sort((one, other) => lastOf(one) - lastOf(other)).at(-1)?.digest ?? ""
          const ledger = Ledger.make()
          const rest = await run(texts, settings({ size, ledger, resumePoint: { spans, digest } }))
          const together = [...done.flatMap((batch) => batch.outcomes), ...rest]
          expect(together.map(short).sort()).toEqual(
            whole.flatMap((batch) => batch.outcomes.map(short)).sort()
          )
          expect(ledger.read).toBe(texts.length - spans.reduce((sum, { from, to }) => sum + to - from, 0))
        }
      )
    )
  })
})

const lastOf = (batch: BatchCalls.SettledBatch<string, Refusal | Batch.OwnError>): number =>
  batch.spans.at(-1)?.to ?? 0

describe("BatchCalls.outcomes of random runs", () => {
  it("accounts for every identifier once, for any input, batch size, concurrency, order and faults", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }).map(String), fc.constant("!"))),
        fc.record({
          size: fc.integer({ min: 1, max: 7 }),
          concurrency: fc.integer({ min: 1, max: 5 }),
          ordered: fc.boolean(),
          dedupe: fc.boolean()
        }),
        fc.record({
          unknown: fc.integer({ min: 2, max: 6 }),
          poison: fc.integer({ min: 2, max: 9 }),
          verdict: fc.constantFrom<Batch.Verdict>("fail", "isolate", "halve")
        }),
        async (texts, shape, fault) => {
          const ledger = Ledger.make()
          const isUnknown = (id: string): boolean => Number(id) % fault.unknown === 1
          const askedFor = new Map<string, number>()
          const call: Run["call"] = (ids) => {
            if (shape.dedupe) for (const id of ids) askedFor.set(id, (askedFor.get(id) ?? 0) + 1)
            return ids.length > shape.size || new Set(ids).size !== ids.length
              ? Effect.die("the batch is too large or repeats itself")
              : ids.some((id) => Number(id) % fault.poison === 1)
                ? Effect.fail(new Refusal(fault.verdict))
                : Effect.map(echo(ids.filter((id) => !isUnknown(id)).reverse()), ({ records }) => ({
                    records: [...records, { key: "foreign", record: "nobody's" }, ...records.slice(0, 1)]
                  }))
          }
          const outcomes = await run(texts, settings({ ...shape, call, ledger }))

          const expected = shape.dedupe
            ? texts.filter((text, index) => text === "!" || texts.indexOf(text) === index)
            : texts
          const told = outcomes.filter((outcome) => outcome._tag !== "Surplus")
          const ids = told.map((outcome) => outcome.id)
          expect(shape.ordered ? ids : [...ids].sort()).toEqual(
            shape.ordered ? expected : [...expected].sort()
          )
          for (const outcome of told) {
            expect(texts[outcome.line - 1]).toBe(outcome.id)
            if (outcome._tag === "Found") expect(outcome.records).toEqual([`record of ${outcome.id}`])
            if (outcome._tag === "Missing") expect(isUnknown(outcome.id)).toBe(true)
          }
          // Missing identifiers are requested once more, because every response has surplus records. The first success of
          // a run is looked for with single identifiers. One that was found is requested again for those that fail.
          const [, ...others] = [...askedFor.values()].sort((one, other) => other - one)
          for (const times of others) {
            expect(times).toBeLessThanOrEqual(3 + Math.ceil(Math.log2(shape.size)))
          }
          expect(ledger.read).toBe(texts.length)
          expect(Ledger.sum(ledger)).toBe(ledger.read)
          // Only the records that the calls add: one with an unrequested key, and a second one of the first key.
          for (const outcome of outcomes) {
            if (outcome._tag !== "Surplus") continue
            expect(outcome).toMatchObject(
              outcome.id === "foreign"
                ? { reason: "unrequested", record: "nobody's" }
                : { reason: "repeated", record: `record of ${outcome.id}` }
            )
          }
          expect(ledger.surplus).toBe(outcomes.length - told.length)
        }
      )
    )
  })
})

describe("Ledger.check", () => {
  it("dies when an identifier is lost", async () => {
    const ledger = Ledger.make()
    ledger.read = 3
    ledger.found = 2
    const exit = await Effect.runPromiseExit(Ledger.check(ledger))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "LedgerInvariantError",
      message: expect.stringContaining("read 3, but found 2 + missing 0")
    })
  })
})
