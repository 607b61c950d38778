/**
 * Records a harvest at its start: divides its source into chunks, or compares the source and the settings with a harvest of the
 * same name that was recorded before.
 *
 * The row of a harvest is written last. If a start dies before that, its chunks have no row. The next start with the
 * same name deletes them.
 */

import { createHash, randomUUID } from "node:crypto"
import { Quote } from "@chemstream/api"
import type { Identifiers } from "@chemstream/stream"
import { Array as Arr, Effect, Option, Result, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import type { Source } from "../../Source.ts"
import { readDayTime } from "../database/databaseTime.ts"
import { transaction } from "../database/transaction.ts"
import * as items from "./chunkItems.ts"
import { HarvestMismatch } from "./harvestErrors.ts"
import * as harvestRow from "./harvestRow.ts"
import * as serviceAndDialect from "./serviceAndDialect.ts"

/** The number of chunks in one insert. */
const chunksPerInsert = 16

/** A recorded harvest, new or not. */
export interface RecordedHarvest {
  readonly isNew: boolean
  readonly row: harvestRow.Row
}

/** A chunk as it is recorded. */
interface Chunk {
  readonly items: ReadonlyArray<Identifiers.Identifier>
  readonly duplicates: number
}

/** Records a new harvest, or compares it with the recorded one of its name. Fails if they differ. */
export const record = <E, R>(
  name: string,
  source: Source<E, R>,
  settings: harvestRow.Definition
): Effect.Effect<RecordedHarvest, E | HarvestMismatch | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const known = yield* harvestRow.byName(name)
    const lookups = yield* Fetch.Lookups
    if (Option.isSome(known)) return yield* compareSource(known.value, source, settings, lookups)
    const sql = yield* SqlClient.SqlClient
    const id = `${name}/${randomUUID()}`
    yield* sql`
      DELETE FROM chemstream_chunks
      WHERE substr(harvest, 1, ${name.length + 1}) = ${`${name}/`}
        AND harvest NOT IN (SELECT id FROM chemstream_harvests)`
    const chunker = makeChunker(settings, lookups)
    const chunks = yield* writeChunks(id, chunker.chunks(source.identifiers))
    const row = {
      name,
      id,
      spec: harvestRow.encode(settings),
      description: source.description,
      digest: source.digest?.() ?? chunker.digest(),
      state: "running",
      reason: null,
      epoch: 0,
      chunks,
      identifiers: chunker.read(),
      started_at: yield* readDayTime(sql),
      ended_at: null
    }
    // Another start of the same name may have deleted the chunks meanwhile, because they had no row.
    const isWhole = yield* transaction(
      sql,
      Effect.gen(function* () {
        const [counted] = yield* sql<{ n: unknown }>`
          SELECT count(*) AS n FROM chemstream_chunks WHERE harvest = ${id}`
        if (Number(counted?.n) !== chunks) return false
        yield* sql`INSERT INTO chemstream_harvests ${sql.insert(row)} ON CONFLICT (name) DO NOTHING`
        return true
      })
    )
    const winner = yield* harvestRow.byName(name)
    if (!isWhole || Option.isNone(winner)) {
      return yield* new HarvestMismatch({
        name,
        difference: "concurrent start",
        message: `the harvest ${Quote.value(name)} is being started by another process. Start it again`
      })
    }
    if (winner.value.id === id) return { isNew: true, row: winner.value }
    yield* sql`DELETE FROM chemstream_chunks WHERE harvest = ${id}`
    return yield* compareRecorded(winner.value, row, settings)
  })

/** Writes the chunks of a harvest. Returns their number. */
const writeChunks = <E, R>(id: string, chunks: Stream.Stream<Chunk, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let index = 0
    yield* chunks.pipe(
      Stream.grouped(chunksPerInsert),
      Stream.runForEach(
        (some) =>
          sql`INSERT INTO chemstream_chunks ${sql.insert(
            Arr.map(some, (chunk) => ({
              harvest: id,
              idx: index++,
              items: items.encode(chunk.items),
              duplicates: chunk.duplicates
            }))
          )}`
      )
    )
    return index
  })

const compareSource = <E, R>(
  known: harvestRow.Row,
  source: Source<E, R>,
  settings: harvestRow.Definition,
  lookups: Fetch.OwnLookups
): Effect.Effect<RecordedHarvest, E | HarvestMismatch, R> =>
  Effect.gen(function* () {
    // A source that cannot be read again is identified by its description.
    if (!source.isStable) return yield* compareRecorded(known, { description: source.description }, settings)
    const chunker = makeChunker(settings, lookups)
    yield* Stream.runDrain(chunker.chunks(source.identity ?? source.identifiers))
    const digest = source.digest?.() ?? chunker.digest()
    const identifiers = source.identity === undefined ? chunker.read() : undefined
    return yield* compareRecorded(known, { description: source.description, digest, identifiers }, settings)
  })

/** Fails if the recorded harvest differs, and names the difference. */
const compareRecorded = (
  known: harvestRow.Row,
  given: {
    readonly description: string
    readonly digest?: string | undefined
    readonly identifiers?: number | undefined
  },
  settings: harvestRow.Definition
): Effect.Effect<RecordedHarvest, HarvestMismatch> => {
  const mismatch = (difference: HarvestMismatch["difference"], differs: string, advice = "Give") => {
    const message = `the harvest ${Quote.value(known.name)} (${known.state}) was started with ${differs}. ${advice} this harvest another name, or delete the recorded one after it has ended`
    return Effect.fail(new HarvestMismatch({ name: known.name, difference, message }))
  }
  const target = serviceAndDialect.targetDifference(known, settings)
  if (target !== undefined) {
    const { before, difference, now } = target
    return mismatch(
      difference,
      `another ${difference}: it was ${before}, and is now ${now}`,
      `Use the same ${difference}, or give`
    )
  }
  if (known.definition === undefined)
    return mismatch("settings", "other settings: another release of chemstream recorded it")
  const isSame =
    given.digest === undefined ? known.description === given.description : known.digest === given.digest
  if (!isSame) {
    const count = given.identifiers === undefined ? "" : `${given.identifiers} identifiers of `
    const differs = `other identifiers: it has ${known.identifiers} identifiers of ${known.description}, and this start gives ${count}${given.description}`
    return mismatch("source", differs)
  }
  const differences = harvestRow.differences(known.definition, settings)
  return differences.length === 0
    ? Effect.succeed({ isNew: false, row: known })
    : mismatch("settings", `other settings: ${differences.join("; ")}`)
}

/** Divides identifiers into chunks without duplicates, and counts them. */
const makeChunker = (settings: harvestRow.Definition, lookups: Fetch.OwnLookups) => {
  const parse = Fetch.parse(settings.fetch, lookups)
  const seen = new Set<string>()
  const hash = createHash("sha256")
  let read = 0
  let pending: Array<Identifiers.Identifier> = []
  let duplicates = 0

  const flush = (): Chunk => {
    const chunk = { items: pending, duplicates }
    pending = []
    duplicates = 0
    return chunk
  }

  const add = (identifiers: ReadonlyArray<Identifiers.Identifier>): ReadonlyArray<Chunk> => {
    const chunks: Array<Chunk> = []
    for (const identifier of identifiers) {
      read++
      const parsed = identifier.fault === undefined ? parse(identifier.text) : undefined
      if (parsed !== undefined && Result.isSuccess(parsed) && seen.size === seen.add(parsed.success).size)
        duplicates++
      else pending.push(identifier)
      if (pending.length === settings.chunkSize) chunks.push(flush())
    }
    hash.update(identifiers.map(({ text }) => `${text}\n`).join(""))
    return chunks
  }

  return {
    chunks: <E, R>(identifiers: Stream.Stream<Identifiers.Identifier, E, R>): Stream.Stream<Chunk, E, R> =>
      identifiers.pipe(
        Stream.mapAccumArray(
          () => undefined,
          (state, values) => [state, add(values)],
          { onHalt: () => (pending.length + duplicates > 0 ? [flush()] : []) }
        )
      ),
    digest: (): string => hash.copy().digest("hex").slice(0, 32),
    read: (): number => read
  }
}
