/** Runs that continue an earlier one: the spans and digests of batches, and what a resumed run requests and counts. */
import { Batch, Ledger, ResumePoint } from "@chemstream/batch"
import { Effect, Result, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const words = ["a", "b", "-", "a", "c", "d", "b", "e", "f", "-", "g", "h"]

/** Runs over items, of which `-` has no key. Returns the batches, the requested keys and the ledger. */
const run = async (
  items: ReadonlyArray<string>,
  settings: Partial<Batch.Settings<string, string, unknown, never, string>> = {}
) => {
  const requested: Array<ReadonlyArray<string>> = []
  const ledger = Ledger.make()
  const batches = Batch.batches(Stream.fromIterable(items), {
    key: (item) => (item === "-" ? Result.fail("no key") : Result.succeed(item)),
    call: async (keys) => {
      requested.push(keys)
      return { records: keys.map((key) => ({ key, record: key })) }
    },
    size: 2,
    ledger,
    ...settings
  })
  const result = await Effect.runPromise(Effect.result(Stream.runCollect(batches)))
  return { result, batches: Result.isSuccess(result) ? result.success : [], requested, ledger }
}

describe("the batches of a run", () => {
  it("have the spans of all their items, with duplicates and invalid ones", async () => {
    const { batches, ledger, requested } = await run(words)
    expect(requested).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
      ["g", "h"]
    ])
    expect(
      batches.map(({ outcomes, spans }) => [spans, outcomes.map(({ _tag, item }) => `${_tag} ${item}`)])
    ).toEqual([
      [[{ from: 0, to: 2 }], ["Found a", "Found b"]],
      [[{ from: 2, to: 6 }], ["Invalid -", "Found c", "Found d"]],
      [[{ from: 6, to: 9 }], ["Found e", "Found f"]],
      [[{ from: 9, to: 12 }], ["Invalid -", "Found g", "Found h"]]
    ])
    expect(ledger).toMatchObject({ read: 12, found: 8, invalid: 2, duplicates: 2 })
  })

  it("have at most twice as many items as keys, if most are invalid or repeat a key of the batch", async () => {
    const invalid = await run(Array.from({ length: 10 }, () => "-"))
    expect(invalid.batches.map(({ spans }) => spans)).toEqual([
      [{ from: 0, to: 4 }],
      [{ from: 4, to: 8 }],
      [{ from: 8, to: 10 }]
    ])
    const repeated = await run(
      Array.from({ length: 6 }, () => "a"),
      { dedupe: false }
    )
    expect(repeated.requested).toEqual([["a"], ["a"]])
    expect(repeated.batches.map(({ outcomes }) => outcomes.length)).toEqual([4, 2])
  })

  it("count the keys that look wrong", async () => {
    const { batches, ledger } = await run(words, { isSuspicious: (key) => key > "d" })
    expect(batches.map(({ suspicious }) => suspicious)).toEqual([0, 0, 2, 2])
    expect(ledger.suspicious).toBe(4)
  })

  it("have the same digest in every release, which stored resume points hold", async () => {
    const digests = (await run(words)).batches.map(({ digest }) => digest)
    expect(digests).toEqual(["d559cc2c8c439144", "02caec871d97ce37", "6e640d06cbea8fbe", "5ab09b44a8ba0b74"])
    expect(new Set(digests).size).toBe(4)
    const other = await run(["ab", "c"], { size: 2 })
    expect(other.batches[0]?.digest).not.toBe((await run(["a", "bc"], { size: 2 })).batches[0]?.digest)
  })
})

describe("a resumed run", () => {
  const digestOf = async (items: ReadonlyArray<string>): Promise<string> =>
    (await run(items, { size: 100 })).batches.at(-1)?.digest ?? ""

  it("settles exactly the items that the earlier run has not, in order, whatever these are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (isSettled) => {
        const settled = isSettled.flatMap((is, at) => (is ? [{ from: at, to: at + 1 }] : []))
        const spans = ResumePoint.merge([], settled)
        const end = spans.at(-1)?.to ?? 0
        const digest = await digestOf(words.slice(0, end))
        const { batches, ledger } = await run(words, { resumePoint: { spans, digest } })
        const positions = batches.flatMap((batch) =>
          batch.spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
        )
        expect(positions).toEqual(words.map((_, at) => at).filter((at) => isSettled[at] !== true))
        expect(ledger.read).toBe(positions.length)
        const all = batches.reduce((merged, batch) => ResumePoint.merge(merged, batch.spans), spans)
        expect(all).toEqual([{ from: 0, to: 12 }])
      }),
      { numRuns: 60 }
    )
  })

  it("does not request a key again that the earlier run has settled", async () => {
    const resumePoint = { spans: [{ from: 0, to: 3 }], digest: await digestOf(words.slice(0, 3)) }
    const { ledger, requested } = await run(words, { resumePoint })
    expect(requested.flat()).toEqual(["c", "d", "e", "f", "g", "h"])
    expect(ledger).toMatchObject({ read: 9, found: 6, duplicates: 2, invalid: 1 })
  })

  it("refuses an input whose settled part has changed, or is shorter, with the numbers", async () => {
    const digest = await digestOf(words.slice(0, 3))
    const resumePoint = {
      spans: [
        { from: 0, to: 1 },
        { from: 2, to: 3 }
      ],
      digest
    }
    const changed = await run(["a", "x", "-", "a"], { resumePoint })
    expect(changed.result).toMatchObject({
      failure: {
        _tag: "InputMismatch",
        settled: 3,
        message: expect.stringContaining("its first 3 items have changed")
      }
    })
    expect(changed.requested).toEqual([])
    const shorter = await run(["a", "b"], { resumePoint })
    expect(shorter.result).toMatchObject({
      failure: {
        settled: 3,
        items: 2,
        message: expect.stringContaining("it has 2 items, but the earlier run has read at least 3")
      }
    })
    expect(shorter.requested).toEqual([])
    expect((await run(words.slice(0, 3), { resumePoint })).requested).toEqual([["b"]])
  })

  it("compares items by their fingerprint if one is given", async () => {
    const settings = { fingerprint: (item: string) => item.toUpperCase() }
    const [first] = (await run(["a", "b"], settings)).batches
    const resumePoint = { spans: [{ from: 0, to: 2 }], digest: first?.digest ?? "" }
    expect((await run(["A", "B", "c"], { ...settings, resumePoint })).requested).toEqual([["c"]])
    expect((await run(["A", "x", "c"], { ...settings, resumePoint })).result).toMatchObject({
      failure: { settled: 2 }
    })
  })

  it("refuses a resume point without spans", async () => {
    const { result } = await run(words, { resumePoint: { digest: "" } as never })
    expect(result).toMatchObject({ failure: { _tag: "InvalidOption", option: "resumePoint" } })
  })
})

describe("spans", () => {
  const spans = (text: string) =>
    text
      .split(" ")
      .filter(Boolean)
      .map((one) => {
        const [from = 0, to = 0] = one.split("-").map(Number)
        return { from, to }
      })
  it.each([
    ["", "", ""],
    ["0-2", "2-4", "0-4"],
    ["2-4", "0-2", "0-4"],
    ["0-2 6-8", "3-5", "0-2 3-5 6-8"],
    ["0-2 6-8", "2-6", "0-8"],
    ["", "4-5 1-2", "1-2 4-5"]
  ])("merge sorted, and join if they are adjacent: %s and %s", (one, other, merged) => {
    expect(ResumePoint.merge(spans(one), spans(other))).toEqual(spans(merged))
  })

  it("have the positions from the start to before the end", () => {
    const set = ResumePoint.spanSet(spans("1-3 5-6"))
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(set.has)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
      false
    ])
    expect(set.end).toBe(6)
    expect(ResumePoint.spanSet([]).end).toBe(0)
    expect(ResumePoint.spanSet([]).has(0)).toBe(false)
  })

  it.each([[[{ from: 1 }]], [[{ to: 1 }]], [5]])("are refused without their ends: %j", (given) => {
    expect(() => ResumePoint.spanSet(given as never)).toThrow(/spans/)
    expect(() => ResumePoint.merge([], given as never)).toThrow(/more/)
    expect(() => ResumePoint.merge(given as never, [])).toThrow(/sorted/)
  })
})
