import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Report } from "@chemstream/figures"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { generated, hostile, hostileName, readXml } from "./records.ts"

const textOf = (entries: ReadonlyArray<Report.Entry>, options?: Report.Options): Promise<string> =>
  Effect.runPromise(
    Report.encode(Stream.fromIterable(entries), options).pipe(Stream.decodeText, Stream.mkString)
  )

/** Returns the markup without the script, which is no XML. */
const withoutScript = (html: string): string => body(html).replace(/<script>[^<]*<\/script>/, "")

const body = (html: string): string => html.replace("<!DOCTYPE html>", "").trimStart()

/** A temporary folder for these tests alone. */
let folder = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chemstream-figures-"))
  vi.stubEnv("TMPDIR", folder)
})

afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const spools = (): ReadonlyArray<string> => readdirSync(folder)

describe("encode", () => {
  it("has a chapter for each chemical, and links it in the table", async () => {
    const chemicals = await generated(12, 9)
    const html = await textOf(
      chemicals.map((chemical) => Report.chapter(chemical)),
      { title: "Twelve" }
    )
    const { names } = readXml(withoutScript(html))
    expect(names.filter((name) => name === "article")).toHaveLength(12)
    const links = [...html.matchAll(/<a href="#(c\d+)">/g)].map(([, anchor]) => anchor)
    const anchors = [...html.matchAll(/<article class="card" id="(c\d+)">/g)].map(([, anchor]) => anchor)
    expect(links).toHaveLength(12)
    expect(anchors).toEqual(links)
    expect(html).toContain("<h1>Twelve</h1>")
    expect(html).toContain("Continuous hit call against AC50")
  })

  it("loads nothing, and has a policy that allows only its own script, by its hash", async () => {
    const html = await textOf([Report.chapter(hostile)])
    const { names } = readXml(withoutScript(html))
    expect(names.filter((name) => /^(script|link|img|iframe|object|use|image)$/.test(name))).toEqual([])
    expect(html).not.toMatch(/(href|src)="(?!#)/)
    expect(html).toContain('http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;')
    const [, hash] = /script-src &#39;sha256-([^&]*)&#39;/.exec(html) ?? []
    const [, script = ""] = /<script>(.*)<\/script>/s.exec(html) ?? []
    expect(createHash("sha256").update(script).digest("base64")).toBe(hash)
  })

  it("opens with a table that has a row and the columns of the input for each chemical", async () => {
    const details = {
      dtxsid: "DTXSID7020182",
      preferredName: "Bisphenol A",
      casrn: "80-05-7",
      smiles: "CC(C)C"
    }
    const more = { molFormula: "C15H16O2", monoisotopicMass: 228.115, activeAssays: 9, totalAssays: 10 }
    const data = [
      { aeid: 7, hitc: 1, ac50: 20 },
      { aeid: 8, hitc: 1, ac50: 0.5 }
    ]
    const assayNames = new Map([[8, "ATG_ERE_CIS_up"]])
    const bisphenol: Report.Chapter = {
      ...Report.chapter({ id: "DTXSID7020182", details: { ...details, ...more }, data, assayNames }),
      kept: { Site: "North", Depth: 3 }
    }
    const html = await textOf([bisphenol, Report.chapter({ id: "B" })], {
      chapters: 1,
      keep: ["Site", "Depth"]
    })
    const rows = [...html.matchAll(/<tr>(<td class="number">.*?)<\/tr>/gs)].map(([, row = ""]) =>
      [...row.replace(/<svg.*?<\/svg>/gs, "[svg]").matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
        cell.replace(/<[^>]*>/g, "").trim()
      )
    )
    expect(rows[0]).toEqual([
      ...["1", "[svg]", "Bisphenol A", "DTXSID7020182", "80-05-7", "C15H16O2", "228.1150", "2 / 2"],
      ...["0.5\u00a0µM ATG_ERE_CIS_up", "North", "3"]
    ])
    expect(rows[1]).toEqual(["2", "", "B", "B", "", "", "", "", "", "", ""])
    // Only the first has a chapter, and a link to it.
    expect(html.split("<article").length - 1).toBe(1)
    expect([...html.matchAll(/href="#c\d+"/g)]).toHaveLength(1)
  })

  it("escapes hostile names everywhere", async () => {
    const entries = [Report.chapter(hostile, hostileName), Report.absent(hostileName, "failed", hostileName)]
    const { names, text } = readXml(withoutScript(await textOf(entries, { title: hostileName })))
    expect(names).not.toContain("script")
    expect(text.split("<script>alert(1)</script>").length).toBeGreaterThan(10)
  })

  it("lists identifiers without a chemical last, with their line, and counts incomplete chemicals", async () => {
    const entries = [
      Report.chapter({ id: "A" }, "synonyms: the service is down"),
      { ...Report.absent("B", "missing", "not known"), line: 7 },
      Report.absent("C", "invalid", "no identifier")
    ]
    const html = await textOf(entries)
    expect(html).toContain("1 chemical, 2 identifiers without a chemical, 1 incomplete")
    expect(html).toContain('<tr><td class="number">7</td><td>B</td><td>missing</td><td>not known</td></tr>')
    expect(html.indexOf("Without a chemical")).toBeGreaterThan(html.indexOf('href="#c1"'))
    expect(html).toContain("Incomplete: synonyms: the service is down")
  })

  it("draws the requested number of curves", async () => {
    const count = (html: string) => html.split(" model</text>").length - 1
    const many = { ...hostile, data: Array.from({ length: 5 }, () => hostile.data?.[0] ?? {}) }
    expect(count(await textOf([Report.chapter(many)]))).toBe(2)
    expect(count(await textOf([Report.chapter(many)], { curves: 0 }))).toBe(0)
    expect(count(await textOf([Report.chapter(many)], { curves: 9 }))).toBe(5)
  })

  it("fails at the first entry above the limit", async () => {
    const entries = ["A", "B"].map((id) => Report.absent(id, "missing", "not known"))
    expect(await textOf(entries, { maxEntries: 2 })).toContain("2 identifiers")
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(Report.encode(Stream.fromIterable(entries), { maxEntries: 1 })))
    )
    expect(error).toMatchObject({ _tag: "TooManyEntries", maxEntries: 1 })
  })

  it("writes each entry before it takes the next, and leaves no temporary file", async () => {
    let readEntries = 0
    const during: Array<number> = []
    const entries = Stream.fromIterable(
      Array.from({ length: 1000 }, (_, at) => `${at}`),
      { chunkSize: 1 }
    ).pipe(
      Stream.map((id) => {
        readEntries++
        if (readEntries === 500) during.push(spools().length)
        return Report.chapter({ id })
      })
    )
    const sizes = await Effect.runPromise(
      Report.encode(entries).pipe(
        Stream.map(({ length }) => length),
        Stream.runCollect
      )
    )
    expect(readEntries).toBe(1000)
    expect(during).toEqual([2])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
    expect(spools()).toEqual([])
  })

  it("removes its temporary file when an entry fails", async () => {
    const entries = Stream.concat(Stream.make(Report.chapter({ id: "A" })), Stream.fail("down" as const))
    expect(await Effect.runPromise(Effect.flip(Stream.runDrain(Report.encode(entries))))).toBe("down")
    expect(spools()).toEqual([])
  })
})
