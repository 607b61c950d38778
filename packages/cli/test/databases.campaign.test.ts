import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { DuckDBInstance } from "@duckdb/node-api"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it, type TestContext } from "vitest"
import * as TestPostgres from "../../workflow/test/testPostgres.ts"
import { isKnown, setUp, signal } from "./checkpointed.ts"
import { run, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

type Row = Readonly<Record<string, unknown>>

const count = process.env["CHEMSTREAM_TIER"] === "thorough" ? 20_000 : 2_000
const kills = 3
const batchSize = count / 40

/** The number of batches that get a response in a run that will be killed. */
const batchesPerRun = 8

/** Longer than the interval between two saves, in milliseconds. */
const pause = 1100

/** A record with a value of each type, and fields that the contract does not have. */
const recordOf = (dtxsid: string): Row => {
  const number = Number(dtxsid.slice(8))
  return {
    dtxsid,
    preferredName: `the "substance" ${number}; it's naïve`,
    monoisotopicMass: number / 7,
    activeAssays: number,
    isMarkush: number % 2 === 0,
    casrn: number % 3 === 0 ? null : `${number}-00-0`,
    ours: [number, { nested: "value" }]
  }
}

interface Database {
  readonly target: string
  readonly read: (sql: string) => Promise<ReadonlyArray<Row>>
  /** A value that changes when a run is saved. */
  readonly stamp: () => Promise<string>
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const ofFile = (file: string, read: Database["read"]): Database => ({
  target: `${file}#chemicals`,
  read,
  stamp: async () => {
    if (file.endsWith(".sqlite"))
      return read("SELECT state FROM chemicals_run").then(JSON.stringify, () => "")
    // No other process can read the database now. Its log grows with each save, and stays the same between saves.
    for (;;) {
      const before = sizeOf(`${file}.wal`)
      await setTimeout(20)
      if (sizeOf(`${file}.wal`) === before) return `${before}`
    }
  }
})

let schemas = 0

const databases: Readonly<Record<string, (at: string, test: TestContext) => Promise<Database>>> = {
  DuckDB: async (at) => {
    const file = join(at, "out.duckdb")
    return ofFile(file, async (sql) => {
      const instance = await DuckDBInstance.create(file)
      const connection = await instance.connect()
      const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS()
      connection.closeSync()
      instance.closeSync()
      return rows
    })
  },
  SQLite: async (at) => {
    const file = join(at, "out.sqlite")
    return ofFile(file, async (sql) => {
      const database = new DatabaseSync(file, { readOnly: true })
      try {
        return database.prepare(sql).all()
      } finally {
        database.close()
      }
    })
  },
  Postgres: async (_, test) => {
    const postgres = await TestPostgres.forTest(test)
    const schema = `our_${++schemas}`
    const layer = PgClient.layer({ url: Redacted.make(postgres.url) })
    const read = (sql: string) =>
      Effect.flatMap(SqlClient.SqlClient, (client) => client.unsafe<Row>(sql)).pipe(
        Effect.provide(layer),
        Effect.runPromise
      )
    return {
      target: `${postgres.url}#${schema}.chemicals`,
      read: (sql) => read(sql.replaceAll(/(?<=FROM )/g, `${schema}.`)),
      stamp: () => read(`SELECT state FROM ${schema}.chemicals_run`).then(JSON.stringify, () => "")
    }
  }
}

const openDatabase = (name: string, at: string, test: TestContext): Promise<Database> => {
  const open = databases[name]
  if (open === undefined) throw new Error(`no database ${name}`)
  return open(at, test)
}

/** The record of a row: its columns with a value, and its other fields. */
const recordOfRow = (row: Row): Row => {
  const { other_fields: rest, ...columns } = row
  const other = typeof rest === "string" ? JSON.parse(rest) : (rest ?? {})
  const values = Object.entries(columns).flatMap(([name, value]) => {
    if (value === null) return []
    if (typeof value === "bigint" || name === "activeAssays") return [[name, Number(value)] as const]
    return [[name, name === "isMarkush" ? Boolean(value) : value] as const]
  })
  return { ...Object.fromEntries(values), ...other }
}

/** The record as NDJSON has it, without nulls. */
const withoutNulls = (record: Row): Row =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

describe("a run into a database", { concurrent: true, timeout: 240_000 }, () => {
  it.for(Object.keys(databases))(
    `of %s that is killed ${kills} times holds, row for row, what NDJSON does`,
    async (name, test) => {
      const { at, ids } = setUp(count)
      const { read, stamp, target } = await openDatabase(name, at, test)
      let requests = 0
      let stop: { readonly isEarly: boolean; readonly held: () => void } | undefined
      const never = new Promise<void>(() => {})
      const { env, requests: asked } = await scripted(({ ids: batch }) => {
        requests++
        const answer = { body: JSON.stringify(batch.filter(isKnown).map(recordOf)) }
        if (stop === undefined) return answer
        if (requests > (stop.isEarly ? 2 : batchesPerRun)) {
          stop.held()
          return { ...answer, until: never }
        }
        return requests > batchesPerRun - 2 ? { ...answer, after: pause } : answer
      })
      writeFileSync(join(at, "more"), `${readFileSync(join(at, "ids"), "utf8")}no identifier\n`)
      const common = ["details", "-i", "more", "--batch-size", `${batchSize}`, "--concurrency", "2"]
      expect(
        await run([...common, "-q", "-o", "whole", "--errors", "whole-errors"], { cwd: at, env })
      ).toMatchObject({
        code: 0
      })
      asked.length = 0

      const args = [...common, "-o", target, "--errors", "errors"]
      let continued = 0
      for (let kill = 0; kill < kills; kill++) {
        const held = signal()
        const before = await stamp()
        const isEarly = kill === 1
        requests = 0
        stop = { isEarly, held: held.open }
        const details = start(args, { cwd: at, env })
        await Promise.race([held.opened, details.ended])
        while (!isEarly && (await stamp()) === before && details.child.exitCode === null) await setTimeout(5)
        details.child.kill("SIGKILL")
        const { code, stderr } = await details.ended
        expect({ code, stderr }).toEqual({ code: null, stderr: expect.any(String) })
        if (stderr.includes("continuing at")) continued++
      }
      stop = undefined
      const last = await run(args, { cwd: at, env })
      expect(last).toMatchObject({ code: 0, stdout: "" })
      if (last.stderr.includes("continuing at")) continued++
      expect(continued).toBeGreaterThan(0)

      const records = lines(readFileSync(join(at, "whole"), "utf8"))
      expect(records).toHaveLength(ids.filter(isKnown).length)
      const rows = await read("SELECT * FROM chemicals ORDER BY dtxsid")
      expect(rows.map(recordOfRow)).toEqual(records.map(withoutNulls))
      const outcomes = await read("SELECT id, outcome, records, line FROM chemicals_outcomes ORDER BY line")
      expect(
        outcomes.map((row) => [row["id"], row["outcome"], Number(row["records"]), Number(row["line"])])
      ).toEqual([
        ...ids.map((id, index) =>
          isKnown(id) ? [id, "found", 1, index + 1] : [id, "missing", 0, index + 1]
        ),
        ["no identifier", "invalid", 0, ids.length + 1]
      ])
      expect(readFileSync(join(at, "errors")).equals(readFileSync(join(at, "whole-errors")))).toBe(true)
      // Saved identifiers were not requested again.
      expect(asked.flatMap((request) => request.ids).length).toBeLessThan(2 * ids.length)
      // The same command writes the same tables again.
      expect(await run([...args, "-q"], { cwd: at, env })).toMatchObject({ code: 0, stderr: "" })
      expect(await read("SELECT * FROM chemicals ORDER BY dtxsid")).toEqual(rows)
    }
  )

  it.for(Object.keys(databases))(
    "of %s that is stopped keeps the responses behind a value that is not settled, and does not request them again",
    async (name, test) => {
      const { at, ids } = setUp(400)
      const { read, target } = await openDatabase(name, at, test)
      const behind = signal()
      let isHeld = true
      let isRevoked = false
      const { env, requests } = await scripted(({ ids: batch }) => {
        if (isRevoked) return { status: 401, body: "{}" }
        if (requests.length === 8) behind.open()
        const isFirst = isHeld && batch.includes(ids[0] as string)
        return {
          body: JSON.stringify(batch.filter(isKnown).map(recordOf)),
          ...(isFirst ? { until: new Promise<void>(() => {}) } : {})
        }
      })
      const args = ["details", "-i", "ids", "--batch-size", "50", "--concurrency", "2", "-o", target]
      const more = ["--errors", "errors", "--stop-timeout", "200ms"]
      const details = start([...args, ...more], { cwd: at, env })
      await behind.opened
      details.child.kill("SIGTERM")
      const stopped = await details.ended
      expect(stopped.code).toBe(143)
      expect(stopped.stderr).toContain("chemstream: kept 0 records in ")
      // A second stop keeps them, too.
      isRevoked = true
      const refused = await run([...args, ...more], { cwd: at, env })
      expect(refused.code).toBe(3)
      expect(refused.stderr).toContain("chemstream: kept 0 records in ")
      isRevoked = isHeld = false
      const received = requests.length
      expect(await run([...args, ...more], { cwd: at, env })).toMatchObject({ code: 0 })
      const requested = requests.slice(received).flatMap((request) => request.ids)
      expect(requested.slice(0, 50)).toEqual(ids.slice(0, 50))
      // The last response may arrive after the signal.
      expect(requested.length).toBeLessThanOrEqual(100)
      const rows = await read("SELECT * FROM chemicals ORDER BY dtxsid")
      expect(rows.map(recordOfRow)).toEqual(ids.filter(isKnown).map(recordOf).map(withoutNulls))
      const outcomes = await read("SELECT id, outcome, line FROM chemicals_outcomes ORDER BY line")
      expect(outcomes.map((row) => [row["id"], row["outcome"], Number(row["line"])])).toEqual(
        ids.map((id, index) => [id, isKnown(id) ? "found" : "missing", index + 1])
      )
      expect(lines(readFileSync(join(at, "errors"), "utf8")).map(({ id }) => id)).toEqual(
        ids.filter((id) => !isKnown(id))
      )
      await expect(read("SELECT * FROM chemicals_run")).rejects.toThrow()
    }
  )
})
