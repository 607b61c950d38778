/**
 * Runs the baseline: a bare `node:http` server that responds to every request with the bytes of the last PUT.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { reportMemory } from "./child.ts"

let body: Uint8Array = new Uint8Array()

const server = createServer((request, response) => {
  const parts: Array<Uint8Array> = []
  request.on("data", (part: Uint8Array) => parts.push(part))
  request.on("end", () => {
    if (request.method === "PUT") {
      body = Buffer.concat(parts)
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
    response.end(body)
  })
})

server.listen(0, "127.0.0.1", () => {
  reportMemory()
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
