import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { BioactivityData } from "@chemstream/api"
import { Plot, Potency } from "@chemstream/figures"
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

  it("draws one mark for each active record, none of which covers another", async () => {
    const alike = Array.from({ length: 57 }, (_, at) => ({ aeid: at, hitc: 1, ac50: 8 + 0.01 * at }))
    for (const width of [321, 720]) {
      const svg = await run(Plot.hitCalls(alike, { width }))
      const circles = [...svg.matchAll(/<circle r="([\d.]+)" cy="([\d.]+)" cx="([\d.]+)"><title>/g)].map(
        ([, r, y, x]) => ({ x: Number(x), y: Number(y), r: Number(r) })
      )
      expect(circles).toHaveLength(57)
      for (const [at, a] of circles.entries()) {
        for (const b of circles.slice(at + 1))
          expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(2 * a.r)
      }
    }
  })

  it("counts the marks that found no free place", async () => {
    const many = Array.from({ length: 1000 }, () => ({ aeid: 1, hitc: 1, ac50: 8 }))
    expect(await run(Plot.hitCalls(many))).toMatch(/>\d+ marks overlap</)
    expect(await run(Plot.hitCalls(records))).not.toContain("overlap")
  })

  it("labels the most potent endpoints, each once and in a row of its own", async () => {
    const assayNames = new Map(Array.from({ length: 9 }, (_, at) => [at, `NAME_${at}`] as const))
    const potent = Array.from({ length: 18 }, (_, at) => ({ aeid: at % 9, hitc: 1, ac50: 1 + at }))
    const labels = (svg: string) =>
      [...svg.matchAll(/y="([\d.]+)"[^>]*>([\d.]+ µM NAME_\d)</g)].map(([, y, text]) => ({ y, text }))
    const wide = labels(await run(Plot.hitCalls(potent, { assayNames })))
    expect(wide.map(({ text }) => text)).toEqual(
      Array.from({ length: 8 }, (_, at) => `${1 + at} µM NAME_${at}`)
    )
    expect(new Set(wide.map(({ y }) => y)).size).toBe(8)
    expect(labels(await run(Plot.hitCalls(potent, { assayNames, width: 321 })))).toHaveLength(5)
    expect(labels(await run(Plot.hitCalls(potent, { assayNames, labels: 2 })))).toHaveLength(2)
  })

  it("names the substance in the title and its identifier below", async () => {
    const svg = await run(Plot.hitCalls(records, { title: "Bisphenol A" }))
    expect(svg).toMatch(/font-weight="bold">Bisphenol A</)
    expect(svg).toContain("DTXSID7020182 · Continuous hit call against AC50")
    expect(svg).toContain("cut-off 0.9")
  })

  it("has its size on paper, and the requested size of text", async () => {
    const svg = await run(Plot.hitCalls(records, { width: (85 / 25.4) * 96, height: 302.4, fontSize: 8 }))
    expect(svg).toMatch(/^<svg [^>]*width="85mm" height="80.01mm"/)
    expect(svg).toMatch(/^<svg [^>]*font-size="8"/)
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

describe("ranking and heatMap", () => {
  const chemicals = [
    { name: "Weak", endpoints: Potency.endpoints([{ aeid: 1, hitc: 1, ac50: 50 }]) },
    { name: "Inactive", endpoints: Potency.endpoints([{ aeid: 1, hitc: 0.1, ac50: 5 }]) },
    {
      name: hostileName,
      endpoints: Potency.endpoints([
        { aeid: 1, hitc: 1, ac50: 3 },
        { aeid: 2, hitc: 1, ac50: 0.5 },
        { aeid: 2, hitc: 1, ac50: 0.7 }
      ])
    }
  ]
  const options = { assayNames: new Map([[2, "NAME_2"]]) }

  it("puts the most potent chemical first", async () => {
    for (const draw of [Plot.ranking, Plot.heatMap]) {
      const { text } = readXml(await run(draw(chemicals, options)))
      const places = ["<script>", "Weak", "Inactive"].map((name) => text.lastIndexOf(name))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places).not.toContain(-1)
    }
  })

  it("count active and tested endpoints, and name the most potent one", async () => {
    const { text } = readXml(await run(Plot.ranking(chemicals, options)))
    for (const words of ["2/2  NAME_2", "1/1  endpoint 1", "0/1"]) expect(text).toContain(words)
  })

  it("tell an inactive endpoint from one without a test", async () => {
    const svg = await run(Plot.heatMap(chemicals, options))
    const cells = [...svg.matchAll(/<rect [^>]*><title>([^<]*)<\/title>/g)].map(([, title]) => title)
    expect(cells).toHaveLength(4)
    expect(cells.filter((title) => title?.endsWith("inactive"))).toEqual(["Inactive\nendpoint 1\ninactive"])
    expect(svg).toContain("NAME_2\nAC50 0.5 µM")
  })

  it("count the chemicals and endpoints for which they have no room", async () => {
    const many = Array.from({ length: 130 }, (_, at) => ({
      name: `Chemical ${at}`,
      endpoints: Potency.endpoints([{ aeid: at, hitc: 1, ac50: 1 + at }])
    }))
    expect(await run(Plot.ranking(many))).toContain("Not drawn: 30 less potent chemicals.")
    expect(await run(Plot.heatMap(many, { width: 321 }))).toMatch(/Not drawn: \d+ further endpoints/)
  })

  it("are drawn without chemicals", async () => {
    for (const draw of [Plot.ranking, Plot.heatMap]) {
      expect(readXml(await run(draw([]))).text).toContain("0 chemicals")
    }
  })
})

describe("all plots", () => {
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
