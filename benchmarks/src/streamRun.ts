/**
 * Writes the records of many identifiers as lines and discards them: with the stream package (as text or values), or a hand-written loop.
 */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { DetailRecord } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { Ndjson } from "@chemstream/ndjson"
import { Details, Identifiers, Lookup } from "@chemstream/stream"
import { Effect, Layer, Redacted, Stream } from "effect"
import { dtxsids } from "./identifiers.ts"

/** The settings of a run. */
export interface Run {
  readonly url: string
  readonly count: number
  readonly batch: number
  readonly concurrency: number
}

/** The program of a run. */
export type Program = "text" | "values" | "by hand"

/** Runs a program, and returns the number of records written. */
export const run = (program: Program, options: Run): Promise<number> =>
  program === "by hand" ? byHand(options) : byStream(program, options)

const byStream = async (
  program: "text" | "values",
  { batch, concurrency, count, url }: Run
): Promise<number> => {
  const out = createWriteStream("/dev/null")
  const identifiers = Identifiers.fromIterable(dtxsids(count))
  const options = { batchSize: batch, concurrency }
  const client = ChemClient.layer({ baseUrl: url, apiKey: Redacted.make("benchmark") }).pipe(
    Layer.provide(Transport.layer())
  )
  let records = 0
  const write = (bytes: string | Uint8Array): Effect.Effect<void> =>
    out.write(bytes) ? Effect.void : Effect.promise(() => once(out, "drain"))
  const text = Lookup.outcomes(identifiers, Details.byDtxsid(), options).pipe(
    Stream.runForEachArray((outcomes) => {
      const found = outcomes.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
      records += found.length
      return write(Ndjson.lines(found))
    })
  )
  const lookup = Lookup.decode(Details.byDtxsid(), DetailRecord.schemas.chemicaldetailall)
  const values = Lookup.outcomes(identifiers, lookup, options).pipe(
    Stream.runForEachArray((outcomes) => {
      const found = outcomes.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records : []))
      records += found.length
      return write(found.map((record) => `${JSON.stringify(record)}\n`).join(""))
    })
  )
  await Effect.runPromise(Effect.provide(program === "text" ? text : values, client))
  out.end()
  await once(out, "close")
  return records
}

const byHand = async ({ batch, concurrency, count, url }: Run): Promise<number> => {
  const out = createWriteStream("/dev/null")
  const ids = dtxsids(count)
  let records = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const batchIds: Array<string> = []
      for (let n = 0; n < batch; n++) {
        const next = ids.next()
        if (next.done === true) break
        batchIds.push(next.value)
      }
      if (batchIds.length === 0) return
      const response = await fetch(`${url}/chemical/detail/search/by-dtxsid/`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "x-api-key": "benchmark" },
        body: JSON.stringify(batchIds)
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
      const found = JSON.parse(await response.text()) as ReadonlyArray<unknown>
      records += found.length
      if (!out.write(found.map((record) => `${JSON.stringify(record)}\n`).join(""))) await once(out, "drain")
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  out.end()
  await once(out, "close")
  return records
}
