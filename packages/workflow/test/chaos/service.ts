// A service on loopback that answers batches of details, after a latency, and keeps when it was asked and for how many.
// A tenth of the identifiers it does not know.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Service {
  readonly url: string
  /** When each request came, in milliseconds of this process. */
  readonly asked: ReadonlyArray<number>
  /** How many identifiers were asked for, those asked again included. */
  readonly identifiers: () => number
  readonly close: () => Promise<void>
}

/** The identifier of a number. */
export const idOf = (n: number): string => `DTXSID10${n + 1000000}`

/** Whether the service knows an identifier. */
export const isKnown = (id: string): boolean => !id.endsWith("3")

/** The record of an identifier, as text. */
export const recordOf = (id: string): string =>
  `{"dtxsid":"${id}","averageMass":228.2910,"preferredName":"name of ${id}"}`

export const make = async (latency: number): Promise<Service> => {
  const asked: Array<number> = []
  let identifiers = 0
  const server = createServer((request, response) => {
    asked.push(performance.now())
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const ids: ReadonlyArray<string> = JSON.parse(Buffer.concat(chunks).toString())
      identifiers += ids.length
      const body = `[${ids.filter(isKnown).map(recordOf).join(",")}]`
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(body)
      }, latency)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    identifiers: () => identifiers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
