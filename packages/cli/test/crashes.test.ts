// Runs against a service that stops when a request has a certain value, and listens again soon afterwards.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { answerTo, isKnown, setUp } from "./checkpointed.ts"
import { cleanUp, run } from "./process.ts"
import { lines } from "./scripted.ts"

/** Starts the service on a free port. It is down for so many milliseconds after each crash. */
const startFragile = async (deadly: string, downFor: number) => {
  let crashes = 0
  let server = createServer()
  let timer: NodeJS.Timeout | undefined
  const start = async (place: number): Promise<number> => {
    server = createServer(async (request, response) => {
      const ids: ReadonlyArray<string> = JSON.parse(await text(request))
      if (!ids.includes(deadly)) {
        response.writeHead(200, { "content-type": "application/json" }).end(answerTo(ids))
        return
      }
      crashes++
      const { localPort = 0 } = request.socket
      server.close()
      server.closeAllConnections()
      timer = setTimeout(() => start(localPort), downFor)
    }).listen(place, "127.0.0.1")
    await once(server, "listening")
    return (server.address() as AddressInfo).port
  }
  const port = await start(0)
  cleanUp(() => {
    clearTimeout(timer)
    server.closeAllConnections()
    server.close()
  })
  const env = { CHEMSTREAM_BASE_URL: `http://127.0.0.1:${port}`, CHEMSTREAM_API_KEY: "k" }
  return { env, crashes: () => crashes }
}

describe("a value that stops the service", { concurrent: true }, () => {
  it.each([0, 3, 6])(
    "fails alone, also if the first request of the run has it (place %i of 8)",
    async (at) => {
      const { ids } = setUp(8)
      const deadly = ids[at] as string
      const { crashes, env } = await startFragile(deadly, 300)
      const ended = await run(["details", ...ids, "--batch-size", "8"], { env })
      expect(ended, ended.stderr).toMatchObject({ code: 1 })
      expect(lines(ended.stdout).map(({ dtxsid }) => dtxsid)).toEqual(
        ids.filter((id) => id !== deadly && isKnown(id))
      )
      expect(ended.stderr).toContain("+ 1 failed")
      expect(crashes()).toBeLessThanOrEqual(4 + Math.log2(8))
    }
  )
})
