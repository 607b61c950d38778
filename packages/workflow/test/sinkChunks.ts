// Makes chunks to write into a sink, and reads the contents of a sink.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { InvalidIdentifier } from "@chemstream/api"
import { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Outcome } from "@chemstream/stream"
import { type Sink, SqliteClient } from "@chemstream/workflow"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

export const identity: Sink.Identity = { harvest: "mirror", source: "digest-1" }

/** The number of identifiers in a chunk. */
export const size = 40

/**
 * Makes a chunk with every kind of outcome. Of ten identifiers, one is missing, one failed, one invalid, and one
 * found with three records. A chunk also has two surplus records and two duplicates. The name of the writer makes the
 * chunks of two writers differ.
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

/** The contents of a sink: sorted lines of records, and sorted lines of problems. */
export interface Contents {
  readonly records: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

/** Returns the expected contents of a sink with these chunks: byte for byte in a folder, equal values in tables. */
export const expected = (
  chunks: ReadonlyArray<Sink.Chunk>,
  { _tag }: Pick<StoringSink, "_tag">
): Contents => {
  const textOf = (record: unknown): string => {
    const text = RawRecord.toText(record as RawRecord.RawRecord)
    return _tag === "Table" ? JSON.stringify(JSON.parse(text)) : text
  }
  const outcomes = chunks.flatMap(({ outcomes }) => outcomes)
  return {
    records: outcomes
      .flatMap((outcome) => (outcome._tag === "Found" ? outcome.records.map(textOf) : []))
      .sort(),
    problems: outcomes
      .flatMap((outcome) => {
        if (outcome._tag === "Found") return []
        if (outcome._tag === "Surplus") return [surplusName(outcome.id, textOf(outcome.record))]
        return [`${outcome.id} ${outcome._tag.toLowerCase()}`]
      })
      .sort()
  }
}

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

/** Reads the contents of tables, and makes records from their columns. */
const inTables = (target: string): Promise<Contents> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { name } = tableOf(target)
    const records = yield* sql<{ id: string; n: number; other_fields: unknown }>`
      SELECT id, n, other_fields FROM ${sql(name(""))}`
    const problems = yield* sql<{ text: string }>`
      SELECT id || ' ' || outcome AS text FROM ${sql(name("_outcomes"))} WHERE outcome <> 'found'`
    const surplus = yield* sql<{ id: string | null; record: unknown }>`
      SELECT id, record FROM ${sql(name("_surplus"))}`
    return {
      records: records
        .map(({ id, n, other_fields }) => JSON.stringify({ id, n, ...parsed(other_fields) }))
        .sort(),
      problems: [
        ...problems.map(({ text }) => text),
        ...surplus.map(({ id, record }) => surplusName(id, JSON.stringify(parsed(record))))
      ].sort()
    }
  }).pipe(Effect.provide(clientOf(target)), Effect.runPromise)

// One driver returns JSON as text, the other as its value.
const parsed = (value: unknown): object =>
  (typeof value === "string" ? JSON.parse(value) : (value ?? {})) as object

/** Returns the file or address of a target, and the names of its tables. */
export const tableOf = (
  target: string
): { readonly place: string; readonly name: (suffix: string) => string } => {
  const at = target.indexOf("#")
  const table = decodeURIComponent(target.slice(at + 1))
  return { place: target.slice(0, at), name: (suffix) => `${table}${suffix}` }
}

/** A client of the database of a target. */
export const clientOf = (target: string) => {
  const { place } = tableOf(target)
  return place.startsWith("postgres:")
    ? PgClient.layer({ url: Redacted.make(place) })
    : SqliteClient.layer({ file: place })
}

/** A sink that stores all outcomes. A mirror stores differences, and `refresh.test.ts` tests it. */
export type StoringSink = Exclude<Sink.Spec, { readonly _tag: "Mirror" }>

/** Reads the contents of a sink. */
export const contents = async (spec: StoringSink): Promise<Contents> =>
  spec._tag === "Folder" ? inFolder(spec.folder) : inTables(spec.target)
