/** A service of one answer. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const serve = async (
  answer: (ids: ReadonlyArray<string>) => Answer
): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const {
      status = 200,
      headers = {},
      body: value = []
    } = answer(body.startsWith("[") ? JSON.parse(body) : [])
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}
