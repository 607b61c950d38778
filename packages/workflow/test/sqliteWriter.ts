// Writes pairs of rows into a SQLite file, and prints the number of each pair. Each transaction first reads.
// Arguments: the file, a name, the number of pairs.
import { SqliteClient } from "@chemstream/workflow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const [file = "", name = "", count = "0"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS written (name TEXT, pair INTEGER, total INTEGER)`
  for (let pair = 1; pair <= Number(count); pair++) {
    yield* sql.withTransaction(
      Effect.gen(function* () {
        const rows = yield* sql<{ n: number }>`SELECT count(*) AS n FROM written`
        const row = { name, pair, total: rows[0]?.n ?? 0 }
        yield* sql`INSERT INTO written ${sql.insert(row)}`
        yield* sql`INSERT INTO written ${sql.insert(row)}`
      })
    )
    console.log(pair)
  }
})

await Effect.runPromise(Effect.provide(program, SqliteClient.layer({ file })))
