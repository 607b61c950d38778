/**
 * Copies all chemicals of a service into SQLite, page after page, every night. One transaction writes the records of a page and its
 * number. So after a kill, the next run continues with the unfinished page, and every identifier is in the database once.
 *
 *   node examples/mirror.ts mirror.sqlite
 *
 * The command does the same: chemstream all --output mirror.sqlite#chemicals
 *
 * CHEMSTREAM_BASE_URL and CHEMSTREAM_API_KEY set the service. Exit code 1: something failed; 2: wrong usage; 3: key rejected.
 */
import { DatabaseSync } from "node:sqlite"
import { ChemClient } from "@chemstream/client"
import { Transport } from "@chemstream/client/node"
import { RawRecord } from "@chemstream/ndjson"
import { Crawl, Details, Identifiers, Lookup, Outcome } from "@chemstream/stream"
import { Effect, Layer, Stream } from "effect"

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error("usage: mirror.ts DATABASE")
  process.exit(2)
}
const database = new DatabaseSync(file)
database.exec("CREATE TABLE IF NOT EXISTS chemical (dtxsid TEXT PRIMARY KEY, record TEXT NOT NULL)")
database.exec("CREATE TABLE IF NOT EXISTS checkpoint (page INTEGER NOT NULL)")
const put = database.prepare("INSERT OR REPLACE INTO chemical VALUES (?, ?)")

const mirror = ({ next, page, records }: Details.Page) =>
  Effect.gen(function* () {
    const identifiers = Identifiers.fromIterable(records.flatMap(Crawl.field("dtxsid")))
    database.exec("BEGIN")
    yield* Lookup.outcomes(identifiers, Details.byDtxsid({ projection: "ccdchemicaldetails" })).pipe(
      Stream.runForEach((outcome) =>
        Effect.sync(() => {
          if (outcome._tag === "Failed") process.exitCode = 1
          if (outcome._tag !== "Found") return console.error(Outcome.describe(outcome))
          for (const record of outcome.records) put.run(outcome.id, RawRecord.toText(record))
        })
      )
    )
    database.exec(`DELETE FROM checkpoint; INSERT INTO checkpoint VALUES (${next - 1}); COMMIT`)
    console.error(`page ${page} is done`)
  })

const program = Effect.gen(function* () {
  const done = Number(database.prepare("SELECT page FROM checkpoint").get()?.["page"] ?? 0)
  if (done > 0) console.error(`continues after page ${done}`)
  yield* Stream.runForEach(Details.pages({ projection: "all-ids", page: done + 1 }), mirror)
  database.exec("DELETE FROM checkpoint")
})

const client = ChemClient.layerConfig().pipe(Layer.provide(Transport.layer()))
await Effect.runPromise(Effect.provide(program, client)).catch((error) => {
  console.error(error.message)
  process.exitCode = error._tag === "Unauthorized" ? 3 : 1
})
