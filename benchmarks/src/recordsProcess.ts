/**
 * A service of precomputed answers, as a process: every batch of details is answered with one record an identifier, in
 * the order asked.
 *
 * An answer is a copy of one prepared text with the identifiers written into their places: what it costs is a copy.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as child from "./child.ts"
import { dtxsidLength } from "./identifiers.ts"

/** How it answers. */
export interface Options {
  /** Milliseconds before each answer. */
  readonly latency: number
  readonly recordBytes: number
  /** Whether the answers to questions that came before are remembered. */
  readonly remember?: boolean
}

const { latency, recordBytes, remember } = child.options<Options>()

const placeholder = "#".repeat(dtxsidLength)

/** A record as the service has it: names, numbers, and one long text that makes up the bytes wanted. */
const record = ((): string => {
  const properties = Array.from({ length: recordBytes > 1000 ? 40 : 4 }, (_, n) => [`property${n}`, n * 1.25])
  const fields = {
    id: "1",
    dtxsid: placeholder,
    preferredName: "4,4'-(Propane-2,2-diyl)diphenol",
    monoisotopicMass: 228.115029755,
    activeAssays: 170,
    ...Object.fromEntries(properties),
    descriptorStringTsv: ""
  }
  const bare = JSON.stringify(fields).length
  return JSON.stringify({
    ...fields,
    descriptorStringTsv: "0\t1\t".repeat(Math.max(1, (recordBytes - bare) / 6))
  })
})()

const placeInRecord = record.indexOf(placeholder)

const answer = (ids: ReadonlyArray<string>): Buffer => {
  const body = Buffer.allocUnsafe(ids.length * (record.length + 1) + 1)
  body.write("[", 0, "latin1")
  const first = body.write(record, 1, "latin1") + 1
  for (let n = 0; n < ids.length; n++) {
    const at = 1 + n * (record.length + 1)
    if (n > 0) body.copy(body, at, 1, first)
    body.write(ids[n] as string, at + placeInRecord, "latin1")
    body[at + record.length] = n === ids.length - 1 ? 0x5d : 0x2c
  }
  return body
}

const remembered = new Map<string, Buffer>()

const answerTo = (question: string): Buffer => {
  const body = remembered.get(question) ?? answer(JSON.parse(question) as ReadonlyArray<string>)
  if (remember) remembered.set(question, body)
  return body
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const send = (): void => {
      const body = answerTo(Buffer.concat(chunks).toString())
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
    }
    if (latency === 0) send()
    else setTimeout(send, latency)
  })
})

server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
