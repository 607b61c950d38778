// Kills processes that write a sink until one of them has completed it.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { chunk, contents, expected, type StoringSink, size, tableOf, tallyOf } from "./sinkChunks.ts"
import { kinds, postgres, withSink } from "./sinkFixture.ts"

/** The number of processes killed for each kind of sink. */
const kills = process.env["CHEMSTREAM_TIER"] === "thorough" ? 8 : 2

const chunksPerKill = 60
const chunks = kills * chunksPerKill

describe.each(kinds)("a sink of %s", (_, make) => {
  it("has every identifier once after repeated kills of its writers", async () => {
    const spec = make()
    const running = new Map<string, ChildProcess>()
    const finished: Array<string> = []
    let started = 0
    const begin = (): void => {
      const name = `writer-${++started}`
      const child = writer(spec, chunks, name)
      running.set(name, child)
      child.once("exit", () => running.delete(name))
      child.stdout?.on("data", (line) => finished.push(String(line)))
    }
    // Two processes write at the same time. One of them is killed after every `chunksPerKill` chunks.
    begin()
    begin()
    for (let kept = 5; kept < chunks; kept += chunksPerKill) {
      await until(async () => {
        if ((await count(spec)) >= kept) return true
        if (running.size === 0 && finished.length === 0) throw new Error("every writer has failed")
        return false
      })
      const [victim] = [...running.values()]
      if (victim === undefined) break
      victim.kill("SIGKILL")
      await once(victim, "exit")
      begin()
    }
    await Promise.all([...running.values()].map((child) => once(child, "exit")))
    if (finished.length === 0) {
      begin()
      await Promise.all([...running.values()].map((child) => once(child, "exit")))
    }
    // On a busy machine, the writers may finish before the last kills.
    expect(started).toBeGreaterThanOrEqual(2 + kills / 2)
    expect(JSON.parse(finished[0] ?? "null")).toEqual(tallyOf(chunks))
    const { problems, records } = await contents(spec)
    const all = expected(
      Array.from({ length: chunks }, (_, index) => chunk(index)),
      spec
    )
    expect(problems).toEqual(all.problems)
    // Each chunk has one writer.
    const by = new Map<number, Set<string>>()
    for (const line of records) {
      const record = JSON.parse(line)
      const index = Math.floor((Number(record.id.slice(2)) - 1) / size)
      by.set(index, (by.get(index) ?? new Set()).add(record.by))
    }
    expect([...by.values()].every((writers) => writers.size === 1)).toBe(true)
    expect(records.map((line) => line.replace(/"by":"[^"]*"/, '"by":"first"')).sort()).toEqual(all.records)
  })

  const count = async (spec: StoringSink): Promise<number> => {
    if (spec._tag === "Folder") {
      // The manifest exists when all chunks are joined.
      if (existsSync(join(spec.folder, "manifest.json"))) return Number.MAX_SAFE_INTEGER
      const parts = join(spec.folder, "parts")
      return existsSync(parts) ? readdirSync(parts).length : 0
    }
    const { name, place } = tableOf(spec.target)
    if (!place.startsWith("postgres:")) return chunksOf(place, name("_chunks"))
    return withSink(spec, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ n: number }>`SELECT count(*) AS n FROM ${sql(name("_chunks"))}`
        return Number(rows[0]?.n)
      })
    )
  }
})

/** Counts chunks with a read-only connection. The table may not exist yet. */
const chunksOf = (file: string, table: string): number => {
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const made = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table)
    if (made === undefined) return 0
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])
  } finally {
    database.close()
  }
}

const writer = (spec: StoringSink, chunks: number, name: string): ChildProcess =>
  spawn(
    process.execPath,
    [
      fileURLToPath(new URL("./sinkWriter.ts", import.meta.url)),
      JSON.stringify(spec),
      String(chunks),
      name,
      postgres.url
    ],
    { stdio: ["ignore", "pipe", "inherit"] }
  )

/** Polls until a condition holds. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
