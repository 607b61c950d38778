import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { BioactivityData } from "@chemstream/api"
import { Plot } from "@chemstream/figures"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { hostile, hostileName, readXml } from "./records.ts"

const run = Effect.runPromise

const records: ReadonlyArray<BioactivityData.PlotPoint> = [
  { dtxsid: "DTXSID7020182", aeid: 1, m4id: 11, hitc: 0.9, ac50: 1.5, modl: "hill", top: 30 },
  { dtxsid: "DTXSID7020182", aeid: 2, m4id: 12, hitc: 0.89, ac50: 15 },
  { dtxsid: "DTXSID7020182", aeid: 3, m4id: 13, hitc: 0, ac50: null }
]

describe("hitCalls", () => {
  it("draws an active record as a filled circle and an inactive one as a hollow triangle", async () => {
    const svg = await run(Plot.hitCalls(records))
    const shapes = [...svg.matchAll(/<(path|circle)([^>]*)><title>([^<]*)<\/title>/g)]
    expect(shapes.map(([, , , title]) => title)).toEqual([
      expect.stringContaining("m4id 12"),
      expect.stringContaining("m4id 11")
    ])
    expect(svg).toContain("1 active (hit call of 0.9 or more)")
    expect(svg).toContain("1 inactive")
  })

  it("shows the values of a point as a tooltip", async () => {
    const svg = await run(Plot.hitCalls(records))
    expect(svg).toContain("assay endpoint 1\nm4id 11\nAC50 1.5 µM\nhit call 0.9\nmodel hill\ntop 30")
  })

  it("names the assay endpoints whose names are known", async () => {
    const svg = await run(Plot.hitCalls(records, { assayNames: new Map([[1, "ATG_ERE_CIS_up"]]) }))
    expect(svg).toContain("assay endpoint 1: ATG_ERE_CIS_up\nm4id 11")
    expect(svg).toContain("assay endpoint 2\nm4id 12")
  })

  it("counts the records that it cannot draw", async () => {
    expect(await run(Plot.hitCalls(records))).toContain("Not drawn: 1 record without AC50 or hit call")
    expect(await run(Plot.hitCalls(records.slice(0, 2)))).not.toContain("Not drawn")
    expect(await run(Plot.hitCalls([{ hitc: 1, ac50: 2, nconc: 1 }]))).toContain("Not drawn: 1 record")
  })

  it("draws the points of the public service, which have four fields", async () => {
    const svg = await run(Plot.hitCalls([{ aeid: "704", hitc: 0.95, ac50: 3, topOverCutoff: 1.2 }]))
    expect(svg).toContain("1 active")
    expect(svg).toContain("assay endpoint 704\nAC50 3 µM")
  })

  it("draws whole records like points", async () => {
    const points = [{ dtxsid: "x", aeid: 1, m4id: 2, hitc: 0.95, modl: "hill", ac50: 3, top: 50 }]
    const whole = [
      { dtxsid: "x", aeid: 1, m4id: 2, hitc: 0.95, modl: "hill", mc5Param: { ac50: 3, top: 50 }, npts: 9 }
    ]
    expect(await run(Plot.hitCalls(whole))).toBe(await run(Plot.hitCalls(points)))
  })

  it("marks the lower bound of cytotoxicity if it is known", async () => {
    expect(await run(Plot.hitCalls(records, { cytotoxLowerUm: 4.5678 }))).toContain("begins at 4.568 µM")
    expect(await run(Plot.hitCalls(records, { cytotoxLowerUm: null }))).not.toContain("cytotoxicity")
  })

  it("draws more records than a function can take arguments", async () => {
    const many = Array.from({ length: 130_000 }, () => ({ hitc: 0.95, ac50: 3 }))
    expect(await run(Plot.hitCalls(many))).toContain("130000 active")
  })

  it("draws an empty plot without records", async () => {
    expect(readXml(await run(Plot.hitCalls([]))).text).toContain("0 active")
  })

  it("is the same for the same records", async () => {
    expect(await run(Plot.hitCalls(records))).toBe(await run(Plot.hitCalls(records)))
  })
})

describe("curve", () => {
  const record = hostile.data?.[0] ?? {}

  it("is the same for concentrations in µM and for their logarithms", async () => {
    const { mc3Param, ...rest } = record
    const logc = mc3Param?.logc?.map(Number) ?? []
    const inMicromolar = {
      ...rest,
      mc3Param: { conc: logc.map((value) => 10 ** value), resp: mc3Param?.resp ?? null }
    }
    expect(logc).toHaveLength(3)
    expect(await run(Plot.curve(inMicromolar))).toBe(await run(Plot.curve(record)))
  })

  it("leaves out a point without a concentration", async () => {
    const points = { conc: [0, null, 3], resp: [1, 2, 3] }
    const svg = await run(Plot.curve({ ...record, mc3Param: points }))
    expect(svg.match(/µM\nresponse/g)).toHaveLength(1)
  })

  it("draws the points, the model, the cutoff and the AC50", async () => {
    const svg = await run(Plot.curve({ ...record, chnm: "Something" }))
    const { text } = readXml(svg)
    for (const words of [
      "measured",
      "Hill model",
      "below the cutoff, 10",
      "AC50 3 µM",
      "tp = 50, ga = 3, p = 1"
    ]) {
      expect(text).toContain(words)
    }
    expect(svg.match(/<title>\d+(\.\d+)? µM\nresponse/g)).toHaveLength(3)
  })

  it.each([
    ["a concentration of 0", { conc: [0, 1, 10, 100], resp: [1, 2, 3, 4] }, "1 point"],
    ["unreadable responses", { conc: [0.1, 1, 10, 100], resp: ["x", null, 3, 4] }, "2 points"],
    ["a missing response", { conc: [0.1, 1, 10, 100], resp: [1, 2, 3] }, "1 point"]
  ])("notes the points that it does not draw: %s", async (_, points, words) => {
    const { text } = readXml(await run(Plot.curve({ ...record, mc3Param: points } as typeof record)))
    expect(text).toContain(`Not drawn: ${words} at concentration 0, or without a readable`)
  })

  it.each([
    [{}, "no model was fitted"],
    [{ modl: "none" }, "no model was fitted"],
    [{ modl: "spline" }, "model spline is not known"],
    [{ modl: "hill" }, "the parameters of model hill are not in the record"]
  ])("says why %j has no curve", async (fitted, words) => {
    const points = { mc3Param: { logc: [0, 1], resp: [1, null] } }
    expect(readXml(await run(Plot.curve({ ...points, ...fitted }))).text).toContain(words)
  })
})

describe("both plots", () => {
  it("escape hostile names", async () => {
    const svgs = [
      await run(Plot.hitCalls(hostile.data ?? [], { title: hostileName })),
      await run(Plot.curve(hostile.data?.[0] ?? {})),
      await run(Plot.curve(hostile.data?.[1] ?? {}))
    ]
    for (const svg of svgs) {
      const { names, text } = readXml(svg)
      expect(names).not.toContain("script")
      expect(text).toContain("<script>")
    }
  })

  it("fill one page that loads and runs nothing", async () => {
    const html = Plot.toHtml(hostileName, [await run(Plot.hitCalls(records)), await run(Plot.curve({}))])
    const { names } = readXml(html.replace("<!DOCTYPE html>", "").trimStart())
    expect(names.filter((name) => name === "figure")).toHaveLength(2)
    expect(names.filter((name) => /^(script|link|img|iframe|object|use|image)$/.test(name))).toEqual([])
    expect(html).toContain("default-src &#39;none&#39;")
  })
})

const folder = join(import.meta.dirname, "../../../../shared/real")

describe.skipIf(!existsSync(folder))("a recorded data record (skipped without ../shared/real)", () => {
  const read = (name: string): ReadonlyArray<BioactivityData.BioactivityData> =>
    JSON.parse(readFileSync(join(folder, name), "utf8"))

  it("of 2024 or 2025 is drawn with its points and its curve", async () => {
    for (const [name, model] of [
      ["bioactivity-data-aeid-704.json", "exponential 4"],
      ["bioactivity-data-by-m4id-11847245-2025.json", "linear"]
    ] as const) {
      const [record = {}] = read(name)
      const svg = await run(Plot.curve(record))
      expect(svg).toContain(`${model} model`)
      expect(svg.match(/µM\nresponse/g)).toHaveLength(record.npts ?? 0)
    }
  })
})
