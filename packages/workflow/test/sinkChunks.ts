// Chunks to write into a sink, and what is in it afterwards.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { InvalidIdentifier } from "@chemstream/api"
import { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Outcome } from "@chemstream/stream"
import type { Sink } from "@chemstream/workflow"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

export const identity: Sink.Identity = { harvest: "mirror", source: "digest-1" }

/** Identifiers of a chunk. */
export const size = 40

/**
 * A chunk of every kind of outcome: of ten identifiers one is missing, one failed, one invalid, one found with three records;
 * two records belong to no identifier; and before each chunk two came that had come before. Text that says who wrote it makes the chunks of two writers differ.
 */
export const chunk = (index: number, writer = "first"): Sink.Chunk => ({
  index,
  duplicates: 2,
  outcomes: [
    ...identified(index, writer),
    Outcome.surplus("unrequested", RawRecord.fromText('{"id":"X", "n":1.0}'), "X"),
    Outcome.surplus("unidentified", RawRecord.fromText('{"n":2.0}'))
  ]
})

const identified = (index: number, writer: string): Sink.Chunk["outcomes"] =>
  Array.from({ length: size }, (_, k) => {
    const line = index * size + k + 1
    const id = `ID${line}`
    const record = (n: number) =>
      RawRecord.fromText(`{"id":"${id}", "n":${n}.0,"by":"${writer}","name":"\\u00e4 ü 🜁"}`)
    if (k % 10 === 3) return Outcome.missing(id, line, ["ID0"])
    if (k % 10 === 5) {
      const error = new ChemError.NotFound({
        endpoint: "details.byDtxsid",
        attempts: 1,
        status: 404,
        suggestions: [],
        message: `cannot say, said ${writer}`
      })
      return Outcome.failed(id, line, error)
    }
    if (k % 10 === 9) {
      const error = new InvalidIdentifier.InvalidIdentifier({
        identifier: "DTXSID",
        value: id,
        reason: "malformed",
        message: `${id} is no DTXSID`
      })
      return Outcome.invalid(id, line, error)
    }
    const records = k % 10 === 7 ? [record(1), record(2), record(3)] : [record(1)]
    return Outcome.found(id, line, records, k === 7 ? "capped" : undefined)
  })

export const tallyOf = (chunks: number): Sink.Tally => ({
  read: 42 * chunks,
  found: 28 * chunks,
  missing: 4 * chunks,
  failed: 4 * chunks,
  invalid: 4 * chunks,
  duplicates: 2 * chunks,
  records: 36 * chunks,
  surplus: 2 * chunks,
  truncated: chunks
})

/** What is in a sink: lines of records in order, and lines of problems in order. */
export interface Contents {
  readonly records: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

/** What is in a sink of these chunks when each was written by one writer. */
export const expected = (chunks: ReadonlyArray<Sink.Chunk>): Contents => ({
  records: chunks
    .flatMap(({ outcomes }) => outcomes)
    .flatMap((outcome) => (outcome._tag === "Found" ? outcome.records.map(RawRecord.toText) : []))
    .sort(),
  problems: chunks
    .flatMap(({ outcomes }) => outcomes)
    .flatMap((outcome) => (outcome._tag === "Found" ? [] : [nameOf(outcome)]))
    .sort()
})

const nameOf = (problem: Exclude<Sink.Chunk["outcomes"][number], Outcome.Found<unknown>>): string =>
  problem._tag === "Surplus"
    ? surplusName(problem.id, RawRecord.toText(problem.record as RawRecord.RawRecord))
    : `${problem.id} ${problem._tag.toLowerCase()}`

const surplusName = (id: string | null | undefined, record: string): string =>
  `${id ?? "-"} surplus ${record}`

const lines = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").split("\n").slice(0, -1)

const inFolder = (folder: string): Contents => {
  const parts = join(folder, "parts")
  const folders = existsSync(parts)
    ? readdirSync(parts)
        .filter((name) => !name.startsWith("."))
        .map((name) => join(parts, name))
    : [folder]
  const problems = folders.flatMap((name) => lines(join(name, "problems.ndjson")))
  return {
    records: folders.flatMap((name) => lines(join(name, "records.ndjson"))).sort(),
    problems: problems
      .map((line) =>
        line.includes('"outcome":"surplus"')
          ? surplusName(JSON.parse(line).id, line.slice(line.indexOf('"records":[') + 11, -2))
          : `${JSON.parse(line).id} ${JSON.parse(line).outcome}`
      )
      .sort()
  }
}

const inSqlite = (file: string): Contents => {
  const database = new DatabaseSync(file, { readOnly: true })
  const texts = (sql: string): ReadonlyArray<string> =>
    database
      .prepare(sql)
      .all()
      .map((row) => String(row["text"]))
      .sort()
  try {
    return {
      records: texts("SELECT record AS text FROM harvest_record WHERE harvest = 'mirror'"),
      problems: texts(
        `SELECT id || ' ' || outcome AS text FROM harvest_outcome WHERE outcome <> 'found'
         UNION ALL SELECT coalesce(id, '-') || ' surplus ' || record AS text FROM harvest_surplus`
      )
    }
  } finally {
    database.close()
  }
}

const inPostgres = (url: string, schema: string): Promise<Contents> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const records = yield* sql<{ text: string }>`
      SELECT record AS text FROM ${sql(`${schema}.harvest_record`)} WHERE harvest = 'mirror'`
    const problems = yield* sql<{ text: string }>`
      SELECT id || ' ' || outcome AS text FROM ${sql(`${schema}.harvest_outcome`)} WHERE outcome <> 'found'
      UNION ALL SELECT coalesce(id, '-') || ' surplus ' || record AS text FROM ${sql(`${schema}.harvest_surplus`)}`
    return {
      records: records.map(({ text }) => text).sort(),
      problems: problems.map(({ text }) => text).sort()
    }
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })), Effect.runPromise)

/** A sink for outcomes; a mirror keeps what differs, and is tested with what refreshes it. */
export type Kept = Exclude<Sink.Spec, { readonly _tag: "Mirror" }>

/** What is in a sink now. */
export const contents = async (spec: Kept, url: string): Promise<Contents> => {
  switch (spec._tag) {
    case "Folder":
      return inFolder(spec.folder)
    case "Sqlite":
      return inSqlite(spec.file)
    case "Postgres":
      return inPostgres(url, spec.schema ?? "public")
  }
}
