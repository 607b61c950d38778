/**
 * Adds name and mass to a CSV with a column of DTXSIDs, with promises. Every row and cell stays. Standard error lists the rows
 * without a record.
 *
 *   node examples/csv-with-promises.ts substances.csv dtxsid > enriched.csv
 *
 * The command does the same: chemstream resolve --input substances.csv --key dtxsid --format csv
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service.
 */
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { AsyncIteration, Csv } from "@chemstream/ndjson"
import { createChemstream, Outcome } from "@chemstream/stream"

const [file = "", column = ""] = process.argv.slice(2)
const chemstream = await createChemstream()

const enrich = async function* (rows: AsyncIterable<Readonly<Record<string, string>>>) {
  const lookup = { endpoint: "details.byDtxsid", projection: "compact" } as const
  const run = chemstream.lookup(rows, { ...lookup, id: (row) => row[column], carried: (row) => row })
  for await (const outcome of run) {
    if (outcome._tag !== "Found") console.error(Outcome.describe(outcome))
    if (outcome._tag === "Surplus") continue
    const record = outcome._tag === "Found" ? outcome.records[0] : undefined
    yield { ...outcome.carried, name: record?.preferredName, mass: record?.monoisotopicMass }
  }
}
const read = AsyncIteration.make(Csv.decode())
const write = AsyncIteration.make(Csv.encode())
await pipeline(createReadStream(file), read, enrich, write, process.stdout).finally(chemstream.close)
