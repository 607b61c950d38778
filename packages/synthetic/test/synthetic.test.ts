import { Synthetic } from "@chemstream/synthetic"
import { Effect, Exit, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { collect, type Kind, lines, records } from "./records.ts"

const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

describe("a generated data set", () => {
  it("is the same for the same count and seed", async () => {
    const options = { count: 1500, seed: 7, tested: 0.2 }
    const [once, again] = [await collect(options), await collect(options)]
    for (const kind of kinds) expect(lines(again, kind)).toEqual(lines(once, kind))
  })

  it("differs for another seed", async () => {
    const [one, other] = [await collect({ count: 50, seed: 1 }), await collect({ count: 50, seed: 2 })]
    expect(records(one, "details").map(({ smiles }) => smiles)).not.toEqual(
      records(other, "details").map(({ smiles }) => smiles)
    )
  })

  it("begins with the smaller data sets of its seed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2500 }),
        fc.integer({ min: 0, max: Synthetic.largestSeed }),
        async (count, seed) => {
          const small = await collect({ count, seed, tested: 0.1 })
          const large = await collect({ count: count + 700, seed, tested: 0.1 })
          for (const kind of kinds) {
            const first = lines(small, kind)
            expect(lines(large, kind).slice(0, first.length)).toEqual(first)
          }
        }
      ),
      { numRuns: 4 }
    )
  })

  it("has the same bytes on every machine", async () => {
    const batches = await collect({ count: 300, seed: 42, tested: 0.5 })
    const digest = async (kind: Kind) => {
      const text = new TextEncoder().encode(lines(batches, kind).join("\n"))
      return Buffer.from(await crypto.subtle.digest("SHA-256", text))
        .toString("hex")
        .slice(0, 16)
    }
    expect(await Promise.all(kinds.map(digest))).toEqual([
      "dcbea095d70eec21",
      "272a3fc708009fab",
      "fad26be6acfaf97a",
      "480f03108699e675"
    ])
  })

  it("comes in batches of a thousand substances", async () => {
    const batches = await collect({ count: 2300, seed: 1 })
    expect(batches.map(({ details }) => details.length)).toEqual([1000, 1000, 300])
  })
})

describe("an option out of range", () => {
  it.each([
    { count: 0, seed: 1 },
    { count: 1.5, seed: 1 },
    { count: Synthetic.largestCount + 1, seed: 1 },
    { count: 1, seed: -1 },
    { count: 1, seed: Synthetic.largestSeed + 1 },
    { count: 1, seed: 1, tested: 1.1 },
    { count: 1, seed: 1, tested: Number.NaN },
    { count: 1, seed: 1, families: -0.1 },
    { count: 1, seed: 1, families: 2 }
  ])("is refused with the allowed range: %j", async (options) => {
    const exit = await Effect.runPromiseExit(Stream.runDrain(Synthetic.batches(options)))
    expect(Exit.isFailure(exit) && String(exit.cause)).toMatch(/is .*\. Give .* from \d+ to \d+/)
  })
})
