import { Properties } from "@chemstream/figures"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

describe("Properties", () => {
  it("computes the same InChIKey from a SMILES and from its InChI", async () => {
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
    // It has a layer of fixed hydrogens, which a standard InChI cannot have.
    ["InChI=1/CH2O2/c2-1-3/h1H,(H,2,3)/f/h2H", expect.stringMatching(/N[A-Z]-/)]
  ])("computes the InChIKey of %s, the standard one if possible", async (text, expected) => {
    expect(await run(Properties.inchikey(text))).toEqual(expected)
  })

  it("reports that a group of structures has no InChIKey", async () => {
    expect(await run(Effect.flip(Properties.inchikey("*c1ccccc1")))).toMatchObject({
      message: expect.stringContaining("is a group of structures")
    })
  })

  it("computes the mass of the most abundant isotopes", async () => {
    expect(await run(Properties.mass("CC(C)(c1ccc(O)cc1)c1ccc(O)cc1"))).toBeCloseTo(228.11503, 5)
    expect(await run(Properties.mass("[Na+].[Cl-]"))).toBeCloseTo(57.95862, 4)
    // The mass of the atoms, without the loss of an electron in a cation.
    expect(await run(Properties.mass("C[N+](C)(C)CCO"))).toBeCloseTo(104.10754, 5)
  })

  it.each(["", "xyz", "C1CC", "C(C)(C)(C)(C)C", "InChI=1S/xyz", "InChI=", "C".repeat(200_000)])(
    "refuses %.20j as a structure",
    async (text) => {
      expect(await run(Effect.flip(Properties.inchikey(text)))).toMatchObject({ _tag: "UnreadableStructure" })
    }
  )
})
