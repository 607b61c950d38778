import { InvalidIdentifier } from "@chemstream/api"
import { BatchCalls, Identifiers, Ledger, type Outcome, Reconcile } from "@chemstream/stream"
import { Cause, Effect, Exit, Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

class Refusal extends Error {
  readonly fatal: boolean
  constructor(fatal: boolean) {
    super("refused")
    this.fatal = fatal
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

const echo = (ids: ReadonlyArray<string>): Effect.Effect<BatchCalls.Answer<string, Refusal>> =>
  Effect.succeed({ records: ids.map((id) => ({ key: id, record: `record of ${id}` })) })

const settings = (more: Partial<Run> = {}): Run => ({
  parse,
  call: echo,
  isFatal: (error) => error.fatal,
  size: 3,
  concurrency: 2,
  ordered: true,
  dedupe: true,
  ledger: Ledger.make(),
  ...more
})

const run = (texts: ReadonlyArray<string>, run: Run) =>
  Effect.runPromise(Stream.runCollect(BatchCalls.outcomes(Identifiers.fromIterable(texts), run)))

const short = (outcome: Outcome.Outcome<string, Refusal>): string =>
  `${outcome._tag} ${outcome.id} ${outcome.line}`

describe("BatchCalls.outcomes", () => {
  it("gives each identifier one outcome in the order of the input, with the line it stood on", async () => {
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

  it("asks again for repeated identifiers, and answers each, when they are not deduplicated", async () => {
    const ledger = Ledger.make()
    const outcomes = await run(["a", "a", "b", "a"], settings({ dedupe: false, ledger, size: 2 }))
    expect(outcomes.map(short)).toEqual(["Found a 1", "Found a 2", "Found b 3", "Found a 4"])
    expect(ledger).toMatchObject({ read: 4, found: 4, duplicates: 0, records: 4 })
  })

  it("fails the identifiers of a failed batch and goes on with the next", async () => {
    const error = new Refusal(false)
    const outcomes = await run(
      ["a", "b", "c", "d"],
      settings({ size: 2, call: (ids) => (ids.includes("a") ? Effect.fail(error) : echo(ids)) })
    )
    expect(outcomes.map(short)).toEqual(["Failed a 1", "Failed b 2", "Found c 3", "Found d 4"])
    expect(outcomes[0]).toMatchObject({ error })
  })

  it("ends the run with a fatal error, after every outcome before it", async () => {
    const seen: Array<string> = []
    const fatal = new Refusal(true)
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

  it("counts in the ledger what came out, and nothing that a fatal error dropped", async () => {
    const ledger = Ledger.make()
    const seen: Array<string> = []
    const call: Run["call"] = (ids) =>
      ids.includes("a") ? Effect.delay(Effect.fail(new Refusal(true)), 20) : echo(ids)
    await Effect.runPromiseExit(
      BatchCalls.outcomes(
        Identifiers.fromIterable(["a", "b", "c", "d"]),
        settings({ size: 1, concurrency: 4, call, ledger })
      ).pipe(Stream.runForEach((outcome) => Effect.sync(() => seen.push(outcome.id))))
    )
    expect(seen).toEqual([])
    expect(ledger).toMatchObject({ found: 0, records: 0, batches: 3 })
  })

  it("fails identifiers without a record, instead of calling them missing, when the answer is in doubt", async () => {
    const doubt = new Refusal(false)
    const call: Run["call"] = (ids) =>
      Effect.map(echo(ids.filter((id) => id !== "b")), (answer) => ({ ...answer, doubt }))
    const outcomes = await run(["a", "b", "c"], settings({ call }))
    expect(outcomes.map(short)).toEqual(["Found a 1", "Failed b 2", "Found c 3"])
    expect(outcomes[1]).toMatchObject({ error: doubt })
  })

  it("never has more calls in flight than allowed, and uses what is allowed", async () => {
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

  it("reads no further ahead than the calls in flight need, whatever the length of the input", async () => {
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

  it("keeps batches bounded where the input holds nothing to ask for", async () => {
    const ledger = Ledger.make()
    const outcomes = await run(
      Array.from({ length: 1000 }, () => "!"),
      settings({ ledger })
    )
    expect(outcomes).toHaveLength(1000)
    expect(ledger).toMatchObject({ read: 1000, invalid: 1000, batches: 0 })
  })

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
        fc.record({ unknown: fc.integer({ min: 2, max: 6 }), poison: fc.integer({ min: 2, max: 9 }) }),
        async (texts, shape, fault) => {
          const ledger = Ledger.make()
          const isUnknown = (id: string): boolean => Number(id) % fault.unknown === 1
          const call: Run["call"] = (ids) =>
            ids.length > shape.size || new Set(ids).size !== ids.length
              ? Effect.die("the batch is too large or repeats itself")
              : ids.some((id) => Number(id) % fault.poison === 1)
                ? Effect.fail(new Refusal(false))
                : Effect.map(echo(ids.filter((id) => !isUnknown(id)).reverse()), ({ records }) => ({
                    records: [...records, { key: "foreign", record: "nobody's" }, ...records.slice(0, 1)]
                  }))
          const outcomes = await run(texts, settings({ ...shape, call, ledger }))

          const expected = shape.dedupe
            ? texts.filter((text, index) => text === "!" || texts.indexOf(text) === index)
            : texts
          const ids = outcomes.map((outcome) => outcome.id)
          expect(shape.ordered ? ids : [...ids].sort()).toEqual(
            shape.ordered ? expected : [...expected].sort()
          )
          for (const outcome of outcomes) {
            expect(texts[outcome.line - 1]).toBe(outcome.id)
            if (outcome._tag === "Found") expect(outcome.records).toEqual([`record of ${outcome.id}`])
            if (outcome._tag === "Missing") expect(isUnknown(outcome.id)).toBe(true)
          }
          expect(ledger.read).toBe(texts.length)
          expect(Ledger.accounted(ledger)).toBe(ledger.read)
        }
      )
    )
  })
})

describe("Reconcile.byKey", () => {
  it("goes by the key, whatever the order, and counts what nobody asked for or what comes twice", () => {
    const answer = ["c", "x", "a", "a"].map((key, record) => ({ key, record }))
    expect(Reconcile.byKey(["a", "b", "c"], answer)).toEqual({
      records: new Map([
        ["c", 0],
        ["a", 2]
      ]),
      surplus: 2
    })
  })
})

describe("Ledger.check", () => {
  it("dies loudly when an identifier is lost", async () => {
    const ledger = Ledger.make()
    ledger.read = 3
    ledger.found = 2
    const exit = await Effect.runPromiseExit(Ledger.check(ledger))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "BrokenLaw",
      message: expect.stringContaining("read 3, but found 2 + missing 0")
    })
  })
})
