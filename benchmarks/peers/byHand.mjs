// A simple hand-written program: batches of 1,000, 4 in flight, in order. `node byHand.mjs URL FILE > out.ndjson`
import { once } from "node:events"
import { readFileSync } from "node:fs"

const [url, file] = process.argv.slice(2)
const size = 1000
const inFlight = 4

const ids = readFileSync(file, "utf8").split("\n").filter(Boolean)

const request = async (start) => {
  const response = await fetch(`${url}/chemical/detail/search/by-dtxsid/`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "x-api-key": "benchmark" },
    body: JSON.stringify(ids.slice(start, start + size))
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return JSON.parse(await response.text())
}

const pending = []
let next = 0
const requestNext = () => {
  if (next < ids.length) pending.push(request(next))
  next += size
}
for (let n = 0; n < inFlight; n++) requestNext()
while (pending.length > 0) {
  const records = await pending.shift()
  requestNext()
  if (!process.stdout.write(records.map((record) => `${JSON.stringify(record)}\n`).join(""))) {
    await once(process.stdout, "drain")
  }
}
