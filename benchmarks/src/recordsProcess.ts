/**
 * Runs a service of precomputed responses: a batch of details gets the records of its known identifiers, in the requested order.
 *
 * Full records come from `@chemstream/synthetic`: they have the fields, the lengths and the escapes of real ones.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Synthetic } from "@chemstream/synthetic"
import { Effect, Stream } from "effect"
import * as child from "./child.ts"
import { isUnknown } from "./identifiers.ts"

/** The settings of the responses. */
export interface Options {
  /** The latency of each response, in milliseconds. */
  readonly latency: number
  /** Full records of about 3 kB, or records of five fields and 150 bytes. */
  readonly records: "full" | "small"
  /** Whether a tenth of the identifiers is unknown. Default: false. */
  readonly someUnknown?: boolean
  /** Whether responses to earlier requests are cached. */
  readonly remember?: boolean
}

const { latency, records, someUnknown, remember } = child.options<Options>()

/** A record, split at its identifier. */
interface Template {
  readonly before: Buffer
  readonly after: Buffer
}

const templateOf = (dtxsid: string, record: Uint8Array): Template => {
  const bytes = Buffer.from(record)
  const at = bytes.indexOf(dtxsid)
  return { before: bytes.subarray(0, at), after: bytes.subarray(at + dtxsid.length) }
}

const fullTemplates = async (): Promise<ReadonlyArray<Template>> => {
  const chunks = await Effect.runPromise(
    Stream.runCollect(Synthetic.batches({ count: Synthetic.batchSize, seed: 1 }))
  )
  return chunks.flatMap(({ details }) => details.map(({ dtxsid, record }) => templateOf(dtxsid, record)))
}

const smallTemplates = (): ReadonlyArray<Template> => {
  const fields = {
    dtxsid: "#",
    preferredName: "4,4'-(Propane-2,2-diyl)diphenol",
    monoisotopicMass: 228.115029755
  }
  const record = JSON.stringify({ id: "1", ...fields, activeAssays: 170, molFormula: "C15H16O2" })
  return [templateOf("#", Buffer.from(record))]
}

const templates = records === "full" ? await fullTemplates() : smallTemplates()

const bodyOf = (ids: ReadonlyArray<string>): Buffer => {
  const known = someUnknown ? ids.filter((id) => !isUnknown(id)) : ids
  const parts = known.flatMap((id, n) => {
    const { before, after } = templates[n % templates.length] as Template
    return [Buffer.from(n === 0 ? "" : ","), before, Buffer.from(id), after]
  })
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")])
}

const cache = new Map<string, Buffer>()

const cachedBody = (request: string): Buffer => {
  const body = cache.get(request) ?? bodyOf(JSON.parse(request) as ReadonlyArray<string>)
  if (remember) cache.set(request, body)
  return body
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const send = (): void => {
      const body = cachedBody(Buffer.concat(chunks).toString())
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
    }
    if (latency === 0) send()
    else setTimeout(send, latency)
  })
})

server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
