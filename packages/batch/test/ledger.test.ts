/** What a ledger counts, and the law that it checks. */
import { Ledger, Outcome } from "@chemstream/batch"
import { Cause, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

const found = (records: number, more: object = {}): Ledger.Entries["outcomes"][number] => ({
  _tag: "Found",
  records: Array.from({ length: records }),
  ...more
})

const spansOf = (...lengths: ReadonlyArray<number>) =>
  lengths.map((length, at) => ({ from: 100 * at, to: 100 * at + length }))

describe("a ledger", () => {
  it.each<[string, Ledger.Entries, Partial<Ledger.OutcomeCounts>]>([
    ["nothing of no items", { outcomes: [], spans: [] }, {}],
    [
      "found items and their records",
      { outcomes: [found(1), found(3)], spans: spansOf(2) },
      { found: 2, records: 4 }
    ],
    [
      "truncated items",
      { outcomes: [found(1, { truncated: "capped" }), found(1)], spans: spansOf(2) },
      { found: 2, records: 2, truncated: 1 }
    ],
    [
      "doubts by their kind",
      {
        outcomes: [
          found(1, { doubt: "ambiguous" }),
          found(1, { doubt: "conflict" }),
          found(1, { doubt: "conflict" })
        ],
        spans: spansOf(3)
      },
      { found: 3, records: 3, ambiguous: 1, conflict: 2 }
    ],
    [
      "missing, failed and invalid items",
      {
        outcomes: [{ _tag: "Missing" }, { _tag: "Failed" }, { _tag: "Failed" }, { _tag: "Invalid" }],
        spans: spansOf(4)
      },
      { missing: 1, failed: 2, invalid: 1 }
    ],
    [
      "surplus records, which are no items",
      { outcomes: [found(1), { _tag: "Surplus" }, { _tag: "Surplus" }], spans: spansOf(1) },
      { found: 1, records: 1, surplus: 2 }
    ],
    [
      "items of spans without an outcome as duplicates",
      { outcomes: [found(1), { _tag: "Surplus" }], spans: spansOf(2, 3) },
      { found: 1, records: 1, surplus: 1, duplicates: 4 }
    ],
    [
      "suspicious items",
      { outcomes: [found(1)], spans: spansOf(1), suspicious: 1 },
      { found: 1, records: 1, suspicious: 1 }
    ]
  ])("counts %s, each time", (_, entries, counts) => {
    const ledger = Ledger.make()
    Ledger.enter(ledger, entries)
    expect(ledger).toEqual({ ...Ledger.make(), ...counts })
    Ledger.enter(ledger, entries)
    const twice = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, 2 * count]))
    expect(ledger).toEqual({ ...Ledger.make(), ...twice })
  })

  const uneven = {
    ...Ledger.make(),
    found: 1,
    missing: 2,
    failed: 4,
    duplicates: 8,
    invalid: 16,
    records: 99,
    surplus: 99,
    suspicious: 99
  }

  it("accounts for items of each outcome once, and not for records", () => {
    expect(Ledger.sum(uneven)).toBe(31)
  })

  it("forgets the items that a stopped run has read without an outcome", () => {
    const ledger = { ...uneven, read: 50 }
    Ledger.begin(ledger)
    expect(ledger).toEqual({ ...uneven, read: 31 })
  })

  it("dies with its counts if they do not add up", async () => {
    await Effect.runPromise(Ledger.check({ ...uneven, read: 31 }))
    for (const read of [30, 32]) {
      const exit = await Effect.runPromiseExit(Ledger.check({ ...uneven, read }))
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      expect(error).toBeInstanceOf(Ledger.LedgerInvariantError)
      expect(error).toMatchObject({
        counts: { read, found: 1, invalid: 16 },
        message: expect.stringContaining(
          `read ${read}, but found 1 + missing 2 + failed 4 + duplicates 8 + invalid 16 = 31.`
        )
      })
    }
  })

  it.each([
    ["no ledger", () => Ledger.enter({} as never, { outcomes: [], spans: [] })],
    ["no entries", () => Ledger.enter(Ledger.make(), undefined as never)],
    ["no outcomes", () => Ledger.enter(Ledger.make(), { outcomes: "Found", spans: [] } as never)],
    ["no spans", () => Ledger.enter(Ledger.make(), { outcomes: [] } as never)],
    ["no counts", () => Ledger.sum({ read: "1" } as never)]
  ])("refuses %s by name", (_, run) => {
    expect(run).toThrow(/^The argument (ledger|entries|counts) /)
  })
})

describe("an outcome in one line", () => {
  it.each<[Outcome.Outcome<unknown, unknown, unknown, unknown>, string]>([
    [{ _tag: "Found", key: "a", item: "a", records: [] }, "found: a: 0 records"],
    [{ _tag: "Found", key: "a", item: "a", records: [1] }, "found: a: 1 record"],
    [
      { _tag: "Found", key: "a", item: "a", records: [1, 2], truncated: "capped" },
      "found: a: 2 records, truncated"
    ],
    [
      { _tag: "Missing", key: "a", item: "a", suggestions: undefined },
      "missing: a: the service does not know a"
    ],
    [{ _tag: "Failed", key: "a", item: "a", error: "down", records: undefined }, "failed: a: down"],
    [{ _tag: "Invalid", item: ["a"], reason: "no text" }, "invalid: a: no text"],
    [Outcome.surplus("repeated", 1, "a"), "surplus: the response has more than one record of a"]
  ])("of %j is %j", (outcome, line) => {
    expect(Outcome.describe(outcome)).toBe(line)
  })

  it.each([
    ["an unknown outcome", () => Outcome.describe({ _tag: "Lost" } as never)],
    ["no outcome", () => Outcome.describe(null as never)],
    ["an unknown reason", () => Outcome.surplus("lost" as never, 1)],
    ["records that are no list", () => Outcome.foundMessage({ records: 5 } as never)],
    ["a surplus without a reason", () => Outcome.surplusMessage({} as never)]
  ])("refuses %s", (_, run) => {
    expect(run).toThrow(/^The argument /)
  })

  it("shows at most 200 characters of an error without a message", () => {
    const error = { text: "x".repeat(500) }
    expect(Outcome.describe({ _tag: "Failed", key: "a", item: "a", error, records: undefined })).toBe(
      `failed: a: ${JSON.stringify(error).slice(0, 200)}`
    )
  })
})
