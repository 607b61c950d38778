// A service on loopback that has every chemical whose number is even, with the questions that came. It can hold its
// answers back, take its time, and refuse a key.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A service that answers. */
export interface ChemicalService extends AsyncDisposable {
  readonly url: string
  /** The identifiers of every request, in the order they came. */
  readonly requests: Array<ReadonlyArray<string>>
  /** When each request came, in milliseconds. */
  readonly times: Array<number>
  /** Holds every answer back until `release`. */
  hold: () => void
  release: () => void
  /** The status of the answers from now on, 200 in the beginning. */
  status: number
  /** Settles once so many requests have come. */
  readonly came: (count: number) => Promise<void>
}

export const idOf = (number: number): string => `DTXSID${String(200000000 + number * 10)}`

export const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, number) => idOf(number))

const isKnown = (id: string): boolean => Number(id.at(-2)) % 2 === 0

export const start = async (latency = 0): Promise<ChemicalService> => {
  const waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []
  let held: Array<() => void> | undefined
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const ids = JSON.parse(Buffer.concat(chunks).toString()) as Array<string>
    service.requests.push(ids)
    service.times.push(Date.now())
    for (const { count, resolve } of waiting) if (service.requests.length >= count) resolve()
    const records = ids.filter(isKnown).map((id) => `{"dtxsid":"${id}","casrn":"50-00-0"}`)
    const answer = (): void => {
      response
        .writeHead(service.status, { "content-type": "application/json" })
        .end(service.status === 200 ? `[${records.join(",")}]` : "{}")
    }
    if (held !== undefined) held.push(answer)
    else if (latency > 0) setTimeout(answer, latency)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const service: ChemicalService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    times: [],
    status: 200,
    hold: () => {
      held ??= []
    },
    release: () => {
      const answers = held ?? []
      held = undefined
      for (const answer of answers) answer()
    },
    came: (count) =>
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
