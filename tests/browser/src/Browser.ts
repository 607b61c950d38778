/**
 * Starts a real browser: Chromium without a window, from an npm package.
 *
 * It needs shared libraries that a small machine may lack. Tests are then skipped, with the reason.
 */
import chromium from "@sparticuz/chromium"
import { type Browser, type BrowserContext, chromium as driver, type Page } from "playwright-core"

/** A browser, or the reason why it did not start. */
export type Started = { readonly browser: Browser } | { readonly reason: string }

/**
 * The arguments of the package that tests remove. A single process ends with its first page, and without web security
 * the policy of the page does not apply.
 */
const removedArguments = new Set([
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content"
])

/** Starts the browser. */
export const start = async (): Promise<Started> => {
  try {
    const args = chromium.args.filter((argument) => !removedArguments.has(argument))
    const executablePath = await chromium.executablePath()
    return { browser: await driver.launch({ executablePath, args, headless: true }) }
  } catch (cause) {
    return { reason: `no browser can start here: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

/** A page that can reach only the service, and the violations on it. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Requests to another host, violations of the page's policy, and uncaught errors. */
  readonly violations: ReadonlyArray<string>
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
  const violations: Array<string> = []
  const { origin } = new URL(url)
  await context.route(
    (address) => address.origin !== origin && address.protocol !== "blob:",
    (route) => {
      violations.push(`requested ${route.request().url()}`)
      return route.abort()
    }
  )
  page.on("pageerror", (error) => violations.push(error.message))
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
  })
  await prepare(context)
  await page.goto(url)
  return { context, page, violations }
}
