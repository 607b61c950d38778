// A service in this process that returns a record for each identifier of a batch, or leaves the request pending.

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A running service. */
export interface BatchService {
  readonly url: string
  /** The identifiers of every request so far. */
  readonly batches: ReadonlyArray<ReadonlyArray<string>>
  readonly stop: () => void
}

/** Starts a service on a free port. Requests for which `shouldRespond` returns false get no response. */
export const start = async (shouldRespond: () => boolean): Promise<BatchService> => {
  const batches: Array<ReadonlyArray<string>> = []
  const server = createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part
    })
    request.on("end", () => {
      const ids: ReadonlyArray<string> = JSON.parse(text)
      batches.push(ids)
      if (!shouldRespond()) return
      const records = ids.map((dtxsid) => ({ dtxsid, preferredName: `Substance ${dtxsid}` }))
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(records))
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
