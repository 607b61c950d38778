import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, serve, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const unknown = "DTXSID2099900001"

/** A service over generated data, the identifiers of a tested substance, and an output folder. */
const generated = async () => {
  const at = folder()
  const database = join(at, "db")
  const made = await run([
    ...["generate", "--count", "30", "--seed", "7", "--assays", "1", "--no-fingerprints"],
    ...["--database", database, "-q"]
  ])
  expect(made).toMatchObject({ code: 0 })
  const { env } = await serve("--database", database)
  const ids = (await run(["all", "-p", "all-ids", "-q"], { env })).stdout
  const data = lines((await run(["bioactivity", "data", "-q"], { env, input: ids })).stdout)
  const first = data.find(({ modl }) => modl === "hill")
  return { at, env, ids, dtxsid: `${first?.["dtxsid"]}`, m4id: `${first?.["m4id"]}` }
}

/** Undoes the escaping of markup. */
const readable = (text: string): string =>
  text.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

describe("a service that is unavailable", { concurrent: true }, () => {
  const down = () => scripted(() => ({ status: 503, body: "" }))

  it.each([
    ["show", bisphenolA],
    ["report", bisphenolA],
    ["plot", "bioactivity", bisphenolA],
    ["plot", "curve", "1"]
  ])("is waited for by %s %s as long as --wait says", async (...args) => {
    const { env } = await down()
    const ended = await run([...args, "--retries", "0", "--wait", "0s"], { env })
    expect(ended.code).toBe(4)
    expect(ended.stderr).toContain("503")
    expect(ended.stderr).not.toContain("waiting up to")
    const waiting = await run([...args, "--retries", "0", "--wait", "1s"], { env })
    expect(waiting.code).toBe(4)
    expect(waiting.stderr).toContain("waiting up to 1s")
  })
})

describe("show", { concurrent: true }, () => {
  it("prints a card with a drawn structure, without escape sequences on a pipe", async () => {
    const { env } = await sharedService()
    const ended = await run(["show", bisphenolA], { env })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(ended.stdout).toMatch(/^Bisphenol A\n=+\n/)
    expect(ended.stdout).toMatch(/[\u2801-\u28ff]/)
    expect(ended.stdout).toMatch(/CAS number +80-05-7/)
    expect(ended.stdout).toMatch(/BPA/)
    expect(ended.stdout).not.toContain("\u001b")
  })

  it("writes the format of the file's extension", async () => {
    const { env } = await sharedService()
    const at = folder()
    const beginnings = { svg: "<svg", png: "\u0089PNG", html: "<!DOCTYPE html>", txt: "Bisphenol A" }
    for (const [format, beginning] of Object.entries(beginnings)) {
      const file = join(at, `it.${format}`)
      expect(await run(["show", bisphenolA, "--output", file], { env })).toMatchObject({
        code: 0,
        stdout: ""
      })
      expect(readFileSync(file, "latin1").slice(0, beginning.length)).toBe(beginning)
    }
  })

  it("draws a sheet of structures, with fields of the record and of the input below each", async () => {
    const { env } = await sharedService()
    const input = `DTXSID,ppm,rank\n${bisphenolA},1.25,1\nDTXSID3039242,3,2\n`
    const at = folder()
    const sheet = join(at, "sheet.svg")
    const args = ["show", "--keep", "ppm,rank", "--columns", "2", "--grid", sheet]
    expect(await run(args, { env, input })).toMatchObject({ code: 0, stdout: "" })
    const svg = readFileSync(sheet, "utf8")
    for (const words of [
      ">Bisphenol A</text>",
      ">ppm 1.25</text>",
      ">rank 2</text>",
      "<title>Benzene</title>"
    ]) {
      expect(svg).toContain(words)
    }
    expect(svg).toMatch(/^<svg [^>]*width="189.971mm"/)
    const chosen = await run([...args, "--caption", "casrn,rank"], { env, input })
    expect(chosen).toMatchObject({ code: 0, stderr: expect.not.stringContaining("warning") })
    const misspelt = await run([...args, "--caption", "casrm,rank"], { env, input })
    expect(misspelt).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'chemstream: warning: --caption: no record has the field "casrm" (did you mean casrn?)\n'
      )
    })
    expect((await run([...args, "--caption", "casrn,rank"], { env, input })).code).toBe(0)
    expect(readFileSync(sheet, "utf8")).toContain(">80-05-7</text>")
    expect(readFileSync(sheet, "utf8")).not.toContain("ppm")
    const beginnings = { png: "\u0089PNG", pdf: "%PDF-", html: "<!DOCTYPE html>" }
    for (const [format, beginning] of Object.entries(beginnings)) {
      const file = join(at, `sheet.${format}`)
      expect(await run(["show", bisphenolA, "--grid", file], { env })).toMatchObject({ code: 0 })
      expect(readFileSync(file, "latin1").slice(0, beginning.length)).toBe(beginning)
    }
  })

  it("writes a file of each structure into a folder, cropped and transparent on request", async () => {
    const { env } = await sharedService()
    const at = join(folder(), "new", "structures/")
    const ended = await run(["show", bisphenolA, "DTXSID3039242", unknown, "--output", at], { env })
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`missing: ${unknown}`) })
    expect(readdirSync(at).toSorted()).toEqual(["DTXSID3039242.svg", "DTXSID7020182.svg"])
    const widths = readdirSync(at)
      .toSorted()
      .map((name) => Number(/width="([\d.]+)mm"/.exec(readFileSync(join(at, name), "utf8"))?.[1]))
    // Benzene is narrower than bisphenol A.
    expect(widths[0]).toBeLessThan(widths[1] ?? 0)
    const args = ["show", bisphenolA, "--output", at, "--format", "png", "--transparent", "--dpi", "600"]
    expect(await run(args, { env })).toMatchObject({ code: 0 })
    const png = readFileSync(join(at, `${bisphenolA}.png`))
    expect(png.readUInt32BE(png.indexOf("pHYs") + 4)).toBe(23_622)
    expect(png.readUInt32BE(16)).toBeGreaterThan(900)
  })

  it.each([
    [["--format", "png", "-o", "it.svg"], "--format is for the files of a folder"],
    [["--caption", "casrn"], "--caption and --keep are for the captions of --grid FILE"],
    [["--columns", "3"], "--columns is for the structures of --grid FILE"],
    [["--transparent"], "--transparent is for pictures"],
    [["--dpi", "300", "-o", "it.svg"], "--dpi is for .png files"],
    [["--grid", "a.svg", "-o", "it.svg"], "give --grid FILE or --output, not both"],
    [["--grid", "a.txt"], "unknown format"]
  ])("refuses %j before the first request, because it would have no effect", async (args, message) => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const ended = await run(["show", bisphenolA, ...args], { env, cwd: folder() })
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) })
    expect(requests).toEqual([])
  })

  it("names the package that a .png needs before the first request", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const hooks = `import { registerHooks } from "node:module"
      registerHooks({ resolve: (name, context, next) => next(name.startsWith("@resvg") ? "none:" + name : name, context) })`
    const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` }
    const ended = await run(["show", bisphenolA, "-o", join(folder(), "it.png")], {
      env: { ...env, ...options }
    })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain("Install it: npm install @resvg/resvg-js")
    expect(requests).toEqual([])
  })

  it.each([
    ["show", []],
    ["report", []],
    ["plot", ["bioactivity"]]
  ])("says how a damaged identifier was read: %s", async (name, words) => {
    const { env } = await sharedService()
    const { stderr } = await run([name, ...words, "DTXSID 702O182"], { env })
    expect(stderr).toContain(
      "chemstream: 1 repaired, the first in line 1: read as DTXSID7020182 (separators, letters for digits)\n"
    )
  })

  it("names missing identifiers, and fails for them only with the option", async () => {
    const { env } = await sharedService()
    const ended = await run(["show", bisphenolA, unknown], { env })
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`missing: ${unknown}`) })
    expect(await run(["show", unknown, "--fail-on", "missing"], { env })).toMatchObject({
      code: 1,
      stdout: ""
    })
  })

  it("refuses a picture of several substances, and an unknown format", async () => {
    const { env } = await sharedService()
    const at = folder()
    for (const args of [
      [bisphenolA, unknown, "-o", join(at, "a.svg")],
      [bisphenolA, "-o", join(at, "a.gif")]
    ]) {
      expect(await run(["show", ...args], { env })).toMatchObject({ code: 2, stdout: "" })
    }
    expect(existsSync(join(at, "a.svg"))).toBe(false)
  })

  it("exits with 3 for a rejected key, and with 4 without a service", async () => {
    const { url } = await sharedService()
    const ended = (env: Record<string, string>) => run(["show", bisphenolA, "--retries", "0"], { env })
    expect(await ended({ CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "wrong" })).toMatchObject({ code: 3 })
    const nobody = { CHEMSTREAM_BASE_URL: "http://127.0.0.1:9", CHEMSTREAM_API_KEY: "k" }
    expect(await ended(nobody)).toMatchObject({ code: 4 })
  })
})

describe("exit code 2", { concurrent: true }, () => {
  const benzene = "DTXSID3039242"
  const structures = (ids: ReadonlyArray<string>): string =>
    JSON.stringify(ids.map((dtxsid) => ({ dtxsid, preferredName: "it", smiles: "CCO" })))

  it.each([
    ["show", bisphenolA],
    ["report", bisphenolA],
    ["plot", "bioactivity", bisphenolA],
    ["plot", "curve", "1"]
  ])("of %s %s means that nothing was requested: an output in a missing folder", async (...args) => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const ended = await run([...args, "-o", join(folder(), "none", "it.html")], { env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain("there is no folder")
    expect(requests).toEqual([])
  })

  it.each<readonly [string, ReadonlyArray<string>, string]>([
    ["several substances", ["show", "-o", "it.svg"], "a .svg file has one structure"],
    ["broken input", ["show", "-o", "it.html"], "is not UTF-8"],
    ["broken input", ["details", "--batch-size", "1"], "is not UTF-8"],
    ["several curves", ["plot", "curve", "-o", "it.svg"], "a .svg file has one picture"],
    ["a folder that is gone", ["plot", "curve", "-o", "gone/it.html"], "cannot write"]
  ])("becomes 1 after a request, for %s: %j", async (reason, args, message) => {
    const at = folder()
    mkdirSync(join(at, "gone"))
    let isBroken = false
    const { env } = await scripted(({ ids, path }) => {
      rmSync(join(at, "gone"), { recursive: true, force: true })
      if (reason === "broken input" && !isBroken) {
        isBroken = true
        child.stdin?.end(Buffer.from([0x61, 0xff, 0x0a]))
      }
      if (!path.includes("bioactivity")) return { body: path.includes("detail") ? structures(ids) : "[]" }
      return { body: JSON.stringify(ids.map((m4id) => ({ m4id: Number(m4id) }))) }
    })
    const input = args[0] === "plot" ? "1\n2\n" : `${bisphenolA}\n${benzene}\n`
    const { child, ended } = start(args, { env, input, cwd: at, isOpen: reason === "broken input" })
    const { code, stderr } = await ended
    expect(stderr).toContain(message)
    expect(code).toBe(1)
    expect(existsSync(join(at, "it.svg"))).toBe(false)
  })
})

describe("plot and report", { concurrent: true }, () => {
  it("draw a substance with 200,000 records", async () => {
    const { env } = await scripted(({ ids }) => ({
      body: `[${ids.flatMap((id) => Array<string>(200_000).fill(`{"dtxsid":"${id}","aeid":1,"hitc":1}`)).join(",")}]`
    }))
    const { code, stderr, stdout } = await run(["plot", "bioactivity", bisphenolA], { env })
    expect(stderr).toMatch(/surplus: 199,994 more\n$/)
    expect([code, stdout.slice(0, 4)]).toEqual([0, "<svg"])
  })

  it("draw the data of a generated service", async () => {
    const { at, dtxsid, env, ids, m4id } = await generated()
    const plot = await run(["plot", "bioactivity", dtxsid], { env })
    expect(plot).toMatchObject({ code: 0, stderr: "" })
    expect(plot.stdout).toContain("Continuous hit call against AC50")
    const curve = await run(["plot", "curve", m4id], { env })
    expect(curve).toMatchObject({ code: 0, stderr: "" })
    expect(curve.stdout).toContain("Hill model")

    const nameOf = async (id: string) =>
      `${lines((await run(["details", id, "-q"], { env })).stdout)[0]?.["preferredName"]}`
    expect(readable(plot.stdout)).toContain((await nameOf(dtxsid)).slice(0, 20))
    expect(plot.stdout).toContain(`${dtxsid} · Continuous hit call`)
    const sized = await run(
      [
        "plot",
        "bioactivity",
        dtxsid,
        "--width",
        "85",
        "--height",
        "70",
        "--font-size",
        "6",
        "--title",
        "A title"
      ],
      { env }
    )
    expect(sized.stdout).toMatch(/^<svg [^>]*width="85mm" height="70mm" [^>]*font-size="8"/)
    expect(sized.stdout).toContain(">A title</text>")

    const several = join(at, "plots.html")
    expect(await run(["plot", "bioactivity", "-o", several], { env, input: ids })).toMatchObject({ code: 0 })
    expect(readFileSync(several, "utf8").split("<figure>").length - 1).toBe(30)
    const pages = join(at, "plots.pdf")
    expect(await run(["plot", "bioactivity", "-o", pages], { env, input: ids })).toMatchObject({ code: 0 })
    expect(readFileSync(pages, "latin1").match(/\/MediaBox/g)).toHaveLength(30)
    for (const name of ["ranking", "heat-map"]) {
      const picture = join(at, `${name}.png`)
      const drawn = await run(["plot", name, "-o", picture, "--width", "80", "--dpi", "254"], {
        env,
        input: ids
      })
      expect(drawn).toMatchObject({ code: 0, stderr: "" })
      const png = readFileSync(picture)
      expect(png.readUInt32BE(16)).toBe(800)
      expect(png.readUInt32BE(png.indexOf("pHYs") + 4)).toBe(10_000)
    }
    const none = join(at, "none.svg")
    const untested = await run(["plot", "bioactivity", bisphenolA], { env: (await sharedService()).env })
    expect(untested).toMatchObject({
      code: 1,
      stderr: `chemstream: missing: ${bisphenolA}: the service has no bioactivity data of ${bisphenolA}\nchemstream: nothing to draw\n`
    })
    const missing = await run(["plot", "curve", "5", "-o", none], { env })
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("missing: 5: the service has no data record 5\n")
    })
    expect(existsSync(none)).toBe(false)

    const file = join(at, "report.html")
    const input = `${ids}"${unknown}"\nnonsense\n`
    const report = await run(["report", "--title", "A < B", "--chapters", "3", "-o", file], { env, input })
    expect(report).toMatchObject({ code: 0, stderr: expect.stringContaining(`missing: line 31: ${unknown}`) })
    expect(report.stderr).toContain("invalid: line 32: nonsense")
    const html = readFileSync(file, "utf8")
    expect(html).toContain("<h1>A &lt; B</h1>")
    expect(html).toContain("30 chemicals, 2 identifiers without a chemical")
    expect(html.split("<article").length - 1).toBe(3)
    expect(html).toMatch(new RegExp(`<td class="number">31</td><td>${unknown}</td><td>missing</td>`))
  })

  it("write columns of the input into the table of a report, which has no chapters by default", async () => {
    const { env } = await sharedService()
    const input = `DTXSID,Site\n${bisphenolA},North & south\n`
    const report = await run(["report", "--keep", "Site=Place"], { env, input })
    expect(report.code).toBe(0)
    expect(report.stdout).toContain('<button type="button">Place</button>')
    expect(report.stdout).toContain("<td>North &amp; south</td>")
    expect(report.stdout).not.toContain("<article")
    const refused = await run(["report", bisphenolA, "--chapters", "some"], { env })
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("a whole number of 0 or more, or all")
    })
  })

  it("ask once for the names and units of endpoints, and draw numbers if the service has none", async () => {
    const record = { dtxsid: bisphenolA, aeid: 7, m4id: 1, hitc: 1, modl: "hill", mc5Param: { ac50: 2 } }
    const annotation = {
      aeid: 7,
      assayComponentEndpointName: "ATG_ERE_CIS_up",
      normalizedDataType: "fold_induction"
    }
    for (const isServed of [true, false]) {
      const { env, requests } = await scripted(({ path }) => {
        if (path.includes("/assay/")) {
          return isServed ? { body: JSON.stringify([annotation]) } : { status: 404, body: "{}" }
        }
        return { body: path.includes("bioactivity/data") ? JSON.stringify([record]) : "[]" }
      })
      const plot = await run(["plot", "bioactivity", bisphenolA], { env })
      expect(plot.stdout).toContain(isServed ? "2 µM ATG_ERE_CIS_up" : "2 µM endpoint 7")
      expect(requests.filter(({ path }) => path.includes("/assay/"))).toHaveLength(1)
      const curve = await run(["plot", "curve", "1"], { env })
      expect(curve.stdout).toContain(isServed ? "Response (fold induction)" : ">Response<")
    }
  })

  it("refuse a resolution for a picture without pixels, and sizes that are no paper", async () => {
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    for (const [args, message] of [
      [["--dpi", "300", "-o", join(folder(), "it.svg")], "--dpi is for .png files"],
      [["--width", "5"], "a number from 40 to 2000"]
    ] as const) {
      const ended = await run(["plot", "bioactivity", bisphenolA, ...args], { env })
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toContain(message)
    }
    expect(requests).toEqual([])
  })

  it("summarize the missing identifiers of a long list, and fail if there is nothing to show", async () => {
    const { env } = await sharedService()
    const at = folder()
    const input = `nonsense\n${Array.from({ length: 12 }, (_, n) => `DTXSID00100${String(n).padStart(3, "0")}\n`).join("")}`
    const report = await run(["report", "-o", "report.html"], { cwd: at, env, input })
    expect(report).toMatchObject({ code: 1, stdout: "" })
    expect(report.stderr.split("\n")).toHaveLength(9)
    expect(report.stderr).toMatch(
      /^chemstream: invalid: line 1: nonsense: .*\n(chemstream: missing: line \d+: DTX.*\n){5}/
    )
    expect(report.stderr).toMatch(/\nchemstream: missing: 7 more\nchemstream: nothing to report\n$/)
    expect(existsSync(join(at, "report.html"))).toBe(false)
    const plot = await run(["plot", "curve"], { env, input: "1\n2\n3\n4\n5\n6\n" })
    expect(plot).toMatchObject({ code: 1, stderr: expect.stringContaining("missing: 1 more\n") })
  })

  it.each(["show", "report"])("%s says which field an object lacks", async (command) => {
    const { env } = await sharedService()
    const input = `{"casrn":"1"}\n{"dtxsid":""}\n{"dtxsid":"${bisphenolA}"}\n`
    const { stderr } = await run([command, "-o", "made.html"], { cwd: folder(), env, input })
    expect(stderr).toContain('chemstream: invalid: line 1: the object has no field "dtxsid"\n')
    expect(stderr).toContain("chemstream: invalid: 1 without an identifier, in line 2\n")
  })

  it.each(["show", "report"])("%s names the rows without an identifier in one line", async (command) => {
    const { env } = await sharedService()
    const rows = [
      `a,${bisphenolA}`,
      "b,",
      "c, ",
      "too short",
      "e,DTXSID999",
      ...Array.from("fghij", (row) => `${row},`)
    ]
    const input = `name,dtxsid\n${rows.join("\n")}\n`
    const { stderr } = await run([command, "-o", join(folder(), "it.html")], { env, input })
    const [, ...said] = stderr.trimEnd().split("\n")
    expect(said).toEqual([
      expect.stringMatching(/^chemstream: invalid: line 5: too short: the row has 1 cell/),
      expect.stringMatching(/^chemstream: invalid: line 6: DTXSID999: /),
      "chemstream: invalid: 7 without an identifier, in lines 3, 4, 7, 8, 9 and 2 more"
    ])
  })

  it("keep the chapter of a chemical with a failed part, and exit with 1", async () => {
    const details = { dtxsid: bisphenolA, preferredName: "Bisphenol A", smiles: "CCO" }
    const { env } = await scripted(({ path }) =>
      path.includes("/detail/") ? { body: JSON.stringify([details]) } : { status: 500, body: "{}" }
    )
    const ended = await run(["report", bisphenolA, "--retries", "0"], { env })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`incomplete: ${bisphenolA}`) })
    expect(ended.stdout).toContain("1 chemical, 1 incomplete")
    expect(ended.stdout).toContain("Bisphenol A")
  })
})
