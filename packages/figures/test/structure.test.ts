import { Png, Structure } from "@chemstream/figures"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { generated, hostileName, readXml } from "./records.ts"

const run = Effect.runPromise

/** Structures of many kinds. */
const structures = {
  "bisphenol A": "CC(C)(C1=CC=C(O)C=C1)C1=CC=C(O)C=C1",
  caffeine: "CN1C=NC2=C1C(=O)N(C)C(=O)N2C",
  "a salt": "[Na+].[O-]C(=O)C1=CC=CC=C1",
  "a perfluorinated acid": "OC(=O)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)F",
  "a steroid": "C[C@]12CC[C@H]3[C@@H](CC=C4C[C@@H](O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
  "a single atom": "[Na+]",
  methane: "C",
  "a hydrate with a metal": "O.O.O.O.O.[Cu+2].[O-]S([O-])(=O)=O",
  "several acids": "OC(=O)C=CC(O)=O.OC(=O)C=CC(O)=O.CN1CCNCC1",
  "a nitro compound": "[O-][N+](=O)c1ccccc1",
  "an ylide": "[CH2-][N+](C)(C)C",
  "a radical": "CC1(C)CCCC(C)(C)N1[O].Cl",
  "an isotope": "[13CH4]",
  "an open position": "*C(=O)O*",
  "an impossible valence": "FS(F)(F)(F)(F)(F)F",
  "a Markush structure": "[*]C1=CC=CC=C1 |$_R1;;;;;;$,RG:_R1={Cl* |$;_AP1$,lp:0:3|},LOG={_R1:;H;>0}|"
}

const molBlock = `ethanol

  a mol block has three lines before its counts
  3  2  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.2500    1.3000    0.0000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
`

describe("toSvg", () => {
  it.each(Object.entries(structures))(
    "draws %s as well-formed SVG without text elements",
    async (title, text) => {
      const svg = await run(Structure.toSvg(text, { title }))
      const { names, text: words } = readXml(svg)
      expect(names[0]).toBe("svg")
      expect(names).not.toContain("text")
      expect(words.trim()).toBe(title)
    }
  )

  it("draws a mol block as it draws a SMILES", async () => {
    const svg = await run(Structure.toSvg(molBlock))
    expect(readXml(svg).names).toContain("path")
  })

  it("has the requested size", async () => {
    const svg = await run(Structure.toSvg("CCO", { width: 111, height: 99 }))
    expect(svg).toContain('width="111" height="99" viewBox="0 0 111 99"')
  })

  it("ends where the structure ends if it is cropped, at the size for print", async () => {
    const svg = await run(Structure.toSvg("Oc1ccc(O)cc1", { crop: true, width: 999 }))
    const [, width, height] = (/width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg) ?? []).map(Number)
    expect(width).toBeGreaterThan(20)
    expect(width).toBeLessThan(40)
    expect(height).toBeLessThan(15)
  })

  /** The highest class of atoms in a drawing, which has a class for each. */
  const lastAtom = (svg: string) => Math.max(...[...svg.matchAll(/atom-(\d+)/g)].map(([, at]) => Number(at)))

  it.each([
    ["[Na+].[Na+].[O-]C(=O)CC([O-])=O", "[Na+].[O-]C(=O)CC([O-])=O", 0],
    ["O.O.O.O.O.CC(N)C(O)=O", "O.CC(N)C(O)=O", 0],
    // The number is one label more.
    ["CN.CN.OS(O)(=O)=O", "CN.OS(O)(=O)=O", 1]
  ])("draws equal components of %s once, with their number", async (repeated, once, more) => {
    const [a, b] = [await run(Structure.toSvg(repeated)), await run(Structure.toSvg(once))]
    expect(lastAtom(a)).toBe(lastAtom(b) + more)
    expect(a).not.toBe(b)
  })

  it("writes the sign of a charge on the side without a bond", async () => {
    // Malonate: one oxygen has its bond on the right, the other on the left.
    const svg = await run(Structure.toSvg("[O-]C(=O)CC([O-])=O", { palette: "elements" }))
    const centre = (path: string): number => {
      const xs = [...path.matchAll(/[ML ] ?([\d.]+)[ ,][\d.]+/g)].map(([, x]) => Number(x))
      return (Math.min(...xs) + Math.max(...xs)) / 2
    }
    const glyphs = [...svg.matchAll(/<path class='(atom-\d+)' d='([^']*)' fill/g)].map(
      ([, atom, d = ""]) => ({
        atom,
        x: centre(d),
        size: d.length
      })
    )
    const atoms = [...Map.groupBy(glyphs, ({ atom }) => atom).values()].filter(({ length }) => length === 2)
    expect(atoms).toHaveLength(2)
    for (const pair of atoms) {
      const [sign, letter] = pair.toSorted((a, b) => a.size - b.size)
      const isOnLeft = (letter?.x ?? 0) < 150
      expect((sign?.x ?? 0) < (letter?.x ?? 0)).toBe(isOnLeft)
    }
  })

  it("uses colours only when asked to", async () => {
    const colours = (svg: string) => new Set(svg.match(/#[0-9A-F]{6}/gi))
    expect(colours(await run(Structure.toSvg("NCCO")))).toEqual(new Set(["#000000"]))
    expect(colours(await run(Structure.toSvg("NCCO", { palette: "elements" }))).size).toBe(3)
  })

  it("escapes a hostile title", async () => {
    const { names, text } = readXml(await run(Structure.toSvg("CCO", { title: hostileName })))
    expect(names).not.toContain("script")
    expect(text).toContain("<script>alert(1)</script>")
  })

  it.each([
    ["", "empty"],
    [" \n", "empty"],
    ["xyz", "malformed"],
    ["C1CC", "malformed"],
    ["C".repeat(301), "too-large"],
    ["C".repeat(5_000), "too-large"],
    ["C".repeat(100_001), "too-large"]
  ])("refuses %.20j as %s", async (text, reason) => {
    const error = await run(Effect.flip(Structure.toSvg(text)))
    expect(error).toMatchObject({ _tag: "UnreadableStructure", reason })
    expect(error.message.length).toBeLessThan(200)
  })

  it("draws a structure of the largest size", async () => {
    expect(await run(Structure.toSvg("C".repeat(300)))).toContain("<path")
  })

  it("draws the next structure after RDKit ran out of memory", async () => {
    const error = await run(Effect.flip(Structure.toSvg("C".repeat(5_000))))
    expect(error.message).toContain("too large for RDKit")
    expect(await run(Structure.toSvg("CCO"))).toContain("<path")
  })

  it("draws or refuses any text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.stringMatching(/^[CNOSFcn()[\]=#123@+\-.%/\\*]{1,30}$/)),
        async (text) => {
          const result = await run(Effect.result(Structure.toSvg(text)))
          if (result._tag === "Success") readXml(result.success)
          else expect(result.failure._tag).toBe("UnreadableStructure")
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe("toText", () => {
  it.each(Object.entries(structures))("draws %s within its columns and rows", async (_, text) => {
    for (const [columns, rows] of [
      [72, 20],
      [40, 10],
      [120, 40]
    ] as const) {
      const lines = (await run(Structure.toText(text, { columns, rows }))).split("\n")
      expect(lines.length).toBeLessThanOrEqual(rows)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
      expect(lines.some((line) => line.trim() !== "")).toBe(true)
    }
  })

  it("writes letters at atoms, with hydrogens on the side without bonds", async () => {
    const text = await run(Structure.toText("OCc1ccc(CO)cc1"))
    expect(text).toMatch(/HO/)
    expect(text).toMatch(/OH/)
    expect(await run(Structure.toText("C"))).toBe("CH4")
    expect(await run(Structure.toText("[13CH4]"))).toBe("13CH4")
    expect(await run(Structure.toText("[Fe+2]"))).toBe("Fe2+")
  })

  it("fits every structure of a generated data set", async () => {
    for (const { details } of await generated(40, 5)) {
      const text = await run(Structure.toText(details?.smiles ?? "", { columns: 60, rows: 15 }))
      const lines = text.split("\n")
      expect(lines.length).toBeLessThanOrEqual(15)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(60)
    }
  })
})

describe("Png", () => {
  const size = (png: Uint8Array): readonly [number, number] => {
    const view = new DataView(png.buffer, png.byteOffset)
    return [view.getUint32(16), view.getUint32(20)]
  }

  /** Returns the number of pixels per metre that a PNG states. */
  const perMetre = (png: Uint8Array): number => {
    const at = Buffer.from(png).indexOf("pHYs")
    return new DataView(png.buffer, png.byteOffset).getUint32(at + 4)
  }

  it("has the requested number of pixels per inch, and states it", async () => {
    const svg = await run(Structure.toSvg("CCO", { width: 96, height: 48 }))
    const png = await run(Png.fromSvg(svg))
    expect(size(png)).toEqual([300, 150])
    expect(perMetre(png)).toBe(11_811)
    const larger = await run(Png.fromSvg(svg, { dpi: 600 }))
    expect(size(larger)).toEqual([600, 300])
    expect(perMetre(larger)).toBe(23_622)
  })

  it.each([
    ["no SVG", 96],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10"/>', 19_200],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10"/>', 0]
  ])("refuses %.10s at %d pixels per inch", async (svg, dpi) => {
    expect(await run(Effect.flip(Png.fromSvg(svg, { dpi })))).toMatchObject({ _tag: "UnreadableSvg" })
  })
})
