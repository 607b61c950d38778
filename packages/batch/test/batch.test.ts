import { Batch, InvalidOption, Ledger, Options, Outcome, RequestGate } from "@chemstream/batch"
import { Cause, Deferred, Effect, Exit, Fiber, Result, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { allThatIsReady } from "./virtualClock.ts"

type AnyOutcome = Outcome.Outcome<unknown, unknown, unknown, unknown>

const short = (outcome: AnyOutcome): string =>
  outcome._tag === "Invalid" ? `Invalid ${String(outcome.item)}` : `${outcome._tag} ${outcome.key}`

/** Adds a record that was not requested, a second record of the first key, and a record without a key. */
const echoWithSurplus = async (keys: ReadonlyArray<string>) => ({
  records: [
    ...(await echo(keys)).records,
    { key: "x", record: "x" },
    { key: keys[0] ?? "", record: "second" }
  ],
  surplus: [Outcome.surplus("unidentified", "no key")]
})

const echo = async (keys: ReadonlyArray<string>) => ({
  records: keys.map((key) => ({ key, record: `record of ${key}` }))
})

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `k${at}`)

class Refusal extends Error {
  readonly verdict: Batch.Verdict
  constructor(verdict: Batch.Verdict) {
    super(`refused: ${verdict}`)
    this.verdict = verdict
  }
}

describe("Batch.outcomes", () => {
  it("needs only a call: texts are their own keys, in batches of 100, each once and in order", async () => {
    const sizes: Array<number> = []
    const ledger = Ledger.make()
    const items = [...names(250), "k0"]
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.fromIterable(items), {
          call: (keys) => {
            sizes.push(keys.length)
            return echo(keys)
          },
          ledger
        })
      )
    )
    expect(outcomes.map(short)).toEqual(names(250).map((name) => `Found ${name}`))
    expect(sizes).toEqual([100, 100, 50])
    expect(ledger).toMatchObject({ read: 251, found: 250, duplicates: 1, batches: 3 })
  })

  it("takes items of any type, passes the item of a key to the call, and keeps reasons of invalid items", async () => {
    interface Point {
      readonly x: number
      readonly y: number
    }
    const points: ReadonlyArray<Point> = [
      { x: 1, y: 2 },
      { x: -1, y: 0 },
      { x: 1, y: 2 },
      { x: 3, y: 4 }
    ]
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.fromIterable(points), {
          key: (point) =>
            point.x < 0 ? Result.fail({ code: 7, at: point.x }) : Result.succeed(`${point.x}/${point.y}`),
          call: async (keys, { item: point }) => ({
            records: keys.map((key) => ({ key, record: point(key).x + point(key).y }))
          })
        })
      )
    )
    expect(outcomes).toEqual([
      { _tag: "Found", key: "1/2", item: points[0], records: [3] },
      { _tag: "Invalid", item: points[1], reason: { code: 7, at: -1 } },
      { _tag: "Found", key: "3/4", item: points[3], records: [7] }
    ])
  })

  it("takes numbers as their own keys, and calls that are effects", async () => {
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.make(1, 2), {
          call: (keys) => Effect.succeed({ records: keys.map((key) => ({ key, record: Number(key) * 2 })) })
        })
      )
    )
    expect(outcomes).toMatchObject([
      { key: "1", item: 1, records: [2] },
      { key: "2", item: 2, records: [4] }
    ])
  })

  it("has at most four calls in flight by default", () =>
    Effect.gen(function* () {
      let inFlight = 0
      const ready = yield* Deferred.make<void>()
      const outcomes = Batch.outcomes(Stream.range(1, 20), {
        size: 1,
        call: (keys) =>
          Effect.suspend(() => {
            inFlight++
            return Effect.as(Deferred.await(ready), { records: keys.map((key) => ({ key, record: key })) })
          })
      })
      const fiber = yield* Effect.forkChild(Stream.runCount(outcomes))
      yield* allThatIsReady
      expect(inFlight).toBe(4)
      expect(Batch.defaultConcurrency).toBe(4)
      yield* Deferred.succeed(ready, undefined)
      expect(yield* Fiber.join(fiber)).toBe(20)
    }).pipe(Effect.runPromise))

  it.each([undefined, null, "", 0, "no reason"])(
    "fails an item with the error of its call: %j",
    async (error) => {
      const outcomes = Batch.outcomes(Stream.make("a"), { call: () => Effect.fail(error) })
      expect(await Effect.runPromise(Stream.runCollect(outcomes))).toMatchObject([{ _tag: "Failed", error }])
    }
  )

  it("fails only the item whose call was rejected, with the reason", async () => {
    const error = new Error("poison")
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.fromIterable(names(20)), {
          call: async (keys) => {
            if (keys.includes("k7")) throw error
            return echo(keys)
          }
        })
      )
    )
    expect(outcomes.filter(({ _tag }) => _tag === "Found")).toHaveLength(19)
    expect(outcomes[7]).toMatchObject({ _tag: "Failed", key: "k7", error })
  })

  it("emits each record that belongs to no item, after its batch, and counts it separately", async () => {
    const ledger = Ledger.make()
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.make("a", "b", "a", "c"), { call: echoWithSurplus, size: 2, ledger })
      )
    )
    const surplusOf = (key: string) => [
      { _tag: "Surplus", reason: "unrequested", key: "x", record: "x" },
      { _tag: "Surplus", reason: "repeated", key, record: "second" },
      { _tag: "Surplus", reason: "unidentified", key: undefined, record: "no key" }
    ]
    expect(outcomes).toMatchObject([
      { _tag: "Found", key: "a", records: ["record of a"] },
      { _tag: "Found", key: "b" },
      ...surplusOf("a"),
      { _tag: "Found", key: "c" },
      ...surplusOf("c")
    ])
    expect(ledger).toMatchObject({ read: 4, found: 3, duplicates: 1, records: 3, surplus: 6 })
    expect(Ledger.sum(ledger)).toBe(4)
    expect(outcomes.slice(2, 5).map(Outcome.describe)).toEqual([
      "surplus: the response has a record of x, which was not requested",
      "surplus: the response has more than one record of a",
      "surplus: the response has a record without an identifier"
    ])
  })

  it("marks an item with records left out by the call, and counts it", async () => {
    const ledger = Ledger.make()
    const outcomes = await Effect.runPromise(
      Stream.runCollect(
        Batch.outcomes(Stream.make("a", "b", "c", "d"), {
          call: async (keys) => ({
            ...(await echo(keys.filter((key) => key !== "c"))),
            truncated: new Map([["a", "capped"]])
          }),
          ledger
        })
      )
    )
    expect(outcomes.map((outcome) => outcome._tag === "Found" && outcome.truncated)).toEqual([
      "capped",
      undefined,
      false,
      undefined
    ])
    expect(ledger).toMatchObject({ found: 3, missing: 1, truncated: 1 })
    expect(outcomes.map(Outcome.describe)[0]).toBe("found: a: 1 record, truncated")
  })

  it("dies at an item that is not its own key, if `key` is not set", async () => {
    const exit = await Effect.runPromiseExit(Stream.runDrain(Batch.outcomes(Stream.make({}), { call: echo })))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({
      _tag: "InvalidOption",
      option: "key"
    })
  })
})

describe("An input that fails", () => {
  const broken = new Error("the disk is gone")
  const ends: ReadonlyArray<readonly [string, Stream.Stream<string, Error>, unknown]> = [
    ["fails", Stream.fail(broken), broken],
    ["dies", Stream.die(broken), broken],
    ["is interrupted", Stream.fromEffect(Effect.interrupt), undefined]
  ]
  type Settings = Partial<Batch.OutcomeSettings<string, string>>
  const modes: ReadonlyArray<readonly [string, Settings]> = [
    ["in order", {}],
    ["unordered", { ordered: false }],
    ["with a window", { window: "1 hour" }],
    ["with repeated keys", { dedupe: false, concurrency: 1 }]
  ]
  const runTo = async (input: Stream.Stream<string, Error>, settings: Settings) => {
    const requested: Array<string> = []
    const emitted: Array<string> = []
    const ledger = Ledger.make()
    const outcomes = Batch.outcomes(input, {
      call: async (keys: ReadonlyArray<string>) => {
        requested.push(...keys)
        return echo(keys)
      },
      ledger,
      size: 4,
      ...settings
    })
    const exit = await Effect.runPromiseExit(
      Stream.runForEach(outcomes, (outcome) => Effect.sync(() => emitted.push(short(outcome))))
    )
    return { requested, emitted, exit, ledger }
  }

  for (const [end, failure, error] of ends) {
    for (const [mode, settings] of modes) {
      it(`${end} after all outcomes of the items before it, ${mode}`, async () => {
        const input = Stream.concat(Stream.fromIterable(names(10)), failure)
        const { emitted, exit, ledger, requested } = await runTo(input, settings)
        expect(requested).toEqual(names(10))
        expect(emitted).toEqual(names(10).map((name) => `Found ${name}`))
        expect(ledger).toMatchObject({ read: 10, found: 10 })
        if (Exit.isSuccess(exit)) throw new Error("the run succeeded")
        if (error === undefined) expect(Cause.hasInterruptsOnly(exit.cause)).toBe(true)
        else expect(Cause.squash(exit.cause)).toBe(error)
      })
    }
  }

  it("requests the items before one whose key throws", async () => {
    const { emitted, exit } = await runTo(Stream.fromIterable(names(10)), {
      size: 2,
      key: (item) => {
        if (item === "k5") throw broken
        return item
      }
    })
    expect(emitted).toEqual(names(5).map((name) => `Found ${name}`))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(broken)
  })

  it("requests nothing if the input differs from that of the earlier run", async () => {
    const requested: Array<string> = []
    const read = Batch.batches(Stream.fromIterable(names(3)), {
      call: (keys: ReadonlyArray<string>) => {
        requested.push(...keys)
        return echo(keys)
      },
      resumePoint: { spans: [{ from: 0, to: 1 }], digest: "another" }
    })
    expect(await Effect.runPromise(Effect.flip(Stream.runDrain(read)))).toMatchObject({
      _tag: "InputMismatch"
    })
    expect(requested).toEqual([])
  })

  it("fails with its own error also if it is shorter than that of the earlier run", async () => {
    const read = Batch.batches(Stream.concat(Stream.fromIterable(names(3)), Stream.fail(broken)), {
      call: echo,
      resumePoint: { spans: [{ from: 0, to: 5 }], digest: "" }
    })
    expect(await Effect.runPromise(Effect.flip(Stream.runDrain(read)))).toBe(broken)
  })
})

describe("retry", () => {
  const run = async (verdict: Batch.Verdict, failures: number) => {
    const ledger = Ledger.make()
    let calls = 0
    const exit = await Effect.runPromiseExit(
      Stream.runCollect(
        Batch.outcomes(Stream.make("a"), {
          call: async (keys) => {
            if (++calls <= failures) throw new Refusal(verdict)
            return echo(keys)
          },
          classify: (error: Refusal) => error.verdict,
          retry: Schedule.recurs(2),
          ledger
        })
      )
    )
    return { calls, ledger, outcomes: Exit.isSuccess(exit) ? exit.value.map(short) : undefined }
  }

  it("retries a failed call as the schedule says, and counts it", async () => {
    const { calls, ledger, outcomes } = await run("fail", 2)
    expect({ calls, outcomes }).toEqual({ calls: 3, outcomes: ["Found a"] })
    expect(ledger).toMatchObject({ retries: 2, batches: 1 })
  })

  it("fails the item when the schedule ends", async () => {
    const { calls, outcomes } = await run("isolate", 5)
    expect({ calls, outcomes }).toEqual({ calls: 3, outcomes: ["Failed a"] })
  })

  it.each([
    ["stop", undefined],
    ["missing", ["Missing a"]],
    ["halve", ["Failed a"]]
  ] as const)("does not happen if another attempt cannot help: %s", async (verdict, expected) => {
    const { calls, outcomes } = await run(verdict, 5)
    expect({ calls, outcomes }).toEqual({ calls: 1, outcomes: expected })
  })
})

describe("rate", () => {
  it("keeps calls apart, retries included", async () => {
    const times: Array<number> = []
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        Stream.runCollect(
          Batch.outcomes(Stream.fromIterable(names(4)), {
            size: 1,
            rate: 2,
            retry: Schedule.recurs(1),
            classify: (): Batch.Verdict => "fail",
            call: (keys) =>
              Effect.clockWith((clock) => {
                times.push(clock.currentTimeMillisUnsafe())
                return times.length === 2 ? Effect.fail(new Error("once")) : Effect.promise(() => echo(keys))
              })
          })
        ),
        { startImmediately: true }
      )
      for (let tenths = 0; tenths < 40; tenths++) {
        for (let turns = 0; turns < 50; turns++) yield* Effect.yieldNow
        yield* Effect.promise(() => Promise.resolve())
        yield* TestClock.adjust(100)
      }
      return yield* Fiber.join(fiber)
    })
    const outcomes = await Effect.runPromise(Effect.provide(program, TestClock.layer()))
    expect(outcomes.map(short)).toEqual(names(4).map((name) => `Found ${name}`))
    expect(times).toEqual([0, 500, 1000, 1500, 2000])
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s", async (rate) => {
    const result = await Effect.runPromise(
      Effect.result(Stream.runDrain(Batch.outcomes(Stream.make("a"), { call: echo, rate })))
    )
    expect(result).toMatchObject({ failure: { _tag: "InvalidOption", option: "rate", value: rate } })
  })
})

describe("Batch.make", () => {
  it("requests any number of keys with at most `concurrency` calls in flight, and returns the results of each", async () => {
    let inFlight = 0
    let most = 0
    const batcher = Batch.make({ size: 3, concurrency: 2 })
    const { errors, records } = await Effect.runPromise(
      batcher.request(names(20), (keys) =>
        Effect.gen(function* () {
          most = Math.max(most, ++inFlight)
          yield* Effect.sleep("1 second")
          inFlight--
          return yield* Effect.promise(() => echo(keys.filter((key) => key !== "k5")))
        })
      )
    )
    expect([...records.keys()]).toEqual(names(20).filter((name) => name !== "k5"))
    expect(errors.size).toBe(0)
    expect(most).toBe(2)
  })

  it("returns the records that belong to no key, and counts them", async () => {
    const ledger = Ledger.make()
    const batcher = Batch.make({ size: 1, multiplicity: "many", ledger })
    const settled = await Effect.runPromise(batcher.request(["a", "b"], echoWithSurplus))
    expect(settled.records.get("a")).toEqual(["record of a", "second"])
    expect(settled.surplus.map(({ reason }) => reason)).toEqual([
      "unrequested",
      "unidentified",
      "unrequested",
      "unidentified"
    ])
    expect(ledger.surplus).toBe(4)
  })

  it("remembers a size that was too large, and grows back later", async () => {
    const sizes: Array<number> = []
    let refusals = 2
    const batcher = Batch.make<Refusal>({ size: 8, concurrency: 1, classify: ({ verdict }) => verdict })
    const ask = batcher.request(names(8), (keys) => {
      sizes.push(keys.length)
      return refusals-- > 0 ? Effect.fail(new Refusal("halve")) : Effect.promise(() => echo(keys))
    })
    for (let round = 0; round < 30; round++) await Effect.runPromise(ask)
    expect(sizes.slice(0, 6)).toEqual([8, 4, 2, 2, 2, 2])
    expect(sizes.slice(-5)).toEqual([8, 8, 8, 8, 8])
    expect(batcher.size()).toBe(8)
  })

  it.each([
    [{ size: "\u001b[31m4\u009b" }, 'The option size is "\\u001b[31m4\\u009b". Give'],
    [{ "\u001b[31msise": 4 }, "The option \\u001b[31msise is unknown. Give"],
    [{ size: "4".repeat(1000) }, `The option size is "${"4".repeat(200)}…". Give`]
  ])("shows no control character and no long text of an invalid option: %j", (options, message) => {
    expect(Options.problem(Batch.batcherSet, options)?.message).toContain(message)
  })

  it("throws on an invalid option", () => {
    expect(() => Batch.make({ size: 0 })).toThrow(InvalidOption.InvalidOption)
  })
})

describe("an unknown option", () => {
  it("of a run or a batcher is refused, with the nearest name or all names", async () => {
    const messageOf = async (options: object) => {
      const outcomes = Batch.outcomes(Stream.make("a"), { call: echo, ...options } as never)
      return String(await Effect.runPromise(Effect.flip(Stream.runDrain(outcomes))))
    }
    expect(await messageOf({ concurency: 2 })).toContain(
      "The option concurency is unknown. Give concurrency."
    )
    expect(await messageOf({ chunkSize: 2 })).toMatch(
      /The option chunkSize is unknown. Give one of .*\bsize\b/
    )
    expect(() => Batch.make({ chunkSize: 2 } as never)).toThrow(
      "The option chunkSize is unknown. Give one of "
    )
  })
})

describe("wrong arguments", () => {
  const wrong = (run: () => unknown) => async () => {
    const effect = run()
    const drained = Stream.isStream(effect) ? Stream.runDrain(effect) : effect
    return Effect.runPromise(drained as Effect.Effect<unknown, unknown>)
  }
  const items = Stream.make("a")
  const failing = () => Effect.fail("down")
  it.each<[string, () => unknown, RegExp]>([
    ["no settings", () => Batch.outcomes(items, undefined as never), /The argument settings is missing/],
    [
      "no stream",
      () => Batch.outcomes(["a"] as never, { call: echo }),
      /items is a list. Give a stream of Effect/
    ],
    ["no stream, in a pipe", () => Batch.outcomes({ call: echo })(5 as never), /The argument items is 5/],
    [
      "records without objects",
      () => Batch.outcomes(items, { call: async () => ({ records: [undefined] }) } as never),
      /The option call is an object. Give a function that returns \{ records \}/
    ],
    [
      "an unknown verdict",
      () => Batch.outcomes(items, { call: failing, classify: () => "skip" } as never),
      /The option classify is "skip". Give a function that returns one of stop, halve/
    ],
    [
      "an unknown signal",
      () => Batch.outcomes(items, { call: failing, signal: () => "down" } as never),
      /The option signal is "down". Give a function that returns one of responded/
    ],
    [
      "a text instead of a list of keys",
      () => Batch.make({}).request("a" as never, echo),
      /The argument keys is "a". Give a list, each a text/
    ],
    [
      "a missing key",
      () => Batch.make({}).request([undefined] as never, echo),
      /The option keys\[0\] is missing/
    ],
    ["no call", () => Batch.make({}).request(["a"], undefined as never), /The argument call is missing/]
  ])("%s: the error says what to give", async (_, run, message) => {
    await expect(wrong(run)()).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringMatching(message)
    })
  })
})

describe("options that are no object", () => {
  it.each([
    ["settings", "fast"],
    ["availability", { call: echo, availability: "1 minute" }]
  ])("are refused by their name: %s", async (option, options) => {
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(Batch.outcomes(Stream.make("a"), options as never)))
    )
    expect(error).toMatchObject({ _tag: "InvalidOption", option })
  })
})

describe("RequestGate", () => {
  it("releases its slot when the response has arrived, before it is read", async () => {
    const events: Array<string> = []
    await Effect.runPromise(
      Stream.runDrain(
        Batch.outcomes(Stream.make("a", "b"), {
          size: 1,
          concurrency: 1,
          call: (keys) =>
            Effect.gen(function* () {
              const gate = yield* RequestGate.RequestGate
              yield* gate(Effect.sync(() => events.push(`send ${keys[0]}`)))
              for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
              events.push(`read ${keys[0]}`)
              return yield* Effect.promise(() => echo(keys))
            })
        })
      )
    )
    expect(events).toEqual(["send a", "send b", "read a", "read b"])
  })
})
