/** Tests the built explorer page in a real browser, served by the real command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { FaultProxy, Scenario } from "@chemstream/faults"
import { Bundled } from "@chemstream/service"
import type { BrowserContext, Browser as Chromium, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import writeSheets from "write-excel-file/node"
import * as Browser from "../src/Browser.ts"
import * as Command from "../src/Command.ts"

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

const key = "key-of-the-explorer"

/** A bundled substance with records of all families, all made up. */
const exampleSubstance = "DTXSID9099800001"

let browser: Chromium | undefined
let reason = ""
let service: Awaited<ReturnType<typeof Command.serve>>
const visits: Array<Browser.Visit> = []

beforeAll(async () => {
  const started = await Browser.start()
  if ("browser" in started) browser = started.browser
  else reason = started.reason
  service = await Command.serve(key)
}, 120_000)

afterEach(async () => {
  for (const { context } of visits.splice(0)) await context.close()
})

afterAll(async () => {
  await browser?.close()
  await Command.stop(service.running)
})

type VisitParameters = Parameters<typeof Browser.visit>

/** Opens the explorer. Skips the test, with the reason, if no browser can start. */
const visit = async (
  skip: (reason: string) => void,
  url = service.url,
  options?: VisitParameters[2],
  prepare?: VisitParameters[3]
): Promise<Browser.Visit> => {
  if (browser === undefined) skip(reason)
  const visit = await Browser.visit(browser as Chromium, url, options, prepare)
  visits.push(visit)
  return visit
}

const enter = async (page: Page, given = key): Promise<void> => {
  await page.getByLabel("API key").fill(given)
  await page.getByRole("button", { name: "Continue" }).click()
}

const searchBox = (page: Page) => page.getByRole("combobox")

const search = async (page: Page, text: string): Promise<void> => {
  await searchBox(page).fill(text)
  await page.getByRole("button", { name: "Search" }).click()
}

/** A substance with a bioactivity record that has points and a curve. */
const substanceWithCurve = async (url: string): Promise<string> => {
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { "x-api-key": key } })
    return response.ok ? await response.json() : []
  }
  const data = await get("/chemical/all?projection=all-ids")
  for (const { dtxsid } of data) {
    const records = await get(`/bioactivity/data/search/by-dtxsid/${dtxsid}`)
    if (records.some(({ modl }: { readonly modl?: string }) => modl === "hill")) return dtxsid
  }
  throw new Error("no generated substance has a curve")
}

describe("the key", { timeout: 120_000 }, () => {
  it("is entered once per tab, and kept in no other storage", async ({ skip }) => {
    const { violations, page } = await visit(skip)
    await enter(page)
    await searchBox(page).waitFor()
    await page.reload()
    await searchBox(page).waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    expect(violations).toEqual([])
  })

  it("must be entered again after the service rejects it", async ({ skip }) => {
    const { page } = await visit(skip)
    await enter(page, "a wrong key")
    await page.getByRole("alert").getByText("refuses this key").waitFor()
    await enter(page)
    await searchBox(page).waitFor()
  })

  it("comes with a one-time link that works once", async ({ skip }) => {
    const server = await Command.serve(key, "--open")
    try {
      const [, link = ""] = await server.running.waitFor(/once: (\S+)/)
      const { page } = await visit(skip, link)
      await searchBox(page).waitFor()
      expect(page.url()).not.toContain("open")
      const { page: second } = await visit(skip, link)
      await second.getByRole("alert").getByText("used before").waitFor()
    } finally {
      await Command.stop(server.running)
    }
  })
})

describe("the search", { timeout: 120_000 }, () => {
  const findings = [
    "CC(C)(c1ccc(O)cc1)c1ccc(O)cc1",
    "bisphenol a",
    "80-05-7",
    "IISBACLAFKSPIT-UHFFFAOYSA-N",
    "C15H16O2",
    "228.115",
    "DTXCID30182"
  ]

  it.for(findings.slice(0, isThorough ? findings.length : 2))("finds by %s", async (text, { skip }) => {
    const { violations, page } = await visit(skip)
    await enter(page)
    await search(page, text)
    const found = page.locator(".results li", { hasText: "DTXSID7020182" })
    await found.getByText("Matched: ").waitFor()
    await found.getByRole("img", { name: /^Structure of / }).waitFor()
    expect(violations).toEqual([])
  })

  it("suggests names during typing, and works with the keyboard alone", async ({ skip }) => {
    const { page } = await visit(skip)
    await enter(page)
    await searchBox(page).waitFor()
    await page.keyboard.type("bisphenol")
    const suggestions = page.getByRole("option")
    await suggestions.first().waitFor()
    // The shortest names come first.
    expect(await suggestions.first().locator("span").first().textContent()).toBe("Bisphenol A")
    await page.keyboard.press("ArrowDown")
    await page.locator('[role="option"][aria-selected="true"]').waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: /^Bisphenol/ }).waitFor()

    await page.goBack()
    await searchBox(page).fill("no such name of a substance")
    await page.keyboard.press("Enter")
    await page.getByText("Nothing found").waitFor()

    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("/")
    await page.keyboard.type("C15H16O2")
    await page.keyboard.press("Enter")
    await page.locator(".results li").first().waitFor()
    await searchBox(page).focus()
    await page.keyboard.press("ArrowDown")
    await page.locator(".results a:focus").waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Identifiers" }).waitFor()
  })

  it("prints how long the first result takes", async ({ skip }) => {
    const { page } = await visit(skip)
    await enter(page)
    await searchBox(page).fill("80-05-7")
    const milliseconds = await page.getByRole("button", { name: "Search" }).evaluate(
      (button: HTMLElement) =>
        new Promise<number>((resolve) => {
          const start = performance.now()
          const observer = new MutationObserver(() => {
            if (document.querySelector(".results li") === null) return
            observer.disconnect()
            resolve(performance.now() - start)
          })
          observer.observe(document.body, { childList: true, subtree: true })
          button.click()
        })
    )
    process.stdout.write(`first result after ${Math.round(milliseconds)} ms (goal: below 300 ms)\n`)
    await page.locator(".results").getByText("DTXSID7020182").waitFor()
  })

  it("shows names and words of the service as text", async ({ skip }) => {
    const { violations, page } = await visit(skip)
    await enter(page)
    await search(page, '<img src=x onerror="alert(1)">')
    await page.getByText("Nothing found").waitFor()
    expect(await page.locator("main img").count()).toBe(0)
    expect(violations).toEqual([])
  })
})

describe("a substance", { timeout: 120_000 }, () => {
  it("shows its structure, its facts and the command for its record", async ({ skip }) => {
    const { violations, page } = await visit(skip, `${service.url}/#/substance/DTXSID7020182`)
    await enter(page)
    await page.getByRole("heading", { level: 1, name: "Bisphenol A" }).waitFor()
    await page.getByRole("img", { name: "Structure of Bisphenol A" }).waitFor()
    for (const text of ["IISBACLAFKSPIT-UHFFFAOYSA-N", "228.115", "4,4'-isopropylidenediphenol"]) {
      await page.locator("article").getByText(text, { exact: false }).first().waitFor()
    }
    await page.getByRole("button", { name: "Copy InChIKey" }).waitFor()
    await page.getByText("chemstream details DTXSID7020182").waitFor()
    expect(violations).toEqual([])
  })

  it("names the assay of a focused hit call, and shows the curve of a chosen one", async ({ skip }) => {
    await inFolder(async (folder) => {
      const database = join(folder, "generated.sqlite")
      const flags = [
        "--count",
        "30",
        "--seed",
        "7",
        "--assays",
        "1",
        "--families",
        "1",
        "--no-fingerprints",
        "-q"
      ]
      await Command.start(["generate", ...flags, "--database", database]).exited
      const generated = await Command.serve(key, "--database", database)
      try {
        const id = await substanceWithCurve(generated.url)
        const { violations, page } = await visit(skip, `${generated.url}/#/substance/${id}`, {
          colorScheme: "dark"
        })
        await enter(page)
        await page.getByRole("tab", { name: "Bioactivity" }).click()
        await page.locator("figure [role=button]").first().focus()
        await page
          .locator(".point-title")
          .first()
          .getByText(/assay endpoint \d+: \w+/)
          .waitFor()
        await page.keyboard.press("Enter")
        await page.locator("figure").nth(1).getByText("measured").waitFor()
        const svgs = page.locator("figure").first().locator("svg")
        const filters = await svgs.evaluateAll((all) => all.map((svg) => getComputedStyle(svg).filter))
        expect(filters.filter((filter) => filter !== "none")).toEqual(["invert(1) hue-rotate(180deg)"])
        expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual([
          "/explorer/plotWorker.js"
        ])
        await page
          .getByRole("cell", { name: /^\d+ \w+/ })
          .first()
          .waitFor()
        expect(violations).toEqual([])
      } finally {
        await Command.stop(generated.running)
      }
    })
  })

  it("shows a family when its tab is opened, sorts and downloads its records, and says that example data are made up", async ({
    skip
  }) => {
    const { violations, page } = await visit(skip, `${service.url}/#/substance/${exampleSubstance}`)
    await enter(page)
    const requests: Array<string> = []
    page.on("request", (request) => requests.push(new URL(request.url()).pathname))
    const tab = page.getByRole("tab", { name: "Hazard" })
    await tab.waitFor()
    expect(requests.filter((path) => path.startsWith("/hazard/toxval"))).toEqual([])

    await tab.click()
    const values = page.getByRole("region", { name: "Toxicity values", exact: true })
    await values.getByText("NOAEL").first().waitFor()
    const number = values.getByRole("columnheader", { name: "toxvalNumeric", exact: true })
    for (const direction of ["ascending", "descending"]) {
      await number.getByRole("button").click()
      expect(await number.getAttribute("aria-sort")).toBe(direction)
    }
    expect((await values.locator("tbody tr").first().textContent()) ?? "").toContain("LOAEL")
    await page.getByText("Example data: all of these values").first().waitFor()
    const lines = (await downloaded(page, "NDJSON of Toxicity values")).trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line).toxvalType).toSorted()).toEqual([
      "LC50",
      "LOAEL",
      "NOAEL",
      "RfD"
    ])
    expect(await downloaded(page, "CSV of Toxicity values")).toContain("toxvalNumeric")
    expect(requests).toContain("/hazard/toxval/search/by-dtxsid/")
    expect(requests.filter((path) => path.startsWith("/exposure/"))).toEqual([])

    // The tab is part of the address.
    expect(page.url()).toContain(`${exampleSubstance}/hazard`)
    await page.goBack()
    await page.getByRole("heading", { name: "Identifiers" }).waitFor()
    expect(violations).toEqual([])
  })

  it("says which families of a substance are empty", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/substance/DTXSID7020182/hazard`)
    await enter(page)
    await page.getByText("Toxicity values: none", { exact: true }).waitFor()
  })

  it("has the JSON that the command writes", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/substance/DTXSID7020182`)
    await enter(page)
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download" }).click()
    const file = await (await download).path()
    const command = Command.start(["details", "DTXSID7020182"], {
      CHEMSTREAM_BASE_URL: service.url,
      CHEMSTREAM_API_KEY: key
    })
    expect(await command.exited).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(command.stdout().trimEnd())
  })

  it("is replaced by a message if the service does not know it", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/substance/DTXSID2099900001`)
    await enter(page)
    await page.getByRole("alert").getByText("DTXSID2099900001").waitFor()
  })
})

/** Returns rows of every kind. Some are unknown, damaged or duplicate. */
const rows = (count: number): ReadonlyArray<string> => {
  const known = readFileSync(Bundled.identifiers, "utf8")
    .split("\n")
    .filter((line) => line !== "")
  const others = ["80-05-7", "Bisphenol A", "C15H16O2", "c1ccccc1", "IISBACLAFKSPIT-UHFFFAOYSA-N", "80-05-8"]
  return Array.from({ length: count }, (_, at) => {
    if (at % 7 === 0) return `no such name ${at}`
    if (at % 5 === 0) return others[at % others.length] ?? ""
    return known[at % known.length] ?? ""
  })
}

const paste = async (page: Page, text: string): Promise<void> => {
  await enter(page)
  await page.getByLabel("Identifiers of any kind").fill(text)
  await page.getByRole("button", { name: "Resolve", exact: true }).click()
}

/** Returns the ledger of a finished run. */
const ledgerOf = async (page: Page): Promise<string> => {
  await page.getByRole("progressbar").waitFor({ state: "detached", timeout: 90_000 })
  return (await page.locator(".ledger").textContent()) ?? ""
}

/** The rows of a ledger, and the sum of their outcomes. */
const sums = (ledger: string): readonly [rows: number, outcomes: number] => {
  const [rows = 0, ...outcomes] = [...ledger.matchAll(/\d+/g)].map(([number]) => Number(number))
  return [rows, outcomes.reduce((sum, one) => sum + one, 0)]
}

const downloaded = async (page: Page, name: string): Promise<string> => {
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name, exact: true }).click()
  return readFileSync(await (await download).path(), "utf8")
}

/** Returns the output of `chemstream resolve` for a file. */
const commandOutput = async (
  folder: string,
  input: string,
  output: string,
  ...flags: ReadonlyArray<string>
) => {
  const file = join(folder, output)
  const command = Command.start(
    [
      flags.includes("--mz") ? "suspects" : "resolve",
      "--input",
      join(folder, input),
      "--output",
      file,
      "-q",
      ...flags
    ],
    {
      CHEMSTREAM_BASE_URL: service.url,
      CHEMSTREAM_API_KEY: key
    }
  )
  expect(await command.exited).toBe(0)
  return readFileSync(file, "utf8")
}

/** Returns the first lines that differ, of the page and of the command. */
const differences = (page: string, command: string): ReadonlyArray<unknown> => {
  const [shown, written] = [page.split("\n"), command.split("\n")]
  return Array.from({ length: Math.max(shown.length, written.length) })
    .flatMap((_, at) =>
      shown[at] === written[at] ? [] : [{ line: at + 1, page: shown[at], command: written[at] }]
    )
    .slice(0, 5)
}

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-explorer-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("a list", { timeout: 180_000 }, () => {
  it("accounts for every row despite faults, and downloads the output of the command byte for byte", async ({
    skip
  }) => {
    const list = `${rows(isThorough ? 2000 : 300).join("\n")}\n`
    const proxy = await FaultProxy.start({
      upstream: service.url,
      scenario: {
        ...Scenario.noFaults,
        seed: 29,
        rules: [
          { fault: { _tag: "Status", status: 503, body: "problem" }, share: 0.5, times: 1 },
          { fault: { _tag: "Cut", at: 0.5, how: "reset" }, share: 0.5, times: 1 }
        ]
      }
    })
    // The page itself loads without the proxy, so faults hit only requests for records.
    const direct = (context: BrowserContext) =>
      context.route(
        ({ pathname }) => pathname === "/" || /^\/explorer\/.*\.(js|css)$/.test(pathname),
        async (route) => {
          const { pathname } = new URL(route.request().url())
          return route.fulfill({ response: await route.fetch({ url: `${service.url}${pathname}` }) })
        }
      )
    try {
      const { violations, page } = await visit(skip, `${proxy.url}/#/list`, {}, direct)
      await paste(page, list)
      const ledger = await ledgerOf(page)
      expect(sums(ledger)).toEqual([list.split("\n").length - 1, list.split("\n").length - 1])
      expect(ledger).toContain(" 0 failed")
      expect(proxy.faults).toBeGreaterThan(0)
      await inFolder(async (folder) => {
        writeFileSync(join(folder, "list.txt"), list)
        expect(
          differences(await downloaded(page, "CSV"), await commandOutput(folder, "list.txt", "out.csv"))
        ).toEqual([])
        expect(
          differences(await downloaded(page, "NDJSON"), await commandOutput(folder, "list.txt", "out.ndjson"))
        ).toEqual([])
      })
      const report = await downloaded(page, "Report")
      expect(report).toContain(ledger)
      expect(report).toContain('<td class="number">1</td><td>no such name 0</td><td>missing</td>')
      expect(report).not.toMatch(/<(script|img|link|iframe)|\ssrc=|https?:/)

      // Sorting and filtering act on all rows.
      await page.getByLabel("Filter").fill("no such name 7")
      await page.locator("tbody tr", { hasText: /^(?!.*no such name 7)/ }).waitFor({ state: "detached" })
      await page.getByLabel("Filter").fill("")
      // The first click sorts by the first line, the second one by the last.
      await page.getByRole("button", { name: "Line" }).dblclick()
      await page
        .locator("tbody tr")
        .first()
        .getByText(String(sums(ledger)[0]), { exact: true })
        .waitFor()
      expect(violations).toEqual([])
    } finally {
      await proxy[Symbol.asyncDispose]()
    }
  })

  it("resolves a table by its ticked columns, and downloads all columns", async ({ skip }) => {
    const table =
      'sample,casrn,note\nS-01,80-05-7,"receipt, thermal"\nS-02,71-43-2,\nS-03,80-05-8,wrong\nS-04,,none\n'
    const { page } = await visit(skip, `${service.url}/#/list`)
    await enter(page)
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "samples.csv", mimeType: "text/csv", buffer: Buffer.from(table) })
    expect(await page.getByRole("checkbox", { name: "casrn" }).isChecked()).toBe(true)
    await page.getByRole("button", { name: "Resolve the table" }).click()
    expect(sums(await ledgerOf(page))).toEqual([4, 4])
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "samples.csv"), table)
      const flags = ["--key", "casrn"]
      expect(
        differences(
          await downloaded(page, "CSV"),
          await commandOutput(folder, "samples.csv", "out.csv", ...flags)
        )
      ).toEqual([])
    })
  })

  it.for(["parquet", "arrow"])(
    "resolves a table in %s as the command does, without a request elsewhere",
    async (kind, { skip }) => {
      const { page, violations } = await visit(skip, `${service.url}/#/list`)
      await enter(page)
      await inFolder(async (folder) => {
        const [csv, file] = [join(folder, "in.csv"), join(folder, `samples.${kind}`)]
        writeFileSync(csv, "sample,casrn,conc\n1,80-05-7,0.5\n2,71-43-2,\n3,80-05-8,12\n")
        expect(await Command.start(["convert", csv, file]).exited).toBe(0)
        await page.locator("input[type=file]").setInputFiles(file)
        expect(await page.getByRole("checkbox", { name: "casrn" }).isChecked()).toBe(true)
        await page.getByRole("button", { name: "Resolve the table" }).click()
        expect(await ledgerOf(page)).toBe(
          "3 rows = 2 found + 0 ambiguous + 0 conflict + 1 missing + 0 invalid + 0 failed"
        )
        const flags = ["--key", "casrn"]
        expect(
          differences(
            await downloaded(page, "CSV"),
            await commandOutput(folder, `samples.${kind}`, "out.csv", ...flags)
          )
        ).toEqual([])
      })
      expect(violations).toEqual([])
    }
  )

  it("resolves the chosen sheet of a workbook, and a new input replaces the results", async ({ skip }) => {
    const sheets = [
      { sheet: "Cover", data: [["Results of May"], ["2 samples"]] },
      {
        sheet: "Water",
        data: [["Water 2024"], [], ["sample", "CAS no."], ["S-01", "80-05-7"], ["S-02", "#N/A"]]
      },
      // Large, so that the library would start a worker to decompress it.
      { sheet: "Soil", data: [["name"], ...Array.from({ length: 20_000 }, () => ["Benzene"])] }
    ]
    const buffer: Buffer = await writeSheets(sheets as never).toBuffer()
    const { page, violations } = await visit(skip, `${service.url}/#/list`)
    await paste(page, "80-05-7")
    await ledgerOf(page)
    const requested: Array<string> = []
    page.on("request", (request) => requested.push(new URL(request.url()).pathname))
    const file = page.locator("input[type=file]")
    await file.setInputFiles({ name: "results.xlsx", mimeType: "", buffer })
    await page.getByText("Sheet Water. The header is row 3.").waitFor()
    expect(await page.locator(".ledger").count()).toBe(0)
    expect(requested.filter((path) => path.endsWith(".js")).length).toBeGreaterThan(0)
    expect(await page.getByRole("combobox", { name: "Sheet" }).locator("option").allTextContents()).toEqual([
      "Water",
      "Soil",
      "Cover"
    ])
    await page.getByRole("button", { name: "Resolve the table" }).click()
    expect(await ledgerOf(page)).toBe(
      "2 rows = 1 found + 0 ambiguous + 0 conflict + 0 missing + 1 invalid + 0 failed"
    )
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "results.xlsx"), buffer)
      const flags = ["--key", "CAS no."]
      expect(
        differences(
          await downloaded(page, "CSV"),
          await commandOutput(folder, "results.xlsx", "out.csv", ...flags)
        )
      ).toEqual([])
    })
    await page.getByRole("combobox", { name: "Sheet" }).selectOption("Soil")
    await page.getByText("Sheet Soil. The header is row 1.").waitFor()
    await file.setInputFiles({ name: "broken.xlsx", mimeType: "", buffer: buffer.subarray(0, 400) })
    await page.getByRole("alert").getByText("broken.xlsx is not a workbook that can be read").waitFor()
    expect(await page.locator(".ledger, fieldset").count()).toBe(0)
    expect(violations).toEqual([])
  })

  it("accounts for every row if the service stops during the run", async ({ skip }) => {
    const stopped = await Command.serve(key)
    let requests = 0
    const stopAtThird = (context: BrowserContext) =>
      context.route(
        ({ pathname }) => pathname.startsWith("/chemical/"),
        async (route) => {
          requests++
          if (requests === 3) await Command.stop(stopped.running)
          return route.continue()
        }
      )
    const { page } = await visit(skip, `${stopped.url}/#/list`, {}, stopAtThird)
    await paste(page, rows(600).join("\n"))
    const ledger = await ledgerOf(page)
    expect(sums(ledger)).toEqual([600, 600])
    expect(ledger).toMatch(/\b[1-9]\d* (failed|without a result)/)
    await Command.stop(stopped.running)
  })
})

describe("a feature table", { timeout: 120_000 }, () => {
  it("becomes the rows of the command, with the settings of the form", async ({ skip }) => {
    const table = "mz,adduct,area\n229.1223,[M+H]+,10\n227.1077,,20\n1.5,,3\nx,,4\n"
    const { page, violations } = await visit(skip, `${service.url}/#/suspects`)
    await enter(page)
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "features.csv", mimeType: "text/csv", buffer: Buffer.from(table) })
    expect(await page.getByLabel("Column of the adduct").inputValue()).toBe("adduct")
    await page.getByLabel("Polarity").selectOption("negative")
    await page.getByLabel("Tolerance").fill("8")
    await page.getByRole("button", { name: "Find candidates" }).click()
    expect(await ledgerOf(page)).toBe("4 features = 2 found + 1 missing + 1 invalid + 0 failed")
    await page.getByRole("link", { name: "Bisphenol A", exact: true }).first().waitFor()
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "features.csv"), table)
      const flags = ["--mz", "mz", "--adduct", "adduct", "--polarity", "negative", "--ppm", "8"]
      const output = await commandOutput(folder, "features.csv", "out.csv", ...flags)
      expect(differences(await downloaded(page, "CSV"), output)).toEqual([])
    })
    await page.getByLabel("Adducts to try").fill("[M+Xx]+")
    await page.getByRole("button", { name: "Find candidates" }).click()
    await page.getByRole("alert").getByText("[M+Xx]+").waitFor()
    expect(violations).toEqual([])
  })
})

describe("the harvests", { timeout: 120_000 }, () => {
  it("are shown with their state and counts, and are updated", async ({ skip }) => {
    await inFolder(async (folder) => {
      const database = join(folder, "harvests.db")
      const harvest = (...args: ReadonlyArray<string>) =>
        Command.start(["harvest", ...args, "--database", database], {
          CHEMSTREAM_BASE_URL: service.url,
          CHEMSTREAM_API_KEY: key
        }).exited
      const ids = ["DTXSID7020182", "DTXSID2099900001"]
      await harvest("start", "later", ...ids, "--output", join(folder, "out"), "--detach")
      const serving = await Command.serve(key, "--harvests", database)
      try {
        const { violations, page } = await visit(skip, `${serving.url}/#/harvests`)
        await enter(page)
        const harvestSection = page.getByRole("region", { name: "later" })
        await harvestSection.getByText("running").waitFor()
        await harvest("pause", "later")
        await harvestSection.getByText("paused").waitFor()
        expect(await findings(page)).toEqual([])
        await harvest("cancel", "later")
        await harvestSection.getByText("cancelled").waitFor()
        expect(violations).toEqual([])
      } finally {
        await Command.stop(serving.running)
      }
    })
  })

  it("are shown with their failures by reason", async ({ skip }) => {
    const proxy = await FaultProxy.start({
      upstream: service.url,
      scenario: {
        ...Scenario.noFaults,
        seed: 29,
        rules: [{ fault: { _tag: "Status", status: 400, body: "problem" }, share: 1 }]
      }
    })
    try {
      await inFolder(async (folder) => {
        const database = join(folder, "harvests.db")
        const flags = ["--output", join(folder, "out"), "--database", database]
        const ids = ["DTXSID7020182", "DTXSID2099900001"]
        const env = { CHEMSTREAM_BASE_URL: proxy.url, CHEMSTREAM_API_KEY: key }
        expect(await Command.start(["harvest", "start", "refused", ...ids, ...flags], env).exited).toBe(1)
        const serving = await Command.serve(key, "--harvests", database)
        try {
          const { violations, page } = await visit(skip, `${serving.url}/#/harvests`)
          await enter(page)
          const failure = page.getByRole("region", { name: "refused" }).locator("dl > div", {
            hasText: "Failed: InvalidRequest 400"
          })
          await failure.getByText("2 identifiers", { exact: true }).waitFor()
          expect(violations).toEqual([])
        } finally {
          await Command.stop(serving.running)
        }
      })
    } finally {
      await proxy[Symbol.asyncDispose]()
    }
  })

  it("are replaced by a message if the service has none", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/harvests`)
    await enter(page)
    await page.getByText("started without harvests").waitFor()
  })
})

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** Returns the findings of axe-core on a page, each with its elements. */
const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const {
    violations
  }: {
    readonly violations: ReadonlyArray<{
      readonly id: string
      readonly nodes: ReadonlyArray<{ readonly html: string }>
    }>
  } = await page.evaluate("axe.run()")
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

describe("every view", { timeout: 180_000 }, () => {
  const views: ReadonlyArray<readonly [name: string, show: (page: Page) => Promise<unknown>]> = [
    ["key", async () => {}],
    [
      "start",
      async (page) => {
        await enter(page)
        await page.getByText("343 substances").first().waitFor()
        await page
          .getByRole("img", { name: /^Structure of / })
          .nth(5)
          .waitFor()
      }
    ],
    [
      "search",
      async (page) => {
        await search(page, "bisph")
        await page.getByRole("img", { name: "Structure of Bisphenol A", exact: true }).waitFor()
      }
    ],
    [
      "empty",
      async (page) => {
        await search(page, "no such name of a substance")
        await page.getByText("Nothing found").waitFor()
      }
    ],
    [
      "error",
      async (page) => {
        await page.evaluate(() => location.assign("#/substance/DTXSID2099900001"))
        await page.getByRole("alert").waitFor()
      }
    ],
    [
      "substance",
      async (page) => {
        await page.evaluate(() => location.assign("#/substance/DTXSID7020182"))
        await page.getByRole("img", { name: "Structure of Bisphenol A" }).waitFor()
        await page.getByRole("link", { name: "Disodium bisphenol A" }).waitFor()
      }
    ],
    [
      "records",
      async (page) => {
        await page.evaluate((id) => location.assign(`#/substance/${id}/hazard`), exampleSubstance)
        await page.getByRole("region", { name: "Toxicity values", exact: true }).waitFor()
        await page.getByText("PPRTV assessments: none").waitFor()
      }
    ],
    [
      "list",
      async (page) => {
        await page.getByRole("link", { name: "List" }).click()
        await page
          .getByLabel("Identifiers of any kind")
          .fill("80-05-7\nno such name\nC2H6O\nBenzene\n80-05-8")
        await page.getByRole("button", { name: "Resolve", exact: true }).click()
        await ledgerOf(page)
      }
    ],
    [
      "suspects",
      async (page) => {
        await page.getByRole("link", { name: "Suspects" }).click()
        await page.getByLabel("The m/z of features").fill("229.1223\n1.5")
        await page.getByRole("button", { name: "Read" }).click()
        await page.getByRole("button", { name: "Find candidates" }).click()
        await ledgerOf(page)
      }
    ]
  ]

  it.for(isThorough ? (["light", "dark"] as const) : (["dark"] as const))(
    "is accessible in %s",
    async (colorScheme, { skip }) => {
      const { page } = await visit(skip, service.url, { colorScheme, reducedMotion: "reduce" })
      const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      expect(background).toBe(colorScheme === "dark" ? "rgb(22, 24, 28)" : "rgb(255, 255, 255)")
      for (const [name, show] of views) {
        await show(page)
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overhang, `${name} at ${width}`).toBeLessThanOrEqual(0)
          expect(await findings(page), `${name} at ${width}`).toEqual([])
        }
        // Screenshots for the guides. They are not compared.
        await page.screenshot({ path: `reports/explorer-${name}-${colorScheme}.png` })
      }
      const structure = page.locator("img.structure").first()
      await page.evaluate(() => location.assign("#/substance/DTXSID7020182"))
      await structure.waitFor()
      const filter = await structure.evaluate((image) => getComputedStyle(image).filter)
      expect(filter).toBe(colorScheme === "dark" ? "invert(1) hue-rotate(180deg)" : "none")
    }
  )

  it("has no transitions for a person who prefers reduced motion", async ({ skip }) => {
    for (const reducedMotion of ["reduce", "no-preference"] as const) {
      const { page } = await visit(skip, service.url, { reducedMotion })
      await enter(page)
      await search(page, "80-05-7")
      // The examples of the start page look like results, and go when these come.
      const link = page.getByRole("region", { name: "Results" }).getByRole("link").first()
      await link.waitFor()
      const duration = await link.evaluate((element) => getComputedStyle(element).transitionDuration)
      expect(duration).toBe(reducedMotion === "reduce" ? "0s" : "0.15s")
    }
  })

  it("prints without its controls", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/substance/DTXSID7020182`)
    await enter(page)
    await page.getByRole("heading", { level: 1, name: "Bisphenol A" }).waitFor()
    await page.emulateMedia({ media: "print" })
    expect(await page.getByRole("navigation").isVisible()).toBe(false)
    expect(await page.getByRole("button").first().isVisible()).toBe(false)
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true)
  })
})
