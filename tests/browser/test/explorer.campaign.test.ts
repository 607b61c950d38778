/** The explorer as a person uses it: the built page in a real browser, served by the real command. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser as Chromium, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import * as Browser from "../src/Browser.ts"
import * as Command from "../src/Command.ts"

const key = "key-of-the-explorer"

let browser: Chromium | undefined
let reason = ""
let service: Awaited<ReturnType<typeof Command.serve>>
const open: Array<Browser.Visit> = []

beforeAll(async () => {
  const started = await Browser.start()
  if ("browser" in started) browser = started.browser
  else reason = started.reason
  service = await Command.serve(key)
}, 120_000)

afterEach(async () => {
  for (const { context } of open.splice(0)) await context.close()
})

afterAll(async () => {
  await browser?.close()
  await Command.stop(service.running)
})

type Options = Parameters<typeof Browser.visit>[2]

/** Opens the explorer; skips the test, with the reason, where no browser can start. */
const visit = async (
  skip: (reason: string) => void,
  url = service.url,
  options?: Options
): Promise<Browser.Visit> => {
  if (browser === undefined) skip(reason)
  const visit = await Browser.visit(browser as Chromium, url, options)
  open.push(visit)
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
const tested = async (url: string): Promise<string> => {
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
  it("is asked for once in a tab, and needed for every record", async ({ skip }) => {
    const { faults, page } = await visit(skip)
    await enter(page)
    await searchBox(page).waitFor()
    await page.reload()
    await searchBox(page).waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    expect(faults).toEqual([])
  })

  it("is asked for again when the service refuses it", async ({ skip }) => {
    const { page } = await visit(skip)
    await enter(page, "a wrong key")
    await search(page, "Bisphenol A")
    await page.getByRole("alert").getByText("refuses this key").waitFor()
    await enter(page)
    await page.locator(".results").getByText("DTXSID7020182").waitFor()
  })

  it("comes with a one-time link, once", async ({ skip }) => {
    const opened = await Command.serve(key, "--open")
    try {
      const [, link = ""] = await opened.running.says(/once: (\S+)/)
      const { page } = await visit(skip, link)
      await searchBox(page).waitFor()
      expect(page.url()).not.toContain("open")
      const { page: second } = await visit(skip, link)
      await second.getByRole("alert").getByText("used before").waitFor()
    } finally {
      await Command.stop(opened.running)
    }
  })
})

describe("the search", { timeout: 120_000 }, () => {
  it.for([
    ["80-05-7", "DTXSID7020182"],
    ["bisphenol a", "DTXSID7020182"],
    ["CC(C)(c1ccc(O)cc1)c1ccc(O)cc1", "DTXSID7020182"],
    ["IISBACLAFKSPIT-UHFFFAOYSA-N", "DTXSID7020182"],
    ["C15H16O2", "DTXSID7020182"],
    ["228.115", "DTXSID7020182"],
    ["DTXCID30182", "DTXSID7020182"]
  ] as const)("finds by %s", async ([text, id], { skip }) => {
    const { faults, page } = await visit(skip)
    await enter(page)
    await search(page, text)
    const found = page.locator(".results li", { hasText: id })
    await found.getByText("Matched: ").waitFor()
    await found.getByRole("img", { name: /^Structure of / }).waitFor()
    expect(faults).toEqual([])
  })

  it("suggests names while a person types, and is used by the keyboard alone", async ({ skip }) => {
    const { page } = await visit(skip)
    await enter(page)
    await searchBox(page).waitFor()
    await page.keyboard.type("bisphenol")
    const suggestions = page.getByRole("option")
    await suggestions.first().waitFor()
    expect(await suggestions.allInnerTexts()).toContainEqual(expect.stringContaining("Bisphenol A"))
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

  it("shows names and words of the service as text", async ({ skip }) => {
    const { faults, page } = await visit(skip)
    await enter(page)
    await search(page, '<img src=x onerror="alert(1)">')
    await page.getByText("Nothing found").waitFor()
    expect(await page.locator("main img").count()).toBe(0)
    expect(faults).toEqual([])
  })
})

describe("a substance", { timeout: 120_000 }, () => {
  it("shows structure, facts, bioactivity and where else it is", async ({ skip }) => {
    const { faults, page } = await visit(skip, `${service.url}/#/substance/DTXSID7020182`)
    await enter(page)
    await page.getByRole("heading", { level: 1, name: "Bisphenol A" }).waitFor()
    await page.getByRole("img", { name: "Structure of Bisphenol A" }).waitFor()
    for (const text of ["IISBACLAFKSPIT-UHFFFAOYSA-N", "228.115", "4,4'-isopropylidenediphenol"]) {
      await page.locator("article").getByText(text, { exact: false }).first().waitFor()
    }
    await page.getByRole("button", { name: "Copy InChIKey" }).waitFor()
    await page.getByText("chemstream details DTXSID7020182").waitFor()
    expect(faults).toEqual([])
  })

  it("shows its hit calls, whose points reveal their assay and lead to their curves", async ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), "chemstream-explorer-"))
    const database = join(folder, "generated.sqlite")
    const flags = ["--count", "30", "--seed", "7", "--assays", "1", "--no-fingerprints", "-q"]
    await Command.start(["generate", ...flags, "--database", database]).ended
    const generated = await Command.serve(key, "--database", database)
    try {
      const { faults, page } = await visit(
        skip,
        `${generated.url}/#/substance/${await tested(generated.url)}`
      )
      await enter(page)
      await page.locator("figure [role=button]").first().focus()
      await page.locator(".told").first().getByText("assay endpoint").waitFor()
      await page.keyboard.press("Enter")
      await page.locator("figure").nth(1).getByText("measured").waitFor()
      expect(faults).toEqual([])
    } finally {
      await Command.stop(generated.running)
      rmSync(folder, { recursive: true })
    }
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
    expect(await command.ended).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(command.stdout().trimEnd())
  })

  it("that is not known says so", async ({ skip }) => {
    const { page } = await visit(skip, `${service.url}/#/substance/DTXSID2099900001`)
    await enter(page)
    await page.getByRole("alert").getByText("DTXSID2099900001").waitFor()
  })
})
