/**
 * Records a source as the chunks of a harvest, or recognises one that was recorded before.
 *
 * A harvest is there when its row is, which is written last: a start that dies leaves chunks that belong to no harvest,
 * and the next start of the name drops them.
 */
import { createHash, randomUUID } from "node:crypto"
import { type Identifiers, Seen } from "@chemstream/stream"
import { Array as Arr, Clock, Effect, Option, Result, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "../Fetch.ts"
import type { Source } from "../Source.ts"
import * as definition from "./definition.ts"
import * as items from "./items.ts"
import { transaction } from "./transaction.ts"

/** Chunks written to the database at a time. */
const chunksAtOnce = 16

/** What became of a start. */
export type Started =
  | { readonly _tag: "New" | "Known"; readonly row: definition.Row }
  | { readonly _tag: "Other"; readonly difference: "source" | "settings" | "concurrent start" }
  | { readonly _tag: "OtherService"; readonly before: string }

/** A chunk as it is recorded. */
interface Chunk {
  readonly items: ReadonlyArray<Identifiers.Identifier>
  readonly duplicates: number
}

export const record = <E, R>(
  name: string,
  source: Source<E, R>,
  settings: definition.Definition
): Effect.Effect<Started, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const known = yield* definition.byName(name)
    if (Option.isSome(known)) return yield* recognise(known.value, source, settings)
    const sql = yield* SqlClient.SqlClient
    const id = `${name}/${randomUUID()}`
    yield* sql`
      DELETE FROM chemstream_chunks
      WHERE substr(harvest, 1, ${name.length + 1}) = ${`${name}/`}
        AND harvest NOT IN (SELECT id FROM chemstream_harvests)`
    const cut = cutter(settings)
    let index = 0
    yield* cut.chunks(source.identifiers).pipe(
      Stream.grouped(chunksAtOnce),
      Stream.runForEach(
        (chunks) =>
          sql`INSERT INTO chemstream_chunks ${sql.insert(
            Arr.map(chunks, (chunk) => ({
              harvest: id,
              idx: index++,
              items: items.encode(chunk.items),
              duplicates: chunk.duplicates
            }))
          )}`
      )
    )
    const row = {
      name,
      id,
      spec: definition.encode(settings),
      description: source.description,
      digest: cut.digest(),
      state: "running",
      reason: null,
      epoch: 0,
      chunks: index,
      identifiers: cut.read(),
      started_at: yield* Clock.currentTimeMillis,
      ended_at: null
    }
    const isWhole = yield* transaction(
      sql,
      Effect.gen(function* () {
        const [counted] = yield* sql<{ n: unknown }>`
          SELECT count(*) AS n FROM chemstream_chunks WHERE harvest = ${id}`
        if (Number(counted?.n) !== index) return false
        yield* sql`INSERT INTO chemstream_harvests ${sql.insert(row)} ON CONFLICT (name) DO NOTHING`
        return true
      })
    )
    const winner = yield* definition.byName(name)
    if (!isWhole || Option.isNone(winner)) return { _tag: "Other", difference: "concurrent start" }
    if (winner.value.id === id) return { _tag: "New", row: winner.value }
    yield* sql`DELETE FROM chemstream_chunks WHERE harvest = ${id}`
    return compare(winner.value, row.digest, settings)
  })

const recognise = <E, R>(
  known: definition.Row,
  source: Source<E, R>,
  settings: definition.Definition
): Effect.Effect<Started, E, R> =>
  Effect.gen(function* () {
    if (!source.isStable) return compare(known, known.digest, settings)
    const cut = cutter(settings)
    yield* Stream.runDrain(cut.chunks(source.identifiers))
    return compare(known, cut.digest(), settings)
  })

const compare = (known: definition.Row, digest: string, settings: definition.Definition): Started => {
  const before = definition.otherService(known, settings.service)
  if (before !== undefined) return { _tag: "OtherService", before }
  if (known.digest !== digest) return { _tag: "Other", difference: "source" }
  return definition.encode({ ...known.definition, service: undefined }) ===
    definition.encode({ ...settings, service: undefined })
    ? { _tag: "Known", row: known }
    : { _tag: "Other", difference: "settings" }
}

/** Cuts identifiers into chunks, each identifier once, and keeps count of what it saw. */
const cutter = (settings: definition.Definition) => {
  const parse = Fetch.parse(settings.fetch)
  const seen = Seen.inMemory()
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
      if (parsed !== undefined && Result.isSuccess(parsed) && !seen.add(parsed.success)) duplicates++
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
