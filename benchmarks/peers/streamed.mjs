// The same job without a whole response in memory: stream-json reads the records one by one. One request is in flight while
// a response is read. `node streamed.mjs URL FILE > out.ndjson`
import { readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import ndjson from "ndjson"
import { parser } from "stream-json"
import { streamArray } from "stream-json/streamers/stream-array.js"

const [url, file] = process.argv.slice(2)
const size = 1000

const ids = readFileSync(file, "utf8").split("\n").filter(Boolean)

const request = async (start) => {
  if (start >= ids.length) return undefined
  const response = await fetch(`${url}/chemical/detail/search/by-dtxsid/`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "x-api-key": "benchmark" },
    body: JSON.stringify(ids.slice(start, start + size))
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response
}

const records = async function* () {
  let next = request(0)
  for (let start = size; ; start += size) {
    const response = await next
    if (response === undefined) return
    next = request(start)
    const elements = Readable.fromWeb(response.body).pipe(parser.asStream()).pipe(streamArray.asStream())
    for await (const { value } of elements) yield value
  }
}

await pipeline(Readable.from(records()), ndjson.stringify(), process.stdout)
