/** Calls `chemstream mcp --http` from a page of another origin, in a real browser. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser as Chromium } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Browser from "../src/Browser.ts"
import * as Command from "../src/Command.ts"

let browser: Chromium | undefined
let reason = ""
const page = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<p>a page</p>")
)
let origin = ""

beforeAll(async () => {
  const started = await Browser.start()
  if ("browser" in started) browser = started.browser
  else reason = started.reason
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
}, 120_000)

afterAll(async () => {
  await browser?.close()
  page.close()
  page.closeAllConnections()
})

it.for([
  ["a page of an allowed origin calls a tool server", true, { status: 200, name: "chemstream" }],
  ["a page of another origin is not answered", false, { failed: true }]
] as const)("%s", async ([, isAllowed, expected], { skip }) => {
  if (browser === undefined) return skip(reason)
  const allowed = isAllowed ? origin : "http://elsewhere.example"
  const running = Command.start(["mcp", "--http", "0", "--allow-origin", allowed], {
    CHEMSTREAM_API_KEY: "a-key-of-a-test"
  })
  const [, url = ""] = await running.waitFor(/serves assistants at (http:\S+)/)
  const [, token = ""] = await running.waitFor(/this one was made: (\S+)/)
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(origin)
    const answer = await tab.evaluate(
      async ([url, token]) => {
        try {
          const response = await fetch(url as string, {
            method: "POST",
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              accept: "application/json, text/event-stream"
            },
            body: JSON.stringify({
              jsonrpc: "2.0",
              id: 1,
              method: "initialize",
              params: {
                protocolVersion: "2025-06-18",
                capabilities: {},
                clientInfo: { name: "a page", version: "1" }
              }
            })
          })
          const name = /"name":"(\w+)"/.exec(await response.text())?.[1]
          return { status: response.status, name }
        } catch {
          return { failed: true }
        }
      },
      [url, token]
    )
    expect(answer).toEqual(expected)
  } finally {
    await context.close()
    await Command.stop(running)
  }
})
