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
  it("has a chapter for each chemical, and links it in the contents", async () => {
    const chemicals = await generated(12, 9)
    const html = await textOf(
      chemicals.map((chemical) => Report.chapter(chemical)),
      { title: "Twelve" }
    )
    const { names } = readXml(body(html))
    expect(names.filter((name) => name === "article")).toHaveLength(12)
    const links = [...html.matchAll(/<a href="#(c\d+)">/g)].map(([, anchor]) => anchor)
    const anchors = [...html.matchAll(/<article class="card" id="(c\d+)">/g)].map(([, anchor]) => anchor)
    expect(links).toHaveLength(12)
    expect(anchors).toEqual(links)
    expect(html).toContain("<h1>Twelve</h1>")
    expect(html).toContain("Continuous hit call against AC50")
  })

  it("loads and runs nothing, and has a policy that forbids it", async () => {
    const html = await textOf([Report.chapter(hostile)])
    const { names } = readXml(body(html))
    expect(names.filter((name) => /^(script|link|img|iframe|object|use|image)$/.test(name))).toEqual([])
    expect(html).not.toMatch(/(href|src)="(?!#)/)
    expect(html).toContain('http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;')
  })

  it("escapes hostile names everywhere", async () => {
    const entries = [Report.chapter(hostile, hostileName), Report.absent(hostileName, "failed", hostileName)]
    const { names, text } = readXml(body(await textOf(entries, { title: hostileName })))
    expect(names).not.toContain("script")
    expect(text.split("<script>alert(1)</script>").length).toBeGreaterThan(10)
  })

  it("lists identifiers without a chapter and incomplete chapters", async () => {
    const entries = [
      Report.chapter({ id: "A" }, "synonyms: the service is down"),
      Report.absent("B", "missing", "not known"),
      Report.absent("C", "invalid", "no identifier")
    ]
    const html = await textOf(entries)
    expect(html).toContain("1 chemical, 2 identifiers without a chapter, 1 chapter incomplete")
    expect(html).toContain("<tr><td>B</td><td>missing</td><td>not known</td></tr>")
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
    expect(during).toEqual([1])
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
    expect(spools()).toEqual([])
  })

  it("removes its temporary file when an entry fails", async () => {
    const entries = Stream.concat(Stream.make(Report.chapter({ id: "A" })), Stream.fail("down" as const))
    expect(await Effect.runPromise(Effect.flip(Stream.runDrain(Report.encode(entries))))).toBe("down")
    expect(spools()).toEqual([])
  })
})
