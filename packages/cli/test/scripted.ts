/**
 * A service that responds as a test says, and records its requests.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { cleanUp } from "./process.ts"

export interface Request {
  readonly path: string
  /** The values of a batch. */
  readonly ids: ReadonlyArray<string>
  /** The unchanged body. */
  readonly body: string
}

export interface Answer {
  readonly status?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds before it is sent. */
  readonly after?: number
  /** The promise that it waits for. */
  readonly until?: Promise<void>
}

/** Starts it on a free port; it is closed after all tests of the file. */
export const scripted = async (answer: (request: Request, number: number) => Answer) => {
  const requests: Array<Request> = []
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
    request.on("end", async () => {
      const asked = { path: request.url ?? "", ids: valuesOf(text), body: text }
      const { after = 0, body, headers = {}, status = 200, until } = answer(asked, requests.push(asked))
      await until
      setTimeout(
        () => response.writeHead(status, { "content-type": "application/json", ...headers }).end(body),
        after
      )
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests, env: { CHEMSTREAM_BASE_URL: url, CHEMSTREAM_API_KEY: "k" } }
}

/** The values of a batch: an array, or one per line. */
const valuesOf = (body: string): ReadonlyArray<string> => {
  if (body === "") return []
  return /^[[{]/.test(body) ? JSON.parse(body) : body.split("\n")
}

/** The objects of some lines. */
export const lines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
