import { Properties } from "@chemstream/figures"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

describe("Properties", () => {
  it("gives a SMILES and its InChI the same InChIKey", async () => {
    const inchi = "InChI=1S/C15H16O2/c1-15(2,11-3-7-13(16)8-4-11)12-5-9-14(17)10-6-12/h3-10,16-17H,1-2H3"
    const key = "IISBACLAFKSPIT-UHFFFAOYSA-N"
    expect(await run(Properties.inchikey(" CC(C)(c1ccc(O)cc1)c1ccc(O)cc1\n"))).toBe(key)
    expect(await run(Properties.inchikey(inchi))).toBe(key)
    expect(await run(Properties.inchi("CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"))).toBe(inchi)
    // Twice: the second result is cached.
    expect(await run(Properties.inchikey(inchi))).toBe(key)
  })

  it.each([
    ["InChI=1/C3H6Cl2/c1-3(5)2-4/h3H,2H2,1H3", "KNKRKFALVUDBJE-UHFFFAOYSA-N"],
    ["InChI=1S/C3H6Cl2/c1-3(5)2-4/h3H,2H2,1H3", "KNKRKFALVUDBJE-UHFFFAOYSA-N"],
    // Its hydrogen is fixed, which no standard InChI says.
    ["InChI=1/CH2O2/c2-1-3/h1H,(H,2,3)/f/h2H", expect.stringMatching(/N[A-Z]-/)]
  ])("computes the standard InChIKey of %s where it has one", async (text, expected) => {
    expect(await run(Properties.inchikey(text))).toEqual(expected)
  })

  it("says of a group of structures that it has no InChIKey", async () => {
    expect(await run(Effect.flip(Properties.inchikey("*c1ccccc1")))).toMatchObject({
      message: expect.stringContaining("is a group of structures")
    })
  })

  it("computes the mass of the most abundant isotopes", async () => {
    expect(await run(Properties.mass("CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"))).toBeCloseTo(228.11503, 5)
    expect(await run(Properties.mass("[Na+].[Cl-]"))).toBeCloseTo(57.95862, 4)
    // The sum of the atoms: the missing electron of a cation is counted.
    expect(await run(Properties.mass("C[N+](C)(C)CCO"))).toBeCloseTo(104.10754, 5)
  })

  it.each(["", "xyz", "C1CC", "C(C)(C)(C)(C)C", "InChI=1S/xyz", "InChI=", "C".repeat(200_000)])(
    "refuses %.20j as a structure",
    async (text) => {
      expect(await run(Effect.flip(Properties.inchikey(text)))).toMatchObject({ _tag: "UnreadableStructure" })
    }
  )
})
