/** Tests that the report of the real command prints on few pages. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser as Chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Browser from "../src/Browser.ts"
import * as Command from "../src/Command.ts"

const key = "key-of-the-report"
const folder = mkdtempSync(join(tmpdir(), "chemstream-report-"))

let browser: Chromium | undefined
let reason = ""
let service: Awaited<ReturnType<typeof Command.serve>>

beforeAll(async () => {
  const started = await Browser.start()
  if ("browser" in started) browser = started.browser
  else reason = started.reason
  service = await Command.serve(key)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await Command.stop(service.running)
  rmSync(folder, { recursive: true })
})

/** Returns the number of pages of the report on the first substances of the service. */
const pagesOf = async (chromium: Chromium, count: number, format: "A4" | "Letter"): Promise<number> => {
  const [list, report] = [join(folder, `${count}.txt`), join(folder, `${count}.html`)]
  const response = await fetch(`${service.url}/chemical/all?projection=all-ids`, {
    headers: { "x-api-key": key }
  })
  const all: ReadonlyArray<{ readonly dtxsid: string }> = await response.json()
  writeFileSync(
    list,
    all
      .slice(0, count)
      .map(({ dtxsid }) => dtxsid)
      .join("\n")
  )
  const command = Command.start(["report", "--input", list, "--output", report, "-q"], {
    CHEMSTREAM_BASE_URL: service.url,
    CHEMSTREAM_API_KEY: key
  })
  expect(await command.exited).toBe(0)
  const page = await chromium.newPage()
  try {
    await page.goto(pathToFileURL(report).href)
    expect(await page.locator("#overview tbody tr").count()).toBe(count)
    const pdf = await page.pdf({ format, preferCSSPageSize: false })
    return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0
  } finally {
    await page.close()
  }
}

describe("the printed report", { timeout: 180_000 }, () => {
  it.for([
    [40, 1, "A4"],
    [40, 1, "Letter"],
    [113, 6, "A4"]
  ] as const)(
    "has an overview of %i substances on at most %i pages of %s",
    async ([count, most, format], { skip }) => {
      if (browser === undefined) return skip(reason)
      const pages = await pagesOf(browser, count, format)
      expect(pages).toBeGreaterThan(0)
      expect(pages).toBeLessThanOrEqual(most)
    }
  )
})
