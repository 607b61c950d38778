import type { BioactivityData } from "@chemstream/api"
import { Plot } from "@chemstream/figures"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { generated, readXml } from "./records.ts"

const run = Effect.runPromise

const [chemicals, runs] = process.env["CHEMSTREAM_TIER"] === "thorough" ? [200, 2000] : [3, 60]

/** Values of any type, in place of numbers and texts. */
const drifted = fc.dictionary(
  fc.constantFrom(
    "ac50",
    "hitc",
    "modl",
    "coff",
    "m4id",
    "aeid",
    "nconc",
    "mc3Param",
    "mc5Param",
    "chnm",
    "top"
  ),
  fc.oneof(
    fc.double(),
    fc.string(),
    fc.constant(null),
    fc.record({ logc: fc.array(fc.double()), resp: fc.array(fc.oneof(fc.double(), fc.constant(null))) }),
    fc.dictionary(fc.constantFrom("tp", "ga", "p", "a", "b", "ac50", "top"), fc.double()),
    fc.constantFrom("hill", "gnls", "pow", "exp3")
  )
) as fc.Arbitrary<BioactivityData.BioactivityData>

describe("both plots", { timeout: 600_000 }, () => {
  it("are well-formed for every record of a generated data set", async () => {
    for (const { data = [] } of await generated(chemicals, 3)) {
      readXml(await run(Plot.hitCalls(data)))
      for (const record of data) readXml(await run(Plot.curve(record)))
    }
  })

  it("are well-formed for records of the wrong types", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drifted, { maxLength: 4 }), async (drift) => {
        for (const svg of [
          await run(Plot.hitCalls(drift)),
          ...(await Promise.all(drift.map((one) => run(Plot.curve(one)))))
        ]) {
          readXml(svg)
          expect(svg).not.toMatch(/NaN|Infinity/)
        }
      }),
      { numRuns: runs, examples: [[[{ ac50: 1.7975e308 } as object]], [[{ coff: 5e-324 }]]] }
    )
  })
})
