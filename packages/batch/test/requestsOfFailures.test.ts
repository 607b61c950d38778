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

  it.each([
    [1, 17],
    [16, 17],
    [17, 13],
    [32, 13],
    [33, 14],
    [100, 15]
  ])(
    "ends after 17 failed requests of small batches, or 8 and the bisections of a larger one: %d keys, %d requests",
    async (size, failures) => {
      const keys = Array.from({ length: 200 }, (_, at) => `k${at}`)
      const { requests, shown } = await run(keys, () => "failed", { size, concurrency: 2 })
      expect(shown).toMatchObject({
        message: `none of the first ${failures} requests has succeeded: failed`
      })
      expect(requests.length).toBeLessThanOrEqual(failures + 2)
    }
  )

  it("counts a failure that an outage may have caused after its first success, also of an input that goes on", async () => {
    const requests: Array<string> = []
    const outcomes = Batch.outcomes(Stream.concat(Stream.make("bad", "good"), Stream.never), {
      concurrency: 2,
      size: 1,
      signal: () => "failed",
      call: ([key = ""]) =>
        requests.push(key) > 1
          ? Effect.delay(Effect.succeed({ records: [{ key, record: key }] }), "1 second")
          : Effect.fail("failed")
    })
    const found = await VirtualClock.run(Stream.runCollect(Stream.take(outcomes, 2)))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", "Found"])
    expect(requests).toEqual(["bad", "good", "bad"])
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

  it("waits as long as its policy says", async () => {
    const times: Array<number> = []
    const outcomes = Batch.outcomes(Stream.make("a"), {
      call: () =>
        Effect.gen(function* () {
          times.push(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
          const current = yield* Availability.Current
          if (times.length > 1) return { records: [{ key: "a", record: "a" }] }
          if (current !== undefined) current.retryDelay = 5000
          return yield* Effect.fail("failed")
        })
    })
    expect(await VirtualClock.run(Stream.runCollect(outcomes))).toMatchObject([{ _tag: "Found" }])
    expect(times).toEqual([0, 5000])
  })
})

describe("the failures behind a request", () => {
  it("are the failed requests that carried its keys: a part that is split without a request adds none", async () => {
    // After the first success the others have a bad key, and are split at once.
    const { requests, shown } = await run(["a", "X", "Y", "b"], failingWith("X", "Y"))
    expect(requests).toEqual(["aXYb", "a", "X1", "Yb", "Y2", "b2"])
    expect(shown).toEqual(["Found", "Failed", "Failed", "Found"])
  })

  it("are one in each part: if the first half succeeds, the other one has the bad key, and is split without a request", async () => {
    const { requests, shown } = await run(letters(9), failingWith("h"))
    expect(requests).toEqual(["abcdefghi", "a", "bcde", "fg", "h1", "i1"])
    expect(shown).toEqual([..."abcdefghi"].map((key) => (key === "h" ? "Failed" : "Found")))
  })

  it("are one for each half of a batch that was too large, and none for a request that was not sent", async () => {
    const { requests, shown } = await run(
      letters(4),
      (keys) => (keys.join("") === "cd" ? "large" : undefined),
      { size: 2, classify: () => "halve" }
    )
    expect(requests).toEqual(["ab", "cd", "c1", "d1"])
    expect(shown).toEqual(Array(4).fill("Found"))
    const ledger = Ledger.make()
    const unsent = await run(letters(2), () => "no request", { size: 1, ledger, signal: () => "unsent" })
    expect(unsent.shown).toEqual(["Failed", "Failed"])
    expect(ledger).toMatchObject({ batches: 0, failed: 2 })
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

  it("of a 500 is requested again also if a failure is that of its whole batch", async () => {
    const { requests, shown } = await run(
      ["a", "b"],
      (keys, index) => (keys.includes("b") && index === 1 ? "failed" : undefined),
      { signal: () => "failed", size: 1, onFailure: "failBatch" }
    )
    expect(shown).toEqual(["Found", "Found"])
    expect(requests).toEqual(["a0", "b0", "b1"])
  })

  /** Runs over a good key, whose request probes the service, and one whose requests fail. Returns the requests of that one. */
  const judge = async (
    failures: (attempt: number) => Availability.Signal | undefined,
    probeFails: (probe: number) => boolean
  ) => {
    let attempts = 0
    let probes = 0
    const outcomes = Batch.outcomes(Stream.make("good", "bad"), {
      size: 1,
      concurrency: 1,
      availability: { wait: "1 minute" },
      signal: (error: Availability.Signal) => error,
      call: ([key = ""]) =>
        Effect.gen(function* () {
          yield* Effect.sleep("1 second")
          const current = yield* Availability.Current
          const isProbe = current?.mode === "probe"
          const error = isProbe
            ? probeFails(++probes)
              ? "unavailable"
              : undefined
            : key === "bad"
              ? failures(++attempts)
              : undefined
          return error === undefined
            ? { records: [{ key, record: key }] }
            : yield* Effect.fail<Availability.Signal>(error)
        })
    })
    const result = await VirtualClock.run(Effect.result(Stream.runCollect(outcomes)))
    const shown = result._tag === "Success" ? result.success.map(({ _tag }) => _tag) : result.failure
    return { attempts, shown }
  }

  it.each<[string, ReadonlyArray<Availability.Signal | undefined>, ReadonlyArray<number>, number, string]>([
    ["a second time as before", ["failed", "failed"], [], 2, "Failed"],
    ["and succeeds then", ["failed", undefined], [], 2, "Found"],
    ["in another way, which must be seen twice, too", ["failed", "unreachable", "failed"], [], 3, "Failed"],
    ["in another way, and succeeds then", ["failed", "unreachable", undefined], [], 3, "Found"],
    ["before an outage, which may have been the cause", ["failed", "failed", "failed"], [1], 3, "Failed"],
    ["after an outage, and succeeds then", ["failed", "failed", undefined], [2], 3, "Found"]
  ])("counts if it fails %s", async (_, failures, failedProbes, requests, last) => {
    const { attempts, shown } = await judge(
      (attempt) => failures[attempt - 1],
      (probe) => failedProbes.includes(probe)
    )
    expect(shown).toEqual(["Found", last])
    expect(attempts).toBe(requests)
  })

  it("ends the run if the service is unavailable after each of its failures for longer than the wait", async () => {
    const { attempts, shown } = await judge(
      () => "failed",
      (probe) => probe % 2 === 1
    )
    expect(shown).toMatchObject({ _tag: "ServiceUnavailable" })
    expect(attempts).toBeGreaterThan(5)
    expect(attempts).toBeLessThan(60)
  })

  /** Runs over a good, a bad and another key with two calls at once. Returns the requests of the bad key. */
  const requestsOfBad = async (
    seconds: { readonly good: number; readonly bad: ReadonlyArray<number> },
    failures: { readonly other: number; readonly probe: number }
  ) => {
    const counts = { good: 0, bad: 0, other: 0, probe: 0 }
    const outcomes = Batch.outcomes(Stream.make("good", "bad", "other"), {
      size: 1,
      concurrency: 2,
      signal: (error: Availability.Signal) => error,
      call: ([key = ""]) =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          const kind = current?.mode === "probe" ? "probe" : (key as keyof typeof counts)
          const attempt = ++counts[kind]
          const wait = kind === "bad" ? seconds.bad[attempt - 1] : kind === "good" ? seconds.good : 3
          yield* Effect.sleep((wait ?? 1) * 1000)
          if (kind === "bad") return yield* Effect.fail<Availability.Signal>("failed")
          if (kind !== "good" && attempt === failures[kind])
            return yield* Effect.fail<Availability.Signal>("unavailable")
          return { records: [{ key, record: key }] }
        })
    })
    const found = await VirtualClock.run(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(["Found", "Failed", "Found"])
    return counts.bad
  }

  it.each([
    ["no more", "one has", 1, [1, 2], [0, 0], 2],
    ["once more", "an outage began between the two", 1, [2, 10], [1, 2], 3]
  ])(
    "that failed twice is requested %s if %s",
    async (_, __, good, bad, [other = 0, probe = 0], requests) => {
      expect(await requestsOfBad({ good, bad }, { other, probe })).toBe(requests)
    }
  )

  it("leaves the probes to the first key of a batch without records, if none was found", async () => {
    const probes: Array<ReadonlyArray<string>> = []
    let requests = 0
    const outcomes = Batch.outcomes(Stream.fromIterable(letters(4)), {
      size: 2,
      concurrency: 1,
      signal: () => "unavailable",
      call: (keys) =>
        Effect.gen(function* () {
          const current = yield* Availability.Current
          if (current?.mode === "probe") probes.push(keys)
          else if (++requests === 2) return yield* Effect.fail("unavailable")
          return { records: [] }
        })
    })
    const found = await VirtualClock.run(Stream.runCollect(outcomes))
    expect(found.map(({ _tag }) => _tag)).toEqual(Array(4).fill("Missing"))
    expect(probes).toEqual([["a"]])
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
