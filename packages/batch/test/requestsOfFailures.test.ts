/** Which requests follow a failed one: their keys, their order, and the failed requests that a key has behind it. */
import { Availability, Batch, Ledger, RequestGate } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as VirtualClock from "./virtualClock.ts"

const letters = (count: number): ReadonlyArray<string> => [..."abcdefghijklmnopqrstuvwxyz"].slice(0, count)

/** Returns the error of a request by its keys and its number from 0. Undefined: it succeeds. */
type Fails = (keys: ReadonlyArray<string>, index: number) => string | undefined

const failingWith =
  (...bad: ReadonlyArray<string>): Fails =>
  (keys) =>
    keys.some((key) => bad.includes(key)) ? "failed" : undefined

/**
 * Runs over keys with one call at a time, whose policy makes some attempts. Returns the requests, each as its keys and the failures
 * behind them if the call may retry, and the outcomes.
 */
const run = async (
  keys: ReadonlyArray<string>,
  fails: Fails,
  settings: Partial<Batch.OutcomeSettings<string, string, string>> = {},
  attempts = 1
) => {
  const requests: Array<string> = []
  const outcomes = Batch.outcomes(Stream.fromIterable(keys), {
    concurrency: 1,
    call: (some) =>
      Effect.gen(function* () {
        const current = yield* Availability.Current
        const error = fails(some, requests.length)
        requests.push(`${some.join("")}${current?.failures ?? ""}`)
        if (error === undefined) return { records: some.map((key) => ({ key, record: key })) }
        if (current !== undefined && (current.failures ?? 0) + 1 < attempts) current.retryDelay = 1
        return yield* Effect.fail(error)
      }),
    ...settings
  })
  const result = await VirtualClock.run(Effect.result(Stream.runCollect(outcomes)))
  const shown = result._tag === "Success" ? result.success.map(({ _tag }) => _tag) : result.failure
  return { requests, shown }
}

describe("a run without a success", () => {
  it("requests the first, middle and last of up to 16 keys alone, then each other one", async () => {
    const { requests, shown } = await run(letters(16), () => "failed")
    expect(requests).toEqual(["abcdefghijklmnop", ..."aipbcdefghjklmno"])
    expect(shown).toEqual(Array(16).fill("Failed"))
  })

  it("bisects more keys on both sides of the middle, and ends after 8 requests and the bisections to a key", async () => {
    const { requests, shown } = await run(letters(17), () => "failed")
    const parts = ["a", "i", "q", "bcdefgh", "jklmnop", "bcd", "efgh", "jkl", "mnop", "b", "cd", "ef"]
    expect(requests).toEqual(["abcdefghijklmnopq", ...parts])
    expect(shown).toMatchObject({ message: "none of the first 13 requests has succeeded: failed" })
  })

  it("does not end while a request is in flight that may succeed", async () => {
    const outcomes = Batch.outcomes(Stream.fromIterable(["slow", ...letters(26)]), {
      concurrency: 26,
      size: 1,
      call: ([key = ""]) =>
        key === "slow"
          ? Effect.delay(Effect.succeed({ records: [{ key, record: key }] }), "1 minute")
          : Effect.fail("failed")
    })
    const found = await VirtualClock.run(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", ...Array(26).fill("Failed")])
  })
})

describe("the repetition of a key that failed alone before the first success", () => {
  const afterwards =
    (...errors: ReadonlyArray<string | undefined>): Fails =>
    (_, index) =>
      index < errors.length ? errors[index] : "failed"

  it.each<[string, Fails, unknown, ReadonlyArray<string>]>([
    ["the second fails, too", () => "failed", ["Failed"], ["a", "a1"]],
    ["the second succeeds", afterwards("failed", undefined), ["Found"], ["a", "a1"]],
    ["the second says that it is missing", afterwards("failed", "missing"), ["Missing"], ["a", "a1"]],
    ["the second stops the run", afterwards("failed", "stop"), "stop", ["a", "a1"]]
  ])("is made if its policy has an attempt left: %s", async (_, fails, shown, requests) => {
    const classify = (error: string) => (error === "failed" ? "isolate" : (error as Batch.Verdict))
    expect(await run(["a"], fails, { classify }, 3)).toEqual({ requests, shown })
  })
})

describe("the failures behind a request", () => {
  it("are the failed requests that carried its keys: a part that is split without a request adds none", async () => {
    // After the first success the others have a bad key, and are split at once.
    const { requests, shown } = await run(["a", "X", "Y", "b"], failingWith("X", "Y"))
    expect(requests).toEqual(["aXYb", "a", "X1", "Yb", "Y2", "b2"])
    expect(shown).toEqual(["Found", "Failed", "Failed", "Found"])
  })

  it("are one for a key in doubt, whose batch is not requested again: with one such key, it is alone", async () => {
    for (const keys of [["a", "b"], letters(3), letters(5)]) {
      const requests: Array<string> = []
      const outcomes = Batch.outcomes(Stream.fromIterable(keys), {
        call: (some) =>
          Effect.map(Availability.Current, (current) => {
            requests.push(`${some.join("")}${current?.failures ?? ""}`)
            const records = some.filter((key) => key === "a").map((key) => ({ key, record: key }))
            return some.length > 1 ? { records, doubt: "no key" } : { records }
          })
      })
      const found = await Effect.runPromise(Stream.runCollect(outcomes))
      expect(found.map(({ _tag }) => _tag)).toEqual(["Found", ...keys.slice(1).map(() => "Missing")])
      expect(requests).not.toContain("")
      expect(requests[1]).toMatch(keys.length < 4 ? /^b1$/ : /^bc$/)
    }
  })
})

describe("a failed key", () => {
  it("of a 500 is requested again alone, once the service has proved to be available", async () => {
    const failed = { signal: () => "failed" as const, size: 2 }
    const { requests, shown } = await run(["a", "b", "X", "Y", "c", "d"], failingWith("X", "Y"), failed)
    expect(shown).toEqual(["Found", "Found", "Failed", "Failed", "Found", "Found"])
    // The second failure in a row is judged before a third.
    expect(requests).toEqual(["ab", "XY", "X1", "Y1", "Y2", "X2", "cd"])
  })
})

describe("the slots of a run", () => {
  it("are counted as in flight once, whether a call uses the gate for none, one or several requests", async () => {
    for (const requests of [0, 1, 3]) {
      const ledger = Ledger.make()
      const counts: Array<number> = []
      const outcomes = Batch.outcomes(Stream.fromIterable(letters(4)), {
        size: 1,
        concurrency: 2,
        ledger,
        call: ([key = ""]) =>
          Effect.gen(function* () {
            const gate = yield* RequestGate.RequestGate
            const note = Effect.sync(() => counts.push(ledger.inFlight))
            if (requests === 0) yield* note
            for (let count = 0; count < requests; count++) yield* gate(Effect.andThen(Effect.yieldNow, note))
            return { records: [{ key, record: key }] }
          })
      })
      await Effect.runPromise(Stream.runDrain(outcomes))
      expect(Math.max(...counts)).toBeLessThanOrEqual(2)
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(1)
      expect(ledger.inFlight).toBe(0)
    }
  })
})
