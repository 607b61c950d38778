import { InvalidIdentifier } from "@chemstream/api"
import { Batch, Reconcile } from "@chemstream/batch"
import { BatchCalls, Identifiers, Ledger, type Outcome } from "@chemstream/stream"
import { Cause, Effect, Exit, Fiber, Queue, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

class Refusal extends Error {
  readonly verdict: Batch.Verdict
  constructor(verdict: Batch.Verdict) {
    super("refused")
    this.verdict = verdict
  }
}

type Run = BatchCalls.Settings<string, Refusal, never>

const parse = (text: string): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  text.startsWith("!")
    ? Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "ID",
          value: text,
          reason: "malformed",
          message: "no ID"
        })
      )
    : Result.succeed(text)

const echo = (ids: ReadonlyArray<string>): Effect.Effect<Batch.CallResult<string, Refusal>> =>
  Effect.succeed({ records: ids.map((id) => ({ key: id, record: `record of ${id}` })) })

const settings = (more: Partial<Run> = {}): Run => ({
  parse,
  call: echo,
  classify: (error) => error.verdict,
  size: 3,
  concurrency: 2,
  ordered: true,
  dedupe: true,
  ledger: Ledger.make(),
  ...more
})

const run = (texts: ReadonlyArray<string>, run: Run) =>
  Effect.runPromise(
    BatchCalls.batches(Identifiers.fromIterable(texts), run).pipe(
      Stream.map((batch) => batch.outcomes),
      Stream.flattenIterable,
      Stream.runCollect
    )
  )

const short = (outcome: Outcome.Outcome<string, Refusal | Batch.OwnError>): string =>
  `${outcome._tag} ${outcome.id} ${outcome.line}`

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
    const call: Run["call"] = (ids) =>
      ids.includes("a") ? Effect.delay(Effect.fail(new Refusal("stop")), 20) : echo(ids)
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

  it("is not bisected completely when nothing in it succeeds", async () => {
    const log: Array<ReadonlyArray<string>> = []
    const outcomes = await run(names(1000), settings({ size: 1000, call: poisoned(() => true, log) }))
    expect(outcomes.every((outcome) => outcome._tag === "Failed")).toBe(true)
    expect(outcomes).toHaveLength(1000)
    expect(log.length).toBeLessThan(40)
  })

  it("is not halved completely when no part of it is small enough", async () => {
    const sizes: Array<number> = []
    const call: Run["call"] = (ids) => {
      sizes.push(ids.length)
      return Effect.fail(new Refusal("halve"))
    }
    const outcomes = await run(names(1000), settings({ size: 1000, call }))
    expect(outcomes.map((outcome) => outcome._tag)).toEqual(Array(1000).fill("Failed"))
    expect(sizes).toContain(1)
    expect(sizes.length).toBeLessThan(40)
  })

  it.each(["isolate", "halve"] as const)(
    "is only probed after several failed ones (%s), until the service is back",
    async (verdict) => {
      const asked: Array<{ readonly first: number; readonly length: number }> = []
      const ledger = Ledger.make()
      const outcomes = await run(
        names(2000),
        settings({
          size: 100,
          concurrency: 1,
          ledger,
          call: (ids) => {
            const first = Number(ids[0])
            asked.push({ first, length: ids.length })
            return first < 1000 || ids.includes("1050") ? Effect.fail(new Refusal(verdict)) : echo(ids)
          }
        })
      )
      const lengths = (from: number, to: number): ReadonlyArray<number> =>
        asked.filter(({ first }) => first >= from && first < to).map(({ length }) => length)
      expect(outcomes.filter(({ _tag }) => _tag === "Failed").map(({ id }) => id)).toEqual([
        ...names(1000),
        "1050"
      ])
      expect(lengths(300, 1000)).toEqual(Array(7).fill([1, 99]).flat())
      expect(lengths(1000, 1100).slice(0, 2)).toEqual([1, 99])
      expect(lengths(0, 300).length).toBeLessThan(3 * 25)
      expect(lengths(1900, 2000).length).toBeLessThan(5)
    }
  )

  it("succeeds when the service recovers after it was split into single identifiers", async () => {
    let calls = 0
    const outcomes = await run(
      names(1000),
      settings({
        size: 1000,
        concurrency: 1,
        call: (ids) => (++calls <= 20 ? Effect.fail(new Refusal("halve")) : echo(ids))
      })
    )
    const failed = outcomes.filter(({ _tag }) => _tag === "Failed").length
    expect(failed).toBeGreaterThan(0)
    expect(failed).toBeLessThan(12)
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
          // Missing identifiers are requested once more, because every response has surplus records.
          for (const times of askedFor.values()) {
            expect(times).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(shape.size)))
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

describe("Reconcile.byKey", () => {
  it("matches by key in any order, and separates unrequested and repeated records", () => {
    const unrequested = { _tag: "Surplus", reason: "unrequested", key: "x", record: 1 }
    const repeated = { _tag: "Surplus", reason: "repeated", key: "a", record: 3 }
    const answer = ["c", "x", "a", "a"].map((key, record) => ({ key, record }))
    expect(Reconcile.byKey(["a", "b", "c"], answer, "one")).toEqual({
      records: new Map([
        ["c", [0]],
        ["a", [2]]
      ]),
      surplus: [unrequested, repeated]
    })
    expect(Reconcile.byKey(["a", "b", "c"], answer, "many")).toEqual({
      records: new Map([
        ["c", [0]],
        ["a", [2, 3]]
      ]),
      surplus: [unrequested]
    })
  })
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
