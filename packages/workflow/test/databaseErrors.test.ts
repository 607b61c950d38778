// Tests what the errors of a database mean: whether a retry can help, and the text for people. Real servers and files raise them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { describe, expect, it, onTestFinished } from "vitest"
import * as TestPostgres from "./testPostgres.ts"

/** Raises an error in Postgres, with its code and other fields. */
const raise = (fields: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.flip(
      sql`DO ${sql.literal(`$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'no luck', ${fields}; END $$`)}`
    )
  )

const errorsOf = async (
  context: Parameters<typeof TestPostgres.forTest>[0],
  raised: ReadonlyArray<string>
) => {
  const { url } = await TestPostgres.forTest(context)
  return Effect.forEach(raised, raise).pipe(
    Effect.provide(Database.layerPostgres({ url: Redacted.make(url) })),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )
}

/** Codes of Postgres, whether it is unavailable, and what the text says besides the message and the code. */
const codes: ReadonlyArray<readonly [code: string, isUnavailable: boolean, problem: string, action: string]> =
  [
    ["53300", true, "accepts no more connections", "Raise its limit, or lower --connections of the workers"],
    ["28P01", false, "refuses the login", "Check the user and the password of its address"],
    ["3D000", false, "does not exist", "Create it, or check its address"],
    ["42501", false, "refuses this user", "Grant the user the rights on its tables"],
    ["25006", true, "is read-only", "Connect to the primary server"],
    ["42P01", false, "lacks a part of its tables", "Restore that part, then resume the harvests"],
    ["42703", false, "lacks a part of its tables", "Restore that part, then resume the harvests"],
    ["26000", true, "lost a statement", "Put its pooler into a mode that keeps them, or connect directly"],
    ["55P03", true, "is locked by another session", "Wait for that session, or end it"],
    ["57014", true, "stops statements early", "Raise the statement_timeout of its user"],
    ["53400", true, "has reached a limit of its settings", "Raise that limit"],
    ...["0A000", "22003", "23505", "27000", "38000", "39000", "44000", "54000", "P0001"].map(
      (code) =>
        [
          code,
          false,
          "refuses a row",
          "Check the constraints and triggers of its table, then resume the harvests"
        ] as const
    )
  ]

describe("an error of Postgres", () => {
  it("says by its code what is wrong and what to do, and whether to wait", async (context) => {
    const errors = await errorsOf(
      context,
      codes.map(([code]) => `ERRCODE = '${code}'`)
    )
    expect(errors.map((error) => [Database.isUnavailable(error), Database.explain(error)])).toEqual(
      codes.map(([code, isUnavailable, problem, action]) => [
        isUnavailable,
        `the database of harvests ${problem}: no luck (code ${code}). ${action}`
      ])
    )
  })

  it("counts as an outage with a code of a server that stops, starts or fails, but not with damaged pages", async (context) => {
    const outages = ["57P01", "57P03", "08006", "40001", "58030", "XX000"]
    const damaged = ["XX001", "XX002"]
    const errors = await errorsOf(
      context,
      [...outages, ...damaged].map((code) => `ERRCODE = '${code}'`)
    )
    expect(errors.map(Database.isUnavailable)).toEqual([
      ...outages.map(() => true),
      ...damaged.map(() => false)
    ])
    expect(Database.explain(errors[0] as SqlError.SqlError)).toBe(
      "the database of harvests does not respond (no luck (code 57P01)). Start it, or check its address; the harvests then continue"
    )
  })

  it("names the table and the column that the message does not name", async (context) => {
    const errors = await errorsOf(context, [
      "ERRCODE = '23502', TABLE = 'hits', COLUMN = 'mass'",
      "ERRCODE = '23502', TABLE = 'hits'",
      "ERRCODE = '23502', TABLE = 'luck', HINT = 'try again'"
    ])
    expect(errors.map((error) => /\(.*?\)/.exec(Database.explain(error))?.[0])).toEqual([
      "(code 23502, table hits, column mass)",
      "(code 23502, table hits)",
      "(code 23502, table luck)"
    ])
  })
})

describe("an error of a SQLite file", () => {
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), "chemstream-errors-"))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return path
  }

  const errorOf = (
    file: string,
    body: Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient> = Effect.void
  ) => Effect.runPromise(Effect.flip(Effect.provide(body, Database.layerSqlite(file))))

  it("names the missing folder", async () => {
    const error = await errorOf(join(folder(), "nowhere", "harvests.db"))
    expect(Database.explain(error as SqlError.SqlError)).toMatch(
      /unable to open database file.*\. Create the folder, or name another file$/
    )
  })

  it("says that the disk is full", async () => {
    const fill = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ page_count: number }>`PRAGMA page_count`
      yield* sql`PRAGMA max_page_count = ${sql.literal(String(row?.page_count))}`
      yield* sql`CREATE TABLE large AS SELECT zeroblob(1000000) AS bytes`
    })
    const error = await errorOf(join(folder(), "harvests.db"), fill)
    expect(Database.explain(error as SqlError.SqlError)).toMatch(
      /^the disk of the database of harvests is full \(.*disk is full.*\)\. Free some space/
    )
  })
})
