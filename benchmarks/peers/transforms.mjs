// Filters, de-duplicates, extends, sorts and compresses the records of a file with Node alone.
// `node transforms.mjs FILE > out.ndjson.gz`
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"

const [file] = process.argv.slice(2)

const seen = new Set()
const records = []
for await (const line of createInterface({ input: createReadStream(file) })) {
  const record = JSON.parse(line)
  const mass = record.monoisotopicMass
  if (typeof mass !== "number" || mass < 200 || seen.has(record.dtxsid)) continue
  seen.add(record.dtxsid)
  record.massDefect = mass - Math.round(mass)
  records.push(record)
}
records.sort((one, other) => other.monoisotopicMass - one.monoisotopicMass)

const lines = function* () {
  for (const record of records) yield `${JSON.stringify(record)}\n`
}
await pipeline(Readable.from(lines()), createGzip(), process.stdout)
