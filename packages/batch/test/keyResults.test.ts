/** What a response says about each key, and which keys are requested again because of it. */
import { Batch, Ledger, Outcome, Reconcile } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

type Response = Batch.CallResult<string, string>

const found = (...keys: ReadonlyArray<string>) => keys.map((key) => ({ key, record: key }))

/** Runs over keys in one batch. Returns the outcomes and the requests. */
const run = async (
  keys: ReadonlyArray<string>,
  call: (keys: ReadonlyArray<string>) => Response,
  settings: Partial<Batch.OutcomeSettings<string, string, string>> = {}
) => {
  const requests: Array<string> = []
  const ledger = Ledger.make()
  const outcomes = await Effect.runPromise(
    Stream.runCollect(
      Batch.outcomes(Stream.fromIterable(keys), {
        call: (some) => {
          requests.push(some.join(""))
          return Effect.succeed(call(some))
        },
        ledger,
        ...settings
      })
    )
  )
  const shown = outcomes.map((one) => {
    if (one._tag === "Failed")
      return `${one._tag} ${one.key}: ${String(one.error)}, ${one.records?.length ?? "no"} records`
    if (one._tag === "Missing") return `${one._tag} ${one.key}: ${one.suggestions ?? "nothing"}`
    return one._tag === "Invalid" ? one._tag : `${one._tag} ${one.key}`
  })
  return { outcomes, shown, requests, ledger }
}

describe("a response", () => {
  it("gives each key its own error, suggestions and truncation, and a failed key the records that it has", async () => {
    const { outcomes, requests, shown } = await run(["a", "b", "c", "d", "e"], () => ({
      records: found("a", "b"),
      errors: new Map([
        ["b", "damaged"],
        ["c", "lost"]
      ]),
      suggestions: new Map([["d", ["dd", "ddd"]]]),
      truncated: new Map([["a", "capped"]])
    }))
    expect(shown).toEqual([
      "Found a",
      "Failed b: damaged, 1 records",
      "Failed c: lost, no records",
      "Missing d: dd,ddd",
      "Missing e: nothing"
    ])
    expect(outcomes[0]).toHaveProperty("truncated", "capped")
    expect(requests).toEqual(["abcde"])
  })

  it("with a doubt lets no key be missing: keys without a record are requested again until each is alone", async () => {
    const { requests, shown } = await run(["a", "b", "c", "d"], (keys) => ({
      records: found(...keys.filter((key) => key === "a")),
      ...(keys.includes("c") ? { doubt: "a record has no key" } : {})
    }))
    expect(shown).toEqual([
      "Found a",
      "Missing b: nothing",
      "Failed c: a record has no key, no records",
      "Missing d: nothing"
    ])
    expect(requests).toEqual(["abcd", "b", "cd", "c", "d"])
  })

  it("with an unrequested record lets keys without a record be requested once more, with a found one", async () => {
    const { requests, shown } = await run(["a", "b", "c"], (keys) => ({
      records: found(...keys.filter((key) => key !== "c" || keys.length === 2), "x")
    }))
    expect(requests).toEqual(["abc", "ca"].slice(0, requests.length))
    expect(shown.slice(0, 3)).toEqual(["Found a", "Found b", "Found c"])
    const never = await run(["a", "b", "c"], (keys) => ({
      records: found(...keys.filter((key) => key !== "c"), "x")
    }))
    expect(never.requests).toEqual(["abc", "ca"])
    expect(never.shown.slice(0, 3)).toEqual(["Found a", "Found b", "Missing c: nothing"])
    const all = await run(["a", "b"], (keys) => ({ records: found(...keys, "x") }))
    expect(all.requests).toEqual(["ab"])
  })

  it("in which no record has a requested key fails, with a key of each side", async () => {
    const call = (keys: ReadonlyArray<string>): Response => ({
      records: found(...keys.map((key) => key.toUpperCase()))
    })
    const own = await run(["a"], call)
    expect(own.outcomes[0]).toMatchObject({
      error: {
        _tag: "UnmatchedResponse",
        key: "A",
        requestedKey: "a",
        message: expect.stringContaining('"a" was requested, the first record has "A"')
      }
    })
    const settings = { unmatched: (key: unknown, requested: string) => `${key} for ${requested}` }
    expect((await run(["a"], call, settings as never)).shown).toEqual(["Failed a: A for a, no records"])
    expect((await run(["a"], () => ({ records: [] }))).shown).toEqual(["Missing a: nothing"])
  })

  it("needs a review if its records say so", async () => {
    const doubtOf = ([record]: ReadonlyArray<string>) => (record === "b" ? "conflict" : undefined)
    const { ledger, outcomes } = await run(["a", "b"], (keys) => ({ records: found(...keys) }), { doubtOf })
    expect(outcomes.map((one) => "doubt" in one && one.doubt)).toEqual([false, "conflict"])
    expect(ledger).toMatchObject({ found: 2, conflict: 1 })
  })

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["no records", { surplus: [] }],
    ["records that are no list", { records: {} }],
    ["surplus that is no list", { records: [], surplus: 5 }],
    ["errors that are no map", { records: [], errors: {} }],
    ["suggestions that are no map", { records: [], suggestions: [] }],
    ["truncations that are no map", { records: [], truncated: {} }],
    ["bytes that are no number", { records: [], bytes: "5" }],
    ["negative bytes", { records: [], bytes: -1 }]
  ])("is refused as a defect of the call: %s", async (_, response) => {
    for (const answer of [Effect.succeed(response), Promise.resolve(response)]) {
      const outcomes = Batch.outcomes(Stream.make("a"), { call: () => answer as never })
      await expect(Effect.runPromise(Stream.runDrain(outcomes))).rejects.toMatchObject({
        _tag: "InvalidOption",
        option: "call"
      })
    }
  })
})

describe("a key that a failed call settles", () => {
  it("is missing, with the suggestions of the error", async () => {
    const outcomes = Batch.outcomes(Stream.make("a", "b", "c"), {
      call: (keys) =>
        keys.includes("b") || keys.includes("c")
          ? Effect.fail(keys)
          : Effect.succeed({ records: found(...keys) }),
      classify: () => "missing",
      suggestions: ([key]) => (key === "b" ? ["bb"] : [])
    })
    expect(await Effect.runPromise(Stream.runCollect(outcomes))).toMatchObject([
      { _tag: "Found", key: "a" },
      { _tag: "Missing", key: "b", suggestions: ["bb"] },
      { _tag: "Missing", key: "c", suggestions: undefined }
    ])
  })

  it.each<[Batch.OnFailure, Batch.Verdict, ReadonlyArray<string> | undefined]>([
    ["isolate", "isolate", ["Found", "Found", "Failed", "Found"]],
    ["isolate", "fail", ["Failed", "Failed", "Failed", "Failed"]],
    ["isolate", "missing", ["Found", "Found", "Missing", "Found"]],
    ["isolate", "stop", undefined],
    ["failBatch", "isolate", ["Failed", "Failed", "Failed", "Failed"]],
    ["failBatch", "fail", ["Failed", "Failed", "Failed", "Failed"]],
    ["failBatch", "missing", ["Found", "Found", "Missing", "Found"]],
    ["failBatch", "halve", ["Found", "Found", "Failed", "Found"]],
    ["failBatch", "stop", undefined],
    ["abort", "isolate", undefined],
    ["abort", "fail", undefined],
    ["abort", "missing", ["Found", "Found", "Missing", "Found"]],
    ["abort", "halve", ["Found", "Found", "Failed", "Found"]]
  ])("has the outcome of the policy %s after %s", async (onFailure, verdict, expected) => {
    const outcomes = Batch.outcomes(Stream.make("a", "b", "bad", "c"), {
      call: (keys) =>
        keys.includes("bad") ? Effect.fail("refused") : Effect.succeed({ records: found(...keys) }),
      classify: () => verdict,
      onFailure
    })
    const result = await Effect.runPromise(Effect.result(Stream.runCollect(outcomes)))
    if (expected === undefined) expect(result).toMatchObject({ _tag: "Failure", failure: "refused" })
    else expect(result).toMatchObject({ success: expected.map((_tag) => ({ _tag })) })
  })
})

describe("Batch.union", () => {
  it("joins all parts of results: the later result of a key counts, and bytes add up", async () => {
    const batcher = Batch.make<string>({ size: 2 })
    const results = (tag: string) =>
      Effect.runPromise(
        batcher.request(["a", tag, `${tag}2`], (keys) =>
          Effect.succeed({
            records: keys.filter((key) => !key.endsWith("2")).map((key) => ({ key, record: tag })),
            errors: new Map(keys.includes(`${tag}2`) ? [[`${tag}2`, "lost"]] : []),
            suggestions: new Map([[tag, [`${tag}?`]]]),
            surplus: [Outcome.surplus("unidentified", tag)],
            truncated: new Map([[tag, "capped" as const]]),
            ...(tag === "b" ? { bytes: 10 } : {})
          })
        )
      )
    const [b, c] = [await results("b"), await results("c")]
    expect(b.bytes).toBe(20)
    // A kilobyte for each of two records.
    expect(c.bytes).toBe(2048)
    const { bytes, errors, records, suggestions, surplus, truncated } = Batch.union([b, c])
    expect([...records]).toEqual([
      ["a", ["c"]],
      ["b", ["b"]],
      ["c", ["c"]]
    ])
    expect([...errors]).toEqual([
      ["b2", "lost"],
      ["c2", "lost"]
    ])
    expect([...suggestions]).toEqual([
      ["b", ["b?"]],
      ["c", ["c?"]]
    ])
    expect([...truncated]).toEqual([
      ["b", "capped"],
      ["c", "capped"]
    ])
    expect(surplus.map(({ record }) => record)).toEqual(["b", "b", "c", "c"])
    expect(bytes).toBe(2068)
    expect(Batch.union([])).toMatchObject({ bytes: 0, surplus: [] })
    expect(() => Batch.union([{}] as never)).toThrow("parts[0]")
  })
})

describe("Reconcile", () => {
  it("tells requested keys from others in any order, as a set does", () => {
    const key = fc.constantFrom(..."abcdefghijkl")
    fc.assert(
      fc.property(
        fc.uniqueArray(key),
        fc.array(key, { maxLength: 40 }),
        fc.boolean(),
        (keys, ids, isList) => {
          const isRequested = Reconcile.requested(isList ? keys : new Set(keys))
          const known = new Set(keys)
          for (const id of ids) expect(isRequested(id)).toBe(known.has(id))
        }
      )
    )
  })

  it.each([
    ["keys", () => Reconcile.requested(5 as never)],
    ["multiplicity", () => Reconcile.byKey(["a"], [], "two" as never)],
    ["response", () => Reconcile.byKey(["a"], 5 as never, "one")],
    ["response", () => Reconcile.byKey(["a"], [5] as never, "one")]
  ])("refuses a wrong argument by its name: %s", (name, use) => {
    expect(use).toThrow(new RegExp(`^The (argument|option) ${name}`))
  })
})
