import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { setUp } from "./checkpointed.ts"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const substance = "DTXSID7020182"

type Row = Readonly<Record<string, unknown>>

/** The columns that do not come from records. */
const ours = new Set(["input_id", "input_line", "record_n", "other_fields"])

const query = (file: string, sql: string): ReadonlyArray<Row> => {
  const database = new DatabaseSync(file)
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

describe("a table as --output", { concurrent: true }, () => {
  it("has the same records as NDJSON, for every lookup", async () => {
    const at = folder()
    const { env } = await sharedService()
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
      ["details", ["details", substance], ["dtxsid"]],
      ["all_chemicals", ["all"], ["dtxsid"]],
      ["synonyms", ["synonyms", substance], ["dtxsid"]],
      ["flat", ["synonyms", substance, "-p", "ccd-synonyms"], ["input_id", "record_n"]],
      ["hits", ["search", "contain", "bisphenol"], ["input_id", "record_n"]],
      ["formulas", ["formula", "exact", "C15H16O2", "C6H6"], ["input_id", "record_n"]],
      ["counts", ["formula", "exact", "C15H16O2", "--count"], ["input_id", "record_n"]],
      ["masses", ["msready", "mass", "228.115", "--with-line"], ["input_line", "record_n"]]
    ]
    const file = join(at, "out.sqlite")
    for (const [table, args, key] of cases) {
      const ended = await run([...args, "-q", "-o", `out.sqlite#${table}`], { env, cwd: at })
      expect(ended, table).toEqual({ code: 0, stdout: "", stderr: "" })
      const records = lines((await run([...args, "-q"], { env })).stdout)
      expect(records, table).not.toEqual([])
      const keys = query(file, `SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`)
      expect(
        keys.map(({ name }) => name),
        table
      ).toEqual(key)
      const rows = query(file, `SELECT * FROM "${table}" ORDER BY rowid`)
      const plain = (value: unknown): unknown => {
        if (typeof value === "boolean") return Number(value)
        if (typeof value === "object") return JSON.stringify(value)
        // A column of several types holds JSON.
        return typeof value === "string" && /^"\d+"$/.test(value) ? JSON.parse(value) : value
      }
      const texts = (values: ReadonlyArray<Row>) =>
        values.map((row) =>
          Object.entries(row)
            .filter(([name, value]) => value !== null && !ours.has(name))
            .map(([name, value]) => `${name}=${plain(value)}`)
            .sort()
        )
      const known = new Set(
        query(file, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name)
      )
      const named = records.map((record) =>
        Object.fromEntries(Object.entries(record).filter(([name]) => known.has(name)))
      )
      expect(texts(rows).sort(), table).toEqual(texts(named).sort())
      const outcomes = query(
        file,
        `SELECT outcome, sum(records) AS n FROM "${table}_outcomes" GROUP BY outcome`
      )
      expect(outcomes, table).toEqual([{ outcome: "found", n: records.length }])
    }
    expect(readdirSync(at)).toEqual(["out.sqlite"])
  })

  it.each([
    ["keep", [], 4, 0, "are kept (--stale mark or delete changes this)"],
    ["mark", ["--stale", "mark"], 4, 2, "are marked in gone_at when the run is complete"],
    ["delete", ["--stale", "delete"], 2, 0, "are deleted when the run is complete"]
  ] as const)(
    "has other records after a second run, if values are missing then: %s",
    async (stale, option, left, marked, says) => {
      const { at, ids } = setUp(5)
      const gone = new Set<string>()
      let isDown = false
      const { env } = await scripted(({ ids: asked }) =>
        isDown
          ? { status: 400, body: '{"title":"no"}' }
          : {
              body: JSON.stringify(
                asked.filter((id) => ids.includes(id) && !gone.has(id)).map((dtxsid) => ({ dtxsid }))
              )
            }
      )
      const args = ["details", "-i", "ids", "-o", "out.sqlite#t", "--batch-size", "1", "--retries", "0"]
      const first = await run(args, { cwd: at, env })
      expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no longer has") })
      const file = join(at, "out.sqlite")
      const rows = () => query(file, "SELECT dtxsid FROM t").length
      // A value that the service has never had is not among the records.
      writeFileSync(join(at, "ids"), `${ids.slice(0, 3).join("\n")}\nDTXSID2099900001\n`)
      query(file, `DELETE FROM t WHERE dtxsid = '${ids[4]}'`)
      // Two requested values are gone, and one that is not requested.
      for (const index of [0, 1, 3]) gone.add(ids[index] as string)
      // A run that does not settle every value changes nothing: it stops at the first failure.
      isDown = true
      await run([...args, ...option, "--on-failure", "abort"], { cwd: at, env })
      expect(rows()).toBe(4)
      isDown = false
      const second = await run([...args, ...option, "--no-resume"], { cwd: at, env })
      expect(second).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(
          `records in out.sqlite#t of requested values that the service no longer has ${says}\n`
        )
      })
      expect(rows()).toBe(left)
      if (stale !== "mark") return
      const marks = () =>
        query(file, "SELECT dtxsid FROM t WHERE gone_at LIKE '20__-__-__T%Z' ORDER BY dtxsid")
      expect(marks().map(({ dtxsid }) => dtxsid)).toEqual([ids[0], ids[1]].sort())
      expect(marks()).toHaveLength(marked)
      // A value that is back is not marked any more, also by a run without the option.
      gone.clear()
      await run([...args, "-q"], { cwd: at, env })
      expect(marks()).toEqual([])
    }
  )

  it("refuses --stale for a file", async () => {
    const at = folder()
    const { env } = await sharedService()
    const inFile = await run(["details", substance, "-o", "a.ndjson", "--stale", "mark"], { env, cwd: at })
    expect([inFile.code, inFile.stderr]).toEqual([
      2,
      expect.stringContaining("--stale is for tables in a database")
    ])
  })

  it("is completed by retry: failed identifiers get their new outcome", async () => {
    const { at, ids } = setUp(4)
    let isDown = true
    const { env } = await scripted(({ ids: asked }) =>
      isDown && asked.includes(ids[2] as string)
        ? { status: 400, body: '{"title":"no"}' }
        : { body: JSON.stringify(asked.map((dtxsid) => ({ dtxsid }))) }
    )
    const args = ["details", "-q", "-o", "out.sqlite#t", "--errors", "errors"]
    expect(await run([...args, "-i", "ids"], { cwd: at, env })).toMatchObject({ code: 1 })
    const outcomes = () =>
      query(join(at, "out.sqlite"), "SELECT outcome FROM t_outcomes ORDER BY line").map(
        (row) => row["outcome"]
      )
    expect(outcomes()).toEqual(["found", "found", "failed", "found"])
    isDown = false
    const again = await run(["retry", "errors", "--", ...args.slice(0, 4), "--errors", "left"], {
      cwd: at,
      env
    })
    expect(again).toMatchObject({ code: 0 })
    expect(outcomes()).toEqual(["found", "found", "found", "found"])
    expect(query(join(at, "out.sqlite"), "SELECT dtxsid FROM t")).toHaveLength(4)
  })

  it("has as many outcomes as the summary counts, with repeated invalid texts, and those of the last run", async () => {
    const at = folder()
    const { env } = await sharedService()
    const texts = ["nothing", substance, "?", "nothing", "DTXSID2099900001", substance, "?", "nothing"]
    for (const [table, ...more] of [["t"], ["lines", "--with-line"]] as const) {
      for (const input of [texts, texts.slice(0, 5), texts.slice(2)]) {
        writeFileSync(join(at, "ids"), input.join("\n"))
        const args = [
          "details",
          "-i",
          "ids",
          "-q",
          "-o",
          `out.sqlite#${table}`,
          "--json-summary",
          "counts.json"
        ]
        await run([...args, ...more], { env, cwd: at })
        const counts = JSON.parse(readFileSync(join(at, "counts.json"), "utf8"))
        const rows = query(
          join(at, "out.sqlite"),
          `SELECT outcome, count(*) AS n FROM ${table}_outcomes GROUP BY outcome`
        )
        expect(Object.fromEntries(rows.map(({ n, outcome }) => [String(outcome), n]))).toEqual({
          found: counts.found,
          missing: counts.missing,
          invalid: counts.invalid
        })
      }
    }
  })

  it("leaves no file without any result, and names the reason of the stop", async () => {
    const { at } = setUp(3)
    const { env } = await scripted(() => ({ status: 401, body: "{}" }))
    for (const output of ["out.sqlite#t", "out.duckdb#t"])
      expect(await run(["details", "-i", "ids", "-q", "-o", output], { cwd: at, env })).toMatchObject({
        code: 3
      })
    expect(readdirSync(at)).toEqual(["ids"])
  })

  it("is refused before any request if it cannot be written", async () => {
    const { at } = setUp(1)
    const { env, requests } = await scripted(() => ({ body: "[]" }))
    const refused = async (...args: ReadonlyArray<string>) => {
      const ended = await run(["details", "-i", "ids", ...args], { cwd: at, env })
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      return ended.stderr
    }
    expect(await refused("-o", "a.sqlite")).toMatch(/name the table, too: a\.sqlite#details/)
    expect(await refused("-o", "a.sqlite#t", "--format", "csv")).toMatch(/--format is for files/)
    expect(await refused("-o", "a.sqlite#t", "--checkpoint", "c")).toMatch(/--checkpoint is for files/)
    expect(await refused("-o", "none/a.sqlite#t")).toMatch(/there is no folder none/)
    const made = new DatabaseSync(join(at, "b.sqlite"))
    made.exec("CREATE TABLE t (dtxsid TEXT PRIMARY KEY, own TEXT)")
    made.close()
    expect(await refused("-o", "b.sqlite#t", "-p", "compact")).toMatch(
      /the table t in b\.sqlite#t has another shape: it has no columns dtxcid, \w+, \w+ and \d+ more; .*its column own is not in these rows/
    )
    writeFileSync(
      join(at, "text.sqlite"),
      "this is text, and long enough for no header of a database to be found in it"
    )
    const ended = await run(["details", "-i", "ids", "-o", "text.sqlite#t"], { cwd: at, env })
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot write text\.sqlite#t: .*not a database/)
    })
    expect(await refused("-o", "ids.sqlite#t", "--errors", "ids.sqlite-wal")).toMatch(
      /names a file that --output also writes/
    )
    expect(requests).toEqual([])
    expect(existsSync(join(at, "a.sqlite"))).toBe(false)
  })

  it("has the same rows from a harvest as from a lookup", async () => {
    const at = folder()
    const { env } = await sharedService()
    const values = [substance, "DTXSID3039242", "DTXSID2099900001", "no identifier"]
    writeFileSync(join(at, "ids"), values.join("\n"))
    const args = ["-i", "ids", "--quiet"]
    await run(["details", ...args, "-o", "out.sqlite#looked_up"], { env, cwd: at })
    const harvest = (name: string, output: string) =>
      run(["harvest", "start", name, ...args, "-o", output], { env, cwd: at })
    expect(await harvest("h", "out.sqlite#harvested")).toEqual({ code: 0, stdout: "", stderr: "" })
    const columns = (table: string) =>
      query(join(at, "out.sqlite"), `SELECT name, type FROM pragma_table_info('${table}')`)
    const added = (table: string) => columns(table).filter(({ name }) => !ours.has(String(name)))
    expect(added("harvested")).toEqual(added("looked_up"))
    const names = added("harvested").map(({ name }) => `"${name}"`)
    const records = (table: string) =>
      query(join(at, "out.sqlite"), `SELECT ${names.join()}, other_fields FROM ${table} ORDER BY dtxsid`)
    expect(records("harvested")).toHaveLength(2)
    expect(records("harvested")).toEqual(records("looked_up"))
    const outcomes = (table: string) =>
      query(join(at, "out.sqlite"), `SELECT id, outcome, records, line FROM ${table}_outcomes ORDER BY line`)
    expect(outcomes("harvested")).toEqual(outcomes("looked_up"))
    // A table belongs to one harvest or to lookups.
    expect((await harvest("other", "out.sqlite#harvested")).stderr).toMatch(/contains the harvest "h"/)
    const lookup = await run(["details", ...args, "-o", "out.sqlite#harvested"], { env, cwd: at })
    expect(lookup.stderr).toMatch(/has another shape/)
    const third = await run(
      ["harvest", "start", "third", ...args, "-o", "out.sqlite#looked_up", "--detach"],
      { env, cwd: at }
    )
    expect(third).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /has another shape: its primary key is dtxsid, .* To refresh records every night, use a mirror .*: chemstream harvest start night-\$\(date \+%F\) --mirror ours\n$/
      )
    })
    expect((await run(["harvest", "status", "third"], { env, cwd: at })).code).toBe(2)
  })

  it.each([
    [
      ["--stale", "mark"],
      "1 record in out.sqlite#t of values that this run did not request stayed as before"
    ],
    [["--stale", "mark", "-q"], undefined],
    [[], undefined]
  ])("says how many records a changed list leaves as they were: %s", async (options, says) => {
    const { at, ids } = setUp(3)
    const { env } = await scripted((request) => ({
      body: JSON.stringify(request.ids.map((dtxsid) => ({ dtxsid })))
    }))
    const update = () => run(["details", "-i", "ids", "-o", "out.sqlite#t", ...options], { cwd: at, env })
    expect((await update()).stderr).not.toContain("did not request")
    writeFileSync(join(at, "ids"), ids.slice(1).join("\n"))
    const { code, stderr } = await update()
    expect(code).toBe(0)
    expect(/^chemstream: (.* stayed as before)$/m.exec(stderr)?.[1]).toBe(says)
    const left = "SELECT dtxsid FROM t WHERE dtxsid NOT IN (SELECT id FROM t_outcomes)"
    expect(query(join(at, "out.sqlite"), left)).toEqual([{ dtxsid: ids[0] }])
  })

  it("is refused for a harvest if it is DuckDB or not named, and keeps the password out of the database", async () => {
    const { at } = setUp(1)
    const { env } = await scripted(() => ({ body: "[]" }))
    const harvest = (output: string, ...others: ReadonlyArray<string>) =>
      run(["harvest", "start", "h", "-i", "ids", "-o", output, ...others], { cwd: at, env })
    const refusals = [
      ["a.duckdb#t", /only one process can write a DuckDB file, and a harvest may have several workers/],
      ["a.sqlite", /name the table, too: a\.sqlite#details/],
      ["#t", /--output #t needs --database postgres/]
    ] as const
    for (const [output, reason] of refusals)
      expect(await harvest(output)).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) })
    expect(await harvest("postgres://me:secret@host/db#t", "--detach")).toMatchObject({ code: 0 })
    const [stored] = query(join(at, "chemstream-harvests.db"), "SELECT spec FROM chemstream_harvests")
    expect(stored?.["spec"]).toContain("postgres://me@host/db#t")
    expect(readFileSync(join(at, "chemstream-harvests.db")).includes("secret")).toBe(false)
  })

  it("refuses to continue with other options, and names them", async () => {
    const { at, ids } = setUp(30)
    let requests = 0
    const { env } = await scripted(({ ids: asked }) => {
      requests++
      return requests === 2
        ? { status: 401, body: "{}" }
        : { body: JSON.stringify(asked.map((dtxsid) => ({ dtxsid }))) }
    })
    const args = ["details", "-i", "ids", "--batch-size", "10", "--concurrency", "1", "-o", "out.sqlite#t"]
    const stopped = await run(args, { cwd: at, env })
    expect(stopped).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/kept 10 records in out\.sqlite#t\. Run the same command/)
    })
    const other = await run([...args, "--strict-ids"], { cwd: at, env })
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the run of out\.sqlite#t: --strict-ids is on now, and was off/)
    })
    const rest = await run(args, { cwd: at, env })
    expect(rest).toMatchObject({ code: 0, stderr: expect.stringMatching(/continuing at 10 of 30/) })
    expect(query(join(at, "out.sqlite"), "SELECT dtxsid FROM t").map(({ dtxsid }) => dtxsid)).toEqual(ids)
    expect(readFileSync(join(at, "ids"), "utf8").trim().split("\n")).toEqual(ids)
  })
})
