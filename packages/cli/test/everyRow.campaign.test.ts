/**
 * Every row comes out: a run over a random input into any format, disturbed at random places and continued by the same command, has the
 * outputs of an undisturbed run.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync, gzipSync } from "node:zlib"
import { Dtxsid } from "@chemstream/api"
import { DuckDBInstance } from "@duckdb/node-api"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import readWorkbook from "read-excel-file/node"
import { expect, it } from "vitest"
import * as TestPostgres from "../../workflow/test/testPostgres.ts"
import { answerTo, signal } from "./checkpointed.ts"
import { command, environment, folder, run, start } from "./process.ts"
import { scripted } from "./scripted.ts"

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"
const firstSeed = Number(process.env["CHEMSTREAM_SEED"] ?? 1)
const seeds = Array.from({ length: isThorough ? 60 : 3 }, (_, at) => firstSeed + at)

const outputs = [
  "out.ndjson",
  "out.ndjson.gz",
  "out.json",
  "out.csv",
  "out.tsv",
  "out.parquet",
  "out.arrow",
  "out.xlsx",
  "out.sqlite#t",
  "out.duckdb#t",
  "postgres"
] as const

const disturbances = ["kill", "interrupt", "terminate", "revoke", "full", "rename", "reader"] as const

/** A generator of numbers below a limit (mulberry32). */
const generator = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

type Below = ReturnType<typeof generator>

const pick = <A>(below: Below, from: ReadonlyArray<A>): A => from[below(from.length)] as A

const preload = `--import=${new URL("recordedFiles.mjs", import.meta.url).href}`

/** Writes a random input, and returns its name. */
const writeInput = (below: Below, at: string): string => {
  const values = Array.from({ length: 30 + below(60) }, () => {
    const id = Result.getOrThrow(Dtxsid.parse(`DTXSID00${10_000 + below(80)}`))
    return pick(below, [id, id, id, id, id, id, "no identifier", "DTXSID1", ""])
  })
  const format = pick(below, ["ids", "ids.csv", "ids.ndjson", "ids.gz"])
  const plain = values.map((value) => `${value}\n`).join("")
  const text =
    format === "ids.csv"
      ? `n,dtxsid\n${values.map((value, n) => `${n},${value}\n`).join("")}`
      : format === "ids.ndjson"
        ? values.map((dtxsid, n) => `${JSON.stringify({ n, dtxsid })}\n`).join("")
        : plain
  writeFileSync(join(at, format), format === "ids.gz" ? gzipSync(text) : text)
  return format
}

let postgres: TestPostgres.Postgres

/** The value of `--output` in a folder. In Postgres, each folder has a table of its own. */
const targetOf = (at: string, output: string): string =>
  output === "postgres" ? `${postgres.url}#t${at.replaceAll(/\W/g, "_").toLowerCase()}` : output

/** Reads a table of Postgres. */
const queryPostgres = (url: string, text: string): Promise<ReadonlyArray<object>> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<object>(text)).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
    Effect.scoped,
    Effect.runPromise
  )

/** Reads a table of DuckDB. */
const queryDuckdb = async (file: string, text: string): Promise<ReadonlyArray<unknown>> => {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(text)).getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return rows
}

/** Returns the records and the outcomes of a run into a database. */
const rowsOf = (at: string, target: string): Promise<ReadonlyArray<unknown>> => {
  const [place = "", table] = target.split("#")
  const query = (text: string) => {
    if (place === "out.duckdb") return queryDuckdb(join(at, place), text)
    if (place !== "out.sqlite") return queryPostgres(place, text)
    const database = new DatabaseSync(join(at, place))
    const rows = database.prepare(text).all()
    database.close()
    return Promise.resolve(rows)
  }
  const texts = [
    `SELECT * FROM ${table} ORDER BY 1, 2, 3`,
    `SELECT * FROM ${table}_outcomes ORDER BY line, id`
  ]
  return texts.reduce<Promise<ReadonlyArray<unknown>>>(
    async (earlier, text) => [...(await earlier), await query(text)],
    Promise.resolve([])
  )
}

/** The content of an output, in a form that can be compared. */
const contentOf = async (at: string, output: string): Promise<unknown> => {
  if (output === "out.xlsx")
    return (await readWorkbook(readFileSync(join(at, output)))).map(({ data }) => data)
  if (!output.includes("#")) {
    const bytes = readFileSync(join(at, output))
    // The members of a compressed file depend on the times of its batches.
    return (output.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("base64")
  }
  return rowsOf(at, output)
}

const countsIn = (at: string): Record<string, number> => {
  const { complete, read, found, missing, failed, duplicates, invalid, records } = JSON.parse(
    readFileSync(join(at, "counts"), "utf8")
  )
  return { complete, read, found, missing, failed, duplicates, invalid, records }
}

/** Runs the command in a shell: with a limit of the size of files, or with a reader that leaves after the first line. */
const inShell = async (
  script: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Record<string, string>
) => {
  const shell = spawn("bash", ["--norc", "-c", script, "bash", ...args], {
    cwd,
    env: environment({ ...env, NODE: process.execPath, COMMAND: command }),
    stdio: "ignore"
  })
  await once(shell, "close")
  return Number(readFileSync(join(cwd, "code"), "utf8"))
}

it.for(seeds)(
  "every row comes out, whatever disturbs the run (seed %i)",
  { timeout: 600_000 },
  async (seed, test) => {
    const below = generator(seed)
    const output = pick(below, outputs)
    const [at, whole] = [folder(), folder()]
    const input = writeInput(below, at)
    writeFileSync(join(whole, input), readFileSync(join(at, input)))
    // Errors to standard output have a reader that may leave.
    const errors = below(4) === 0 ? "/dev/stdout" : "errors.ndjson"
    if (output === "postgres") postgres = await TestPostgres.forTest(test)
    const [target, wholeTarget] = [targetOf(at, output), targetOf(whole, output)]
    const options = ["details", "-i", input, "--batch-size", "5", "--concurrency", `${1 + below(3)}`, "-q"]
    if (input === "ids.csv") options.push("--key", "dtxsid")
    if (below(3) === 0) options.push("--with-line")
    options.push("--errors", errors, "--json-summary", "counts")
    const args = [...options, "-o", target]

    let revokedAt = Number.POSITIVE_INFINITY
    let holdAt = Number.POSITIVE_INFINITY
    let requests = 0
    let held = signal()
    let release = signal()
    const { env } = await scripted(({ ids }) => {
      requests++
      if (requests >= revokedAt) return { status: 401, body: "{}" }
      if (requests < holdAt) return { body: answerTo(ids) }
      held.open()
      return { body: answerTo(ids), until: release.opened }
    })
    const undisturbed = await run([...options, "-o", wholeTarget], { cwd: whole, env })
    expect(undisturbed, undisturbed.stderr).toMatchObject({ code: 0 })
    const expected = { counts: countsIn(whole), content: await contentOf(whole, wholeTarget) }
    expect(expected.counts["complete"]).toBe(true)

    const said: Array<string> = []
    for (let left = 1 + below(3); left > 0; left--) {
      const disturbance = pick(below, disturbances)
      said.push(disturbance)
      requests = 0
      revokedAt = holdAt = Number.POSITIVE_INFINITY
      held = signal()
      release = signal()
      const place = 1 + below(10)
      let code: number | null = null
      if (disturbance === "full") {
        const blocks = 1 + below(6)
        code = await inShell(
          `(ulimit -f ${blocks}; "$NODE" "$COMMAND" "$@" > piped); echo "$?" > code`,
          args,
          at,
          env
        )
      } else if (disturbance === "reader") {
        code = await inShell(
          `{ "$NODE" "$COMMAND" "$@"; echo "$?" > code; } | head -1 > piped`,
          args,
          at,
          env
        )
      } else {
        if (disturbance === "revoke") revokedAt = place
        else if (disturbance !== "rename") holdAt = place
        const refused = pick(below, ["/out\\.", "/errors\\.", "checkpoint$", "/counts$"])
        const more: Record<string, string> =
          disturbance === "rename" ? { NODE_OPTIONS: preload, REFUSED_RENAME: refused } : {}
        const started = start(args, { cwd: at, env: { ...env, ...more } })
        await Promise.race([held.opened, started.ended])
        if (disturbance === "kill") started.child.kill("SIGKILL")
        if (disturbance === "interrupt") started.child.kill("SIGINT")
        if (disturbance === "terminate") started.child.kill("SIGTERM")
        release.open()
        code = (await started.ended).code
      }
      const isPublished = !target.includes("#") && existsSync(join(at, output))
      if (code === 0) {
        expect(countsIn(at), `${output} ${said}`).toEqual(expected.counts)
        break
      }
      // A refused name of the counts or of the errors comes after the output has its name.
      if (disturbance !== "rename" && disturbance !== "full")
        expect(isPublished, `${output} ${said}`).toBe(false)
      if (existsSync(join(at, "counts"))) expect(countsIn(at)["complete"], `${output} ${said}`).toBe(false)
    }

    requests = 0
    revokedAt = holdAt = Number.POSITIVE_INFINITY
    const last = await run(args, { cwd: at, env })
    expect(last, `${output} ${said}\n${last.stderr}`).toMatchObject({ code: 0 })
    expect(countsIn(at), `${output} ${said}`).toEqual(expected.counts)
    const { read = 0, found = 0, missing = 0, failed = 0, duplicates = 0, invalid = 0 } = countsIn(at)
    expect(read).toBe(found + missing + failed + duplicates + invalid)
    expect(await contentOf(at, target), `${output} ${said}`).toEqual(expected.content)
    if (errors === "errors.ndjson")
      expect(readFileSync(join(at, errors), "utf8"), `${output} ${said}`).toBe(
        readFileSync(join(whole, errors), "utf8")
      )
    const names = readdirSync(at).filter((name) => !["code", "piped"].includes(name))
    expect(names.sort(), `${output} ${said}`).toEqual(readdirSync(whole).sort())
  }
)
