/**
 * Stores a harvest in a mirror: writes only records that differ, and the lines of the differences (`mirrorDifference.ts`)
 * beside the counts of their chunk. One transaction does both. The end of the harvest joins the lines to a report.
 */

import { WholeFile } from "@chemstream/ndjson/node"
import { Array as Arr, Effect, FileSystem, Path, References, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import {
  addTallies,
  amendTally,
  type Chunk,
  emptyTally,
  type Identity,
  type Sink,
  type SinkError,
  Tally,
  tallyOf
} from "../../Sink.ts"
import { readDayTime } from "../database/databaseTime.ts"
import { sqlErrorText } from "../database/sqlErrorText.ts"
import { reading, transaction } from "../database/transaction.ts"
import { chunkIndexes } from "../harvest/chunkIndexes.ts"
import * as items from "../harvest/chunkItems.ts"
import { incompleteSink, toSinkError } from "../sinks/sinkErrors.ts"
import { differenceOf, type StoredState } from "./mirrorDifference.ts"
import * as mirrorView from "./mirrorView.ts"

/** The number of rows in one statement. */
const rowsPerStatement = 500

const Counts = Schema.fromJsonString(Tally)
const countsOf = Schema.decodeUnknownSync(Counts)
const textOf = Schema.encodeSync(Counts)

/** A mirror and the harvest that changes it. */
interface MirrorHarvest {
  readonly sql: SqlClient.SqlClient
  readonly mirror: string
  readonly key: string
}

export const open = (
  sql: SqlClient.SqlClient,
  spec: { readonly mirror: string; readonly report?: string | undefined },
  { columns = [], harvest, id, source }: Identity
): Effect.Effect<Sink, SinkError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const name = `the mirror ${spec.mirror}`
    const mirrorHarvest = { sql, mirror: spec.mirror, key: id ?? `${harvest}/${source}` }
    const asSinkError = toSinkError(name)
    const complete = (chunks: number) =>
      Effect.gen(function* () {
        const rows = yield* reading(
          sql,
          sql<{ tally: string; lines: string }>`
            SELECT tally, lines FROM chemstream_changes
            WHERE harvest = ${mirrorHarvest.key} AND idx < ${chunks} ORDER BY idx`
        )
        if (rows.length < chunks)
          return yield* incompleteSink(name, yield* missingChunks(mirrorHarvest, chunks), chunks)
        // A user may lack the right to create views, or other views may depend on the earlier one. The engine, in which
        // this runs, does not log.
        yield* Effect.catch(mirrorView.replace(sql, spec.mirror, columns), (error) =>
          Effect.logWarning(
            `the view ${mirrorView.nameOf(spec.mirror)} was not replaced: ${sqlErrorText(error)}`
          ).pipe(Effect.provideService(References.MinimumLogLevel, "Warn"))
        )
        if (spec.report !== undefined)
          yield* writeReport(spec.report, rows.map(({ lines }) => lines).join(""))
        return rows.map((row) => countsOf(row.tally)).reduce(addTallies, emptyTally)
      }).pipe(Effect.provideContext(services))
    return {
      storedTally: (index) => asSinkError("read", reading(sql, storedTally(mirrorHarvest, index))),
      write: (chunk) => asSinkError("write", transaction(sql, writeChunk(mirrorHarvest, chunk))),
      complete: (chunks) => asSinkError("complete", complete(chunks)),
      claim: undefined,
      missingChunks: (chunks) => asSinkError("read", reading(sql, missingChunks(mirrorHarvest, chunks))),
      failedIdentifiers: (index) =>
        asSinkError(
          "read",
          Effect.map(
            reading(
              sql,
              sql<{ failed: string }>`
                SELECT failed FROM chemstream_changes WHERE harvest = ${mirrorHarvest.key} AND idx = ${index}`
            ),
            ([row]) => (row === undefined ? [] : items.decode(row.failed))
          )
        ),
      amend: (chunk) => asSinkError("write", transaction(sql, amendChunk(mirrorHarvest, chunk)))
    }
  })

const storedTally = ({ key, sql }: MirrorHarvest, index: number) =>
  Effect.map(
    sql<{ tally: string }>`SELECT tally FROM chemstream_changes WHERE harvest = ${key} AND idx = ${index}`,
    ([row]) => (row === undefined ? undefined : countsOf(row.tally))
  )

const missingChunks = ({ key, sql }: MirrorHarvest, chunks: number) =>
  Effect.map(
    sql<{ idx: unknown }>`SELECT idx FROM chemstream_changes WHERE harvest = ${key} AND idx < ${chunks}`,
    (rows) => {
      const present = new Set(rows.map(({ idx }) => Number(idx)))
      return chunkIndexes(chunks).filter((index) => !present.has(index))
    }
  )

const writeChunk = (mirrorHarvest: MirrorHarvest, chunk: Chunk) =>
  Effect.gen(function* () {
    const { key, sql } = mirrorHarvest
    const counts = tallyOf(chunk)
    const row = {
      harvest: key,
      idx: chunk.index,
      tally: textOf(counts),
      failed: failuresOf(chunk),
      lines: ""
    }
    const inserted = yield* sql`
      INSERT INTO chemstream_changes ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING idx`
    if (inserted.length === 0) return (yield* storedTally(mirrorHarvest, chunk.index)) ?? counts
    yield* applyChanges(mirrorHarvest, chunk)
    return counts
  })

const amendChunk = (mirrorHarvest: MirrorHarvest, chunk: Chunk) =>
  Effect.gen(function* () {
    const { key, sql } = mirrorHarvest
    const before = (yield* storedTally(mirrorHarvest, chunk.index)) ?? emptyTally
    const counts = amendTally(before, tallyOf(chunk).read, chunk)
    yield* sql`
      UPDATE chemstream_changes SET tally = ${textOf(counts)}, failed = ${failuresOf(chunk)}
      WHERE harvest = ${key} AND idx = ${chunk.index}`
    yield* applyChanges(mirrorHarvest, chunk)
    return counts
  })

/** Stores and records the differences of a chunk. */
const applyChanges = ({ key, mirror, sql }: MirrorHarvest, chunk: Chunk) =>
  Effect.gen(function* () {
    const at = yield* readDayTime(sql)
    // A failure, an invalid text and a surplus record say nothing about the records of an identifier.
    const conclusive = chunk.outcomes.filter(
      (outcome) => outcome._tag === "Found" || outcome._tag === "Missing"
    )
    const rowsOf = (some: ReadonlyArray<{ readonly id: string }>) =>
      sql`mirror = ${mirror} AND ${sql.in(
        "id",
        some.map(({ id }) => id)
      )}`
    const before = new Map<string, StoredState>()
    for (const some of Arr.chunksOf(conclusive, rowsPerStatement)) {
      const rows = yield* sql<StoredState & { id: string }>`
        SELECT id, outcome, records FROM chemstream_mirror WHERE ${rowsOf(some)}`
      for (const row of rows) before.set(row.id, row)
    }
    const differences = conclusive.flatMap((outcome) => differenceOf(outcome, before.get(outcome.id)) ?? [])
    const changed = new Set(differences.map(({ id }) => id))
    const same = conclusive.filter(({ id }) => !changed.has(id))
    for (const some of Arr.chunksOf(same, rowsPerStatement))
      yield* sql`UPDATE chemstream_mirror SET checked_at = ${at} WHERE ${rowsOf(some)}`
    for (const some of Arr.chunksOf(differences, rowsPerStatement)) {
      const rows = Arr.map(some, ({ id, next }) => ({
        mirror,
        id,
        ...next,
        checked_at: at,
        changed_at: at,
        gone_at: next.outcome === "missing" && before.get(id)?.outcome === "found" ? at : null
      }))
      yield* sql`
        INSERT INTO chemstream_mirror ${sql.insert(rows)}
        ON CONFLICT (mirror, id) DO UPDATE SET outcome = excluded.outcome, records = excluded.records,
          checked_at = excluded.checked_at, changed_at = excluded.changed_at, gone_at = excluded.gone_at`
    }
    const lines = differences.flatMap(({ line }) => (line === undefined ? [] : [`${line}\n`])).join("")
    if (lines === "") return
    yield* sql`
      UPDATE chemstream_changes SET lines = lines || ${lines} WHERE harvest = ${key} AND idx = ${chunk.index}`
  })

const writeReport = (file: string, lines: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* WholeFile.write(file, new TextEncoder().encode(lines))
  })

const failuresOf = (chunk: Chunk): string =>
  items.encode(
    chunk.outcomes.flatMap((outcome) =>
      outcome._tag === "Failed" ? [{ text: outcome.id, line: outcome.line }] : []
    )
  )
