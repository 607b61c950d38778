/** Runs a Postgres for a page of the documentation, and prints its address. */
import * as Postgres from "../../packages/workflow/test/postgres.ts"

const postgres = await Postgres.start()
const end = async () => {
  await postgres.stop()
  process.exit(0)
}
process.once("SIGTERM", end)
process.once("SIGINT", end)
console.log(`use it with: export CHEMSTREAM_HARVESTS=${postgres.url}`)
setInterval(() => {}, 60_000)
