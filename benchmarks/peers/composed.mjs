// The same job with packages: split2 for the lines, p-map for the calls in flight, ndjson for the output.
// `node composed.mjs URL FILE > out.ndjson`
import { createReadStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import ndjson from "ndjson"
import { pMapIterable } from "p-map"
import split2 from "split2"

const [url, file] = process.argv.slice(2)

const batches = async function* () {
  let batch = []
  for await (const id of createReadStream(file).pipe(split2())) {
    batch.push(id)
    if (batch.length < 1000) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const request = async (ids) => {
  const response = await fetch(`${url}/chemical/detail/search/by-dtxsid/`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "x-api-key": "benchmark" },
    body: JSON.stringify(ids)
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}

const records = async function* () {
  for await (const batch of pMapIterable(batches(), request, { concurrency: 4 })) yield* batch
}

await pipeline(Readable.from(records()), ndjson.stringify(), process.stdout)
