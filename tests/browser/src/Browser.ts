/**
 * A real browser, from a package that brings it: Chromium without a window.
 *
 * It needs shared libraries that a small machine may lack. Tests are then skipped, with the reason.
 */
import chromium from "@sparticuz/chromium"
import { type Browser, type BrowserContext, chromium as driver, type Page } from "playwright-core"

/** A browser, or the reason why it did not start. */
export type Started = { readonly browser: Browser } | { readonly reason: string }

/**
 * The package's arguments that tests leave out: a single process ends with its first page, and without web security
 * the page's policy does not apply.
 */
const unwanted = new Set(["--single-process", "--disable-web-security", "--allow-running-insecure-content"])

/** Starts the browser. */
export const start = async (): Promise<Started> => {
  try {
    const args = chromium.args.filter((argument) => !unwanted.has(argument))
    const executablePath = await chromium.executablePath()
    return { browser: await driver.launch({ executablePath, args, headless: true }) }
  } catch (cause) {
    return { reason: `no browser can start here: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

/** A page that can reach only the service, with its violations. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Requests to another host, violations of the page's policy, and uncaught errors. */
  readonly faults: ReadonlyArray<string>
}

/** Opens a page of a service in a fresh profile, after `prepare`. The browser cannot reach any other host. */
export const visit = async (
  browser: Browser,
  url: string,
  options: Parameters<Browser["newContext"]>[0] = {},
  prepare: (context: BrowserContext) => Promise<unknown> = async () => {}
): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
  const page = await context.newPage()
  const faults: Array<string> = []
  const { origin } = new URL(url)
  await context.route(
    (address) => address.origin !== origin && address.protocol !== "blob:",
    (route) => {
      faults.push(`asked ${route.request().url()}`)
      return route.abort()
    }
  )
  page.on("pageerror", (error) => faults.push(error.message))
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
  })
  await prepare(context)
  await page.goto(url)
  return { context, page, faults }
}
