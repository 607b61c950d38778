// A service on loopback that has every chemical with an even number, and records the requests. It can hold responses
// back, respond late, and refuse a key.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A running service. */
export interface ChemicalService extends AsyncDisposable {
  readonly url: string
  /** The identifiers of every request, in order of arrival. */
  readonly requests: Array<ReadonlyArray<string>>
  /** The time of each request, in milliseconds. */
  readonly times: Array<number>
  /** Holds every response back until `release`. */
  hold: () => void
  release: () => void
  /** The status of the next responses. Initially: 200. */
  status: number
  /** Further headers of the next responses. Initially: none. */
  headers: Readonly<Record<string, string>>
  /** The body of the next responses. Initially: the records. */
  body: string | undefined
  /** Resolves when this number of requests has arrived. */
  readonly received: (count: number) => Promise<void>
}

export const idOf = (number: number): string => `DTXSID${String(200000000 + number * 10)}`

export const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, number) => idOf(number))

/** The record of an identifier, as text. */
export const recordOf = (id: string): string => `{"dtxsid":"${id}","casrn":"50-00-0"}`

export const isKnown = (id: string): boolean => Number(id.at(-2)) % 2 === 0

export const start = async (latency = 0): Promise<ChemicalService> => {
  const waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []
  let heldResponses: Array<() => void> | undefined
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const ids = JSON.parse(Buffer.concat(chunks).toString()) as Array<string>
    service.requests.push(ids)
    service.times.push(Date.now())
    for (const { count, resolve } of waiting) if (service.requests.length >= count) resolve()
    const records = ids.filter(isKnown).map(recordOf)
    const respond = (): void => {
      response
        .writeHead(service.status, { "content-type": "application/json", ...service.headers })
        .end(service.body ?? (service.status === 200 ? `[${records.join(",")}]` : "{}"))
    }
    if (heldResponses !== undefined) heldResponses.push(respond)
    else if (latency > 0) setTimeout(respond, latency)
    else respond()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const service: ChemicalService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    times: [],
    status: 200,
    headers: {},
    body: undefined,
    hold: () => {
      heldResponses ??= []
    },
    release: () => {
      const answers = heldResponses ?? []
      heldResponses = undefined
      for (const answer of answers) answer()
    },
    received: (count) =>
      new Promise((resolve) => {
        if (service.requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return service
}
