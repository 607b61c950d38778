// Tests one contract for the tables of DuckDB, SQLite and Postgres. The clients of the databases read the results.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DetailRecord } from "@chemstream/api"
import { RawRecord, Table } from "@chemstream/ndjson"
import { Outcome, OutcomeRow } from "@chemstream/stream"
import { TableOutput, TableTarget } from "@chemstream/workflow"
import { DuckDBInstance } from "@duckdb/node-api"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Exit, Redacted, Result, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import * as TestPostgres from "./testPostgres.ts"

type Row = Readonly<Record<string, unknown>>

const at = mkdtempSync(join(tmpdir(), "chemstream-tables-"))
it("the mark of a record is a time in Postgres, and stays a text in a table of an earlier release", async (test) => {
  postgres = await TestPostgres.forTest(test)
  const { read, target } = databases[2] as (typeof databases)[number]
  const missing = { outcome: OutcomeRow.make(Outcome.missing("a", 1)), records: [] }
  const marks = async (table: string) => {
    await write(target(table), details, [found("a", 1, { dtxsid: "a" })])
    if (table === "earlier") await read("ALTER TABLE earlier ADD COLUMN gone_at text")
    for (let run = 1; run <= 2; run++) await write(target(table), { ...details, stale: "mark" }, [missing])
    return read(
      `SELECT pg_typeof(gone_at)::text AS type, gone_at::timestamptz > now() - interval '1 minute' AS is_now,
        gone_at::text LIKE '%T%Z' AS is_iso FROM ${table}`
    )
  }
  expect(await marks("marked")).toEqual([{ type: "timestamp with time zone", is_now: true, is_iso: false }])
  expect(await marks("earlier")).toEqual([{ type: "text", is_now: true, is_iso: true }])
  await write(target("earlier"), details, [found("a", 1, { dtxsid: "a" })])
  expect(await read("SELECT gone_at FROM earlier")).toEqual([{ gone_at: null }])
})

let postgres: TestPostgres.Postgres

afterAll(() => {
  rmSync(at, { recursive: true, force: true })
})

const databases: ReadonlyArray<{
  readonly name: string
  readonly target: (table: string) => string
  readonly read: (sql: string) => Promise<ReadonlyArray<Row>>
}> = [
  {
    name: "DuckDB",
    target: (table) => `${join(at, "t.duckdb")}#${table}`,
    read: async (sql) => {
      const instance = await DuckDBInstance.fromCache(join(at, "t.duckdb"))
      const connection = await instance.connect()
      try {
        return (await connection.runAndReadAll(sql)).getRowObjectsJS() as ReadonlyArray<Row>
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    }
  },
  {
    name: "SQLite",
    target: (table) => `${join(at, "t.sqlite")}#${table}`,
    read: async (sql) => {
      const database = new DatabaseSync(join(at, "t.sqlite"))
      try {
        return database.prepare(sql).all() as ReadonlyArray<Row>
      } finally {
        database.close()
      }
    }
  },
  {
    name: "Postgres",
    target: (table) =>
      `${postgres.url}#${encodeURIComponent(`${table.includes(".") ? "" : "our tables."}${table}`)}`,
    read: (sql) =>
      Effect.gen(function* () {
        const client = yield* SqlClient.SqlClient
        yield* client`SET search_path TO ${client("our tables")}`
        return yield* client.unsafe<Row>(sql)
      }).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(postgres.url), maxConnections: 1 })),
        Effect.runPromise
      )
  }
]

const columns = Table.columnsOf(DetailRecord.schemas.compact)
const details = { columns, primaryKey: ["dtxsid"] }
const raw = (value: unknown): RawRecord.RawRecord =>
  RawRecord.fromText(typeof value === "string" ? value : JSON.stringify(value))

const found = (id: string, line: number, ...values: ReadonlyArray<unknown>): TableOutput.Entry => {
  const records = values.map(raw)
  return { outcome: OutcomeRow.make(Outcome.found(id, line, records)), records }
}

const open = (target: string, options: Omit<TableOutput.Options, "target">) =>
  TableOutput.open({ ...options, target: Result.getOrThrow(TableTarget.parse(target)) })

/** Writes entries, and ends the run. */
const write = (
  target: string,
  options: Omit<TableOutput.Options, "target">,
  entries: ReadonlyArray<TableOutput.Entry>
): Promise<void> =>
  Effect.gen(function* () {
    const tables = yield* open(target, options)
    for (const entry of entries) yield* tables.add(entry)
    yield* tables.position.replace("state")
    yield* tables.position.remove
  }).pipe(Effect.scoped, Effect.runPromise)

const plain = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === "bigint" || (typeof value === "string" && /^\d+$/.test(value) && name !== "id")
          ? Number(value)
          : typeof value === "object" && value !== null
            ? JSON.stringify(value)
            : value
      ])
    )
  )

describe.each(databases)("tables of $name", ({ name, read, target }) => {
  beforeEach(async (test) => {
    if (name === "Postgres") postgres = await TestPostgres.forTest(test)
  }, 120_000)

  it("have the columns of the contract, a key, and every outcome beside the records", async () => {
    const entries = [
      found("DTXSID1", 1, { dtxsid: "DTXSID1", casrn: "1", monoisotopicMass: 1.5 }),
      { outcome: OutcomeRow.make(Outcome.missing("DTXSID2", 2)), records: [] },
      {
        outcome: OutcomeRow.make(
          Outcome.failed("DTXSID3", 3, { _tag: "Timeout", message: "too slow", status: 504 })
        ),
        records: []
      }
    ]
    await write(target("details"), details, entries)
    expect(await read(`SELECT dtxsid, casrn, "monoisotopicMass", smiles, other_fields FROM details`)).toEqual(
      [{ dtxsid: "DTXSID1", casrn: "1", monoisotopicMass: 1.5, smiles: null, other_fields: null }]
    )
    const outcomes = await read(
      "SELECT id, outcome, records, line, message, error FROM details_outcomes ORDER BY line"
    )
    const error = '{"tag":"Timeout","message":"too slow","status":504}'
    expect(
      plain(outcomes).map((row) => ({ ...row, error: row["error"] && JSON.parse(String(row["error"])) }))
    ).toEqual([
      { id: "DTXSID1", outcome: "found", records: 1, line: 1, message: null, error: null },
      {
        id: "DTXSID2",
        outcome: "missing",
        records: 0,
        line: 2,
        message: "the service does not know DTXSID2",
        error: { tag: "Missing", message: "the service does not know DTXSID2" }
      },
      { id: "DTXSID3", outcome: "failed", records: 0, line: 3, message: "too slow", error: JSON.parse(error) }
    ])
    await expect(read("SELECT * FROM details_run")).rejects.toThrow()
  })

  it("keep responses with the state of the run, until other responses replace them or the run ends", async () => {
    const responses = ["one", '["two","it\'s \\u0000"]', "one"]
    const inRun = <A>(
      use: (tables: TableOutput.TableOutput) => Effect.Effect<A, TableOutput.TableOutputError>
    ) =>
      Effect.gen(function* () {
        const tables = yield* open(target("waiting"), details)
        const state = yield* Effect.orDie(tables.position.read)
        const kept = yield* tables.responses.read
        yield* use(tables)
        return { state, kept }
      }).pipe(Effect.scoped, Effect.runPromise)
    const first = await inRun((tables) => {
      tables.responses.replace(responses)
      return tables.position.replace("first")
    })
    expect(first).toEqual({ state: undefined, kept: [] })
    // A save without responses leaves them, as does a run that saves nothing.
    expect(await inRun((tables) => tables.position.replace("second"))).toEqual({
      state: "first",
      kept: responses
    })
    expect(await inRun(({ responses }) => Effect.sync(() => responses.replace([])))).toEqual({
      state: "second",
      kept: responses
    })
    await inRun((tables) => {
      tables.responses.replace(["three"])
      return tables.position.replace("third")
    })
    expect(await inRun((tables) => tables.position.remove)).toEqual({ state: "third", kept: ["three"] })
    expect(await inRun(() => Effect.void)).toEqual({ state: undefined, kept: [] })
  })

  it.each([
    ["a key of the contract", details, "dtxsid"],
    ["the identifier as key", { columns }, "input_id"]
  ])("keep, mark or delete records that the service no longer has, with %s", async (_, options, key) => {
    const table = `stale_${key}`
    const ids = ["DTXSID1", "DTXSID2", "DTXSID3"]
    const all = ids.map((id, at) => found(id, at + 1, { dtxsid: id }))
    const missing = { outcome: OutcomeRow.make(Outcome.missing("DTXSID2", 1)), records: [] }
    const left = () => read(`SELECT dtxsid FROM ${table} ORDER BY dtxsid`)
    const marked = async () =>
      (await read(`SELECT dtxsid FROM ${table} WHERE gone_at IS NOT NULL`)).map(({ dtxsid }) => dtxsid)
    await write(target(table), options, all)
    await write(target(table), options, [missing])
    expect(await left()).toHaveLength(3)
    await write(target(table), { ...options, stale: "mark" }, [missing])
    expect(await marked()).toEqual(["DTXSID2"])
    // A run that is discarded, and one without the option, leave the marks.
    await write(target(table), options, [all[2] as TableOutput.Entry])
    expect(await marked()).toEqual(["DTXSID2"])
    await write(target(table), options, [found("DTXSID2", 1, { dtxsid: "DTXSID2" })])
    expect(await marked()).toEqual([])
    await write(target(table), { ...options, stale: "delete" }, [missing])
    expect((await left()).map(({ dtxsid }) => dtxsid)).toEqual(["DTXSID1", "DTXSID3"])
  })

  it.each(["mark", "delete"] as const)(
    "lose or mark nothing in a run that is interrupted: the run that continues it does so for both (%s)",
    async (stale) => {
      const table = `interrupted_${stale}`
      const options = { ...details, stale }
      const missing = (id: string, line: number) => ({
        outcome: OutcomeRow.make(Outcome.missing(id, line)),
        records: []
      })
      const left = () =>
        read(`SELECT dtxsid FROM ${table} ${stale === "mark" ? "WHERE gone_at IS NULL" : ""} ORDER BY dtxsid`)
      const ids = ["DTXSID1", "DTXSID2", "DTXSID3"]
      await write(
        target(table),
        options,
        ids.map((id, at) => found(id, at + 1, { dtxsid: id }))
      )
      const inRun = (
        entry: TableOutput.Entry,
        end: (tables: TableOutput.TableOutput) => typeof Effect.void
      ) =>
        Effect.gen(function* () {
          const tables = yield* open(target(table), options)
          const state = yield* tables.position.read
          yield* tables.add(entry)
          yield* tables.position.replace("state")
          yield* end(tables)
          return state
        }).pipe(Effect.scoped, Effect.runPromise)
      expect(await inRun(missing("DTXSID1", 1), () => Effect.void)).toBeUndefined()
      expect(await left()).toHaveLength(3)
      expect(await inRun(missing("DTXSID2", 2), ({ position }) => Effect.orDie(position.remove))).toBe(
        "state"
      )
      expect(await left()).toEqual([{ dtxsid: "DTXSID3" }])
    }
  )

  it("refuse to delete records whose key is not the requested identifier, or that a retry has not requested", async () => {
    const amending = open(target("amended"), { ...details, amends: true, stale: "delete" })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(amending)))).toMatchObject({
      isRefusal: true,
      message: expect.stringContaining("a retry requests only some values. Omit --stale")
    })
    const refused = open(target("by_casrn"), { columns, primaryKey: ["casrn"], stale: "delete" })
    expect(await Effect.runPromise(Effect.flip(Effect.scoped(refused)))).toMatchObject({
      isRefusal: true,
      message: expect.stringContaining("their key is casrn, not the requested value. Omit --stale")
    })
  })

  it("store 64-bit integers, doubles, booleans, nested values, and fields without a column", async () => {
    const typed: ReadonlyArray<Table.Column> = [
      { name: "id", type: "text" },
      { name: "Count of", type: "integer" },
      { name: 'the "mass"', type: "number" },
      { name: "ok", type: "boolean" },
      { name: "names", type: "json" }
    ]
    const record = `{"id":"a","Count of":9007199254740993,"the \\"mass\\"":0.1,"ok":true,"names":[1.50,"x"],"new":12345678901234567890,"select":"'); DROP TABLE x; --"}`
    const misfit = `{"id":"b","Count of":"many","the \\"mass\\"":null,"ok":1,"names":"plain"}`
    await write(target("typed"), { columns: typed, primaryKey: ["id"] }, [
      found("a", 1, record),
      found("b", 2, misfit)
    ])
    const text = name === "SQLite" ? "TEXT" : "VARCHAR"
    const rows = await read(
      `SELECT id, CAST("Count of" AS ${text}) AS count, "the ""mass""" AS mass, ok, CAST(names AS ${text}) AS names, CAST(other_fields AS ${text}) AS rest FROM typed ORDER BY id`
    )
    const yes = name === "SQLite" ? 1 : true
    expect(rows).toEqual([
      {
        id: "a",
        count: "9007199254740993",
        mass: 0.1,
        ok: yes,
        names: '[1.50,"x"]',
        rest: `{"new":12345678901234567890,"select":"'); DROP TABLE x; --"}`
      },
      { id: "b", count: null, mass: null, ok: null, names: '"plain"', rest: '{"Count of":"many","ok":1}' }
    ])
  })

  it("store integers and fractions in one column", async () => {
    const masses = [1, 0.5, 1e21, -0.1, 5e-324]
    const entries = masses.map((monoisotopicMass, at) =>
      found(`D${at}`, at + 1, { dtxsid: `D${at}`, monoisotopicMass })
    )
    await write(target("masses"), details, entries)
    const rows = await read(`SELECT "monoisotopicMass" AS mass FROM masses ORDER BY dtxsid`)
    expect(rows.map(({ mass }) => mass)).toEqual(masses)
  })

  it("can be saved after a transaction that failed", async () => {
    const outcomes = await Effect.gen(function* () {
      const { add, position } = yield* open(target("failing"), details)
      yield* add(found("DTXSID1", 1, { dtxsid: "DTXSID1" }))
      // No database accepts a state that is not a text.
      const failed = yield* Effect.exit(position.replace({ no: "text" } as never))
      yield* position.replace("one")
      yield* position.replace("two")
      return [failed._tag, yield* position.read]
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(outcomes).toEqual(["Failure", "two"])
    expect(await read("SELECT dtxsid FROM failing")).toEqual([{ dtxsid: "DTXSID1" }])
  })

  it("are known as soon as a run has written them", async () => {
    const isKnown = () =>
      Effect.runPromise(Effect.scoped(Effect.map(open(target("known"), details), (tables) => tables.isKnown)))
    expect(await isKnown()).toBe(false)
    await write(target("known"), details, [found("a", 1, { dtxsid: "a" })])
    expect(await isKnown()).toBe(true)
  })

  it("replace the row of a key, in one transaction and in the next", async () => {
    const mass = (value: number, more = {}) =>
      found("DTXSID1", 1, { dtxsid: "DTXSID1", monoisotopicMass: value, ...more })
    await write(target("upsert"), details, [mass(1), mass(2, { casrn: "50-00-0" })])
    await write(target("upsert"), details, [mass(3), found("DTXSID2", 2, { dtxsid: "DTXSID2" })])
    expect(
      await read(`SELECT dtxsid, "monoisotopicMass" AS mass, casrn FROM upsert ORDER BY dtxsid`)
    ).toEqual([
      { dtxsid: "DTXSID1", mass: 3, casrn: null },
      { dtxsid: "DTXSID2", mass: null, casrn: null }
    ])
  })

  it("identify records without a key by their identifier, and leave none of an earlier run", async () => {
    const hits = { columns: [{ name: "dtxsid", type: "text" as const }] }
    const hit = (dtxsid: string) => ({ dtxsid })
    await write(target("hits"), hits, [
      found("a", 1, hit("1"), hit("2"), hit("3")),
      found("b", 2, hit("4"), hit("5"))
    ])
    const failed = { outcome: OutcomeRow.make(Outcome.failed("b", 2, new Error("no") as never)), records: [] }
    await write(target("hits"), hits, [found("a", 1, hit("6")), failed])
    expect(
      plain(await read("SELECT input_id, record_n, dtxsid FROM hits ORDER BY input_id, record_n"))
    ).toEqual([
      { input_id: "a", record_n: 1, dtxsid: 6 },
      { input_id: "b", record_n: 1, dtxsid: 4 },
      { input_id: "b", record_n: 2, dtxsid: 5 }
    ])
  })

  it("have a row for each line with `perLine`", async () => {
    const record = { dtxsid: "DTXSID1" }
    const perLine = { ...details, perLine: true }
    await write(target("lines"), perLine, [found("DTXSID1", 1, record), found("DTXSID1", 2, record)])
    expect(plain(await read("SELECT input_line, record_n, dtxsid FROM lines ORDER BY input_line"))).toEqual([
      { input_line: 1, record_n: 1, dtxsid: "DTXSID1" },
      { input_line: 2, record_n: 1, dtxsid: "DTXSID1" }
    ])
    expect(plain(await read("SELECT line FROM lines_outcomes ORDER BY line"))).toEqual([
      { line: 1 },
      { line: 2 }
    ])
  })

  it("have an outcome for each line of an invalid text", async () => {
    const error = { message: "it is none" } as never
    const invalid = (text: string, line: number) => ({
      outcome: OutcomeRow.make(Outcome.invalid(text, line, error)),
      records: []
    })
    for (const [table, options] of [
      ["invalid", details],
      ["invalid_lines", { ...details, perLine: true }]
    ] as const) {
      const entries = [
        invalid("?", 1),
        found("DTXSID1", 2, { dtxsid: "DTXSID1" }),
        invalid("?", 3),
        invalid("", 4)
      ]
      await write(target(table), options, entries)
      expect(plain(await read(`SELECT line, id, outcome FROM ${table}_outcomes ORDER BY line`))).toEqual([
        { line: 1, id: "?", outcome: "invalid" },
        { line: 2, id: "DTXSID1", outcome: "found" },
        { line: 3, id: "?", outcome: "invalid" },
        { line: 4, id: "", outcome: "invalid" }
      ])
    }
  })

  it("have the outcomes of the last run, and the records of both runs by their key", async () => {
    const one = (id: string, line: number) => found(id, line, { dtxsid: id })
    await write(target("second"), details, [one("D1", 1), one("D2", 2), one("D3", 3)])
    await write(target("second"), details, [one("D4", 1), one("D1", 2)])
    const outcomes = () => read("SELECT id FROM second_outcomes ORDER BY line")
    expect(await outcomes()).toEqual([{ id: "D4" }, { id: "D1" }])
    expect(await read("SELECT dtxsid FROM second ORDER BY dtxsid")).toHaveLength(4)
    await write(target("second"), { ...details, amends: true }, [one("D5", 3)])
    expect(await outcomes()).toEqual([{ id: "D4" }, { id: "D1" }, { id: "D5" }])
  })

  it("have no records of a line that the last run did not read, with `perLine`", async () => {
    const perLine = { ...details, perLine: true }
    const one = (id: string, line: number) => found(id, line, { dtxsid: id }, { dtxsid: id })
    await write(target("shorter"), perLine, [one("D1", 1), one("D2", 2), one("D3", 3)])
    await write(target("shorter"), perLine, [one("D4", 1), found("D5", 2, { dtxsid: "D5" })])
    const lines = () =>
      read("SELECT input_line AS line, record_n AS n, dtxsid FROM shorter ORDER BY input_line, record_n")
    expect(plain(await lines())).toEqual([
      { line: 1, n: 1, dtxsid: "D4" },
      { line: 1, n: 2, dtxsid: "D4" },
      { line: 2, n: 1, dtxsid: "D5" }
    ])
    await write(target("shorter"), { ...perLine, amends: true }, [one("D6", 2)])
    expect(await lines()).toHaveLength(4)
  })

  it("keep the outcomes of a run that is continued", async () => {
    const save = (entry: TableOutput.Entry) =>
      Effect.gen(function* () {
        const tables = yield* open(target("continued"), details)
        yield* tables.position.read
        yield* tables.add(entry)
        yield* tables.position.replace("state")
      }).pipe(Effect.scoped, Effect.runPromise)
    await save(found("D1", 1, { dtxsid: "D1" }))
    await save(found("D2", 2, { dtxsid: "D2" }))
    expect(await read("SELECT id FROM continued_outcomes ORDER BY line")).toEqual([
      { id: "D1" },
      { id: "D2" }
    ])
  })

  it("have the rows and the state of the last save", async () => {
    const scope = Scope.makeUnsafe()
    const first = await Effect.runPromise(Scope.provide(open(target("saved"), details), scope))
    expect(await Effect.runPromise(first.position.read)).toBeUndefined()
    await Effect.runPromise(first.add(found("DTXSID1", 1, { dtxsid: "DTXSID1" })))
    await Effect.runPromise(first.position.replace("after one"))
    await Effect.runPromise(first.add(found("DTXSID2", 2, { dtxsid: "DTXSID2" })))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await read("SELECT dtxsid FROM saved")).toEqual([{ dtxsid: "DTXSID1" }])
    const again = Effect.flatMap(open(target("saved"), details), ({ position }) => position.read)
    expect(await Effect.runPromise(Effect.scoped(again))).toBe("after one")
  })

  it.skipIf(name === "Postgres")(
    "belong to one run: once another one continues it, the first writes, marks and deletes nothing more",
    async () => {
      const scope = Scope.makeUnsafe()
      const opened = () =>
        Effect.runPromise(
          Scope.provide(open(target("owned"), { ...details, stale: "delete" as const }), scope)
        )
      const add = (tables: TableOutput.TableOutput, entry: TableOutput.Entry) =>
        Effect.andThen(tables.add(entry), tables.position.replace(entry.outcome.id))
      const records = ["DTXSID1", "DTXSID2", "DTXSID3"].map((id, at) => found(id, at + 1, { dtxsid: id }))
      const [one, two, three] = records as [TableOutput.Entry, TableOutput.Entry, TableOutput.Entry]
      await write(target("owned"), details, [one])
      const first = await opened()
      const missing = { outcome: OutcomeRow.make(Outcome.missing("DTXSID1", 1)), records: [] }
      await Effect.runPromise(add(first, missing))
      const second = await opened()
      expect(await Effect.runPromise(second.position.read)).toBe("DTXSID1")
      await Effect.runPromise(add(second, two))
      const inUse = { isRefusal: true, message: expect.stringMatching(/another run or program is using/) }
      // The first run may have written everything, so that only its end is left.
      expect(await Effect.runPromise(Effect.flip(first.position.remove))).toMatchObject(inUse)
      expect(await Effect.runPromise(Effect.flip(add(first, three)))).toMatchObject(inUse)
      const rows = () => read("SELECT dtxsid FROM owned ORDER BY dtxsid")
      expect(await rows()).toEqual([{ dtxsid: "DTXSID1" }, { dtxsid: "DTXSID2" }])
      await Effect.runPromise(second.position.remove)
      await Effect.runPromise(Scope.close(scope, Exit.void))
      expect(await rows()).toEqual([{ dtxsid: "DTXSID2" }])
    }
  )

  it.runIf(name === "Postgres")(
    "belong to one run: another is refused while they are open",
    async () => {
      await write(target("held"), details, [])
      const twice = Effect.andThen(open(target("held"), details), Effect.flip(open(target("held"), details)))
      const refused = await Effect.runPromise(Effect.scoped(twice))
      expect(refused).toMatchObject({
        isRefusal: true,
        message: expect.stringMatching(/another run or program is using/)
      })
      expect(refused.message).not.toContain("harvest:harvest")
    },
    30_000
  )

  it("are refused with the difference if they have another shape", async () => {
    await write(target("shape"), details, [])
    const other = {
      columns: [...columns.slice(1), { name: "extra", type: "boolean" as const }],
      primaryKey: ["extra"]
    }
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(open(target("shape"), other))))
    expect(error).toMatchObject({ isRefusal: true })
    expect(error.message).toMatch(
      /it has no column extra; its column dtxsid is not in these rows; its primary key is dtxsid, and would be extra/
    )
    const many = {
      columns: [...columns, ...["a", "b", "c", "d", "e"].map((name) => ({ name, type: "text" as const }))],
      primaryKey: details.primaryKey
    }
    const long = await Effect.runPromise(Effect.flip(Effect.scoped(open(target("shape"), many))))
    expect(long.message).toContain("it has no columns a, b, c and 2 more")
    const retyped = columns.map((column) =>
      column.name === "casrn" ? { ...column, type: "number" as const } : column
    )
    const types = await Effect.runPromise(
      Effect.flip(Effect.scoped(open(target("shape"), { ...details, columns: retyped })))
    )
    expect(types.message).toMatch(
      /has another shape: casrn is (text|varchar), and would be (real|double|double precision)\. /
    )
  })

  it("give every field a column, also one whose name has a dot, is taken, is empty, or differs only by case", async () => {
    const names = ["No.", "No_", "DTXSID", "input_id", "Other_Fields", "", "a\0b", "x".repeat(70)]
    const fields = [...columns, ...names.map((name) => ({ name, type: "text" as const }))]
    const record = { dtxsid: "DTXSID1", ...Object.fromEntries(names.map((name, at) => [name, String(at)])) }
    const unnamed = `column_${columns.length + names.indexOf("") + 1}`
    const renamed = ["No_", "No__2", "DTXSID_2", "input_id_2", "Other_Fields_2", unnamed, "a_b"]
    for (const _ of [1, 2]) await write(target("renamed"), { columns: fields }, [found("DTXSID1", 1, record)])
    const [row] = await read("SELECT * FROM renamed")
    expect(renamed.map((name) => row?.[name])).toEqual(["0", "1", "2", "3", "4", "5", "6"])
    expect(Object.values(row ?? {})).toContain("7")
    expect(row).toMatchObject({ input_id: "DTXSID1", dtxsid: "DTXSID1", other_fields: null })
  })

  it("refuse a record without the key", async () => {
    const error = await write(target("nokey"), details, [found("DTXSID1", 1, { casrn: "1" })]).catch(
      (cause) => cause
    )
    expect(String(error)).toMatch(/a record has no dtxsid/)
  })

  it("store texts that need escaping or replacement", async () => {
    const id = "DTX\u0000SID"
    const name = "naïve \u{1F9EA} \u0000 \\"
    await write(target("texts"), details, [
      found("DTXSID1", 1, { dtxsid: "DTXSID1", preferredName: name }),
      { outcome: OutcomeRow.make(Outcome.missing(id, 2)), records: [] }
    ])
    const [row] = await read(`SELECT "preferredName" AS name, other_fields AS rest FROM texts`)
    const rest = typeof row?.["rest"] === "string" ? JSON.parse(row["rest"]) : row?.["rest"]
    expect(row?.["name"] ?? rest.preferredName).toBe(name)
    expect(await read("SELECT id FROM texts_outcomes WHERE line = 2")).toHaveLength(1)
  })
})

it("statements on a table of Postgres wait at most half a minute for another session that locks it", async (test) => {
  postgres = await TestPostgres.forTest(test)
  const { read, target } = databases[2] as (typeof databases)[number]
  await write(target("locked"), details, [])
  for (const statement of [
    "CREATE TABLE limits (value text)",
    `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO "our tables".limits VALUES (current_setting('lock_timeout')); RETURN NEW; END $$`,
    "CREATE TRIGGER note BEFORE INSERT ON locked FOR EACH ROW EXECUTE FUNCTION note()"
  ])
    await read(statement)
  await write(target("locked"), details, [found("a", 1, { dtxsid: "a" })])
  expect(await read("SELECT DISTINCT value FROM limits")).toEqual([{ value: "30s" }])
})
