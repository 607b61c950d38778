// Tests Postgres behind a PgBouncer that shares sessions in each of its modes. Skipped where the program is missing.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { DetailRecord } from "@chemstream/api"
import { Table } from "@chemstream/ndjson"
import { Database, Harvest, Source, TableOutput, TableTarget } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { kill } from "./harvestFixture.ts"
import * as PgBouncer from "./pgBouncer.ts"
import * as TestPostgres from "./testPostgres.ts"

let postgres: TestPostgres.Postgres

beforeEach(async (test) => {
  if (PgBouncer.program === undefined)
    test.skip("The program pgbouncer is not installed, so nothing about poolers was tested")
  postgres = await TestPostgres.forTest(test)
}, 120_000)

const withDatabase = <A, E>(url: string, body: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> =>
  body.pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )

/** Starts a pooler, which ends with the test. */
const pooled = async (mode: PgBouncer.Mode): Promise<string> => {
  const { stop, url } = await PgBouncer.start(postgres.url, mode)
  onTestFinished(stop)
  return url
}

describe("a Postgres behind PgBouncer", () => {
  it.each(["session", "transaction"] as const)(
    "carries a harvest of two workers in %s mode, with every identifier once",
    async (mode) => {
      const url = await pooled(mode)
      const service = await Chemicals.start(5)
      const ids = Chemicals.idsOf(600)
      await withDatabase(
        url,
        Harvest.start({
          name: mode,
          source: Source.list(ids),
          fetch: { lookup: "Details.byDtxsid" },
          sink: { _tag: "Table", target: `${url}#${mode}`, columns: [] },
          chunkSize: 10
        })
      )
      const workers = ["a", "b"].map((name) =>
        spawn(
          process.execPath,
          [
            join(import.meta.dirname, "harvestWorker.ts"),
            url,
            service.url,
            `${mode}-${name}`,
            "0",
            "20 seconds"
          ],
          { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, PGPASSWORD: "harvest" } }
        )
      )
      onTestFinished(async () => {
        await Promise.all(workers.map(kill))
        await service[Symbol.asyncDispose]()
      })
      expect(await withDatabase(url, Harvest.awaitHalt(mode))).toMatchObject({
        state: "finished",
        tally: { read: 600, found: 300, missing: 300 }
      })
      const stored = await withDatabase(
        postgres.url,
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ id: string }>`SELECT id FROM ${sql(`${mode}_outcomes`)}`
        )
      )
      expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort())
    }
  )

  it("refuses a harvest in statement mode, and names the setting", async () => {
    const refused = await withDatabase(await pooled("statement"), Effect.void).then(
      () => "not refused",
      (error) => Database.explain(error)
    )
    expect(refused).toBe(
      "cannot use the database of harvests: a pooler in front of it ends transactions, as PgBouncer does in statement mode. Set its pool_mode to transaction or session, or connect directly"
    )
  })

  const run = (url: string, table: string) =>
    Effect.gen(function* () {
      const tables = yield* TableOutput.open({
        target: Result.getOrThrow(TableTarget.parse(`${url}#${table}`)),
        columns: Table.columnsOf(DetailRecord.schemas.compact),
        primaryKey: ["dtxsid"]
      })
      yield* tables.position.replace("state")
      yield* tables.position.remove
      return "written"
    }).pipe(
      Effect.scoped,
      Effect.catch((error) => Effect.succeed(error.message)),
      Effect.runPromise
    )

  it("carries runs into a table in session mode", async () => {
    const url = await pooled("session")
    expect(await run(url, "first")).toBe("written")
    expect(await run(url, "first")).toBe("written")
  })

  it("refuses a run into a table in transaction mode, names the setting, and leaves no lock behind", async () => {
    const url = await pooled("transaction")
    const { host, pathname } = new URL(url)
    for (let time = 0; time < 2; time++)
      expect(await run(url, "second")).toBe(
        `cannot write postgres://${host}${pathname}#second: a pooler in front of the database shares sessions between transactions, and the run locks its table in a session of its own. Set its pool_mode to session, or connect directly`
      )
    expect(await run(postgres.url, "second")).toBe("written")
  })
})
