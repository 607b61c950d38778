/**
 * Keeps mirrors fresh: a refresh requests what is missing or older than some days, writes only differences, and reports them.
 *
 * A mirror is in the database of harvests: the last known records of every identifier, and when they were checked. A refresh
 * is a harvest with its own sink (`Sink`, `Mirror`), so it survives its workers. A mirror has one `fetch`: differences between
 * two of them would not be changes of the service.
 *
 * Changes are found by comparing records. If each identifier is a GET request, the service sends an ETag: give the workers'
 * client a cache (`DiskCache` of `@chemstream/client/node`) with a `ttl` shorter than `olderThan`, and unchanged records are
 * not sent again. A batch is a POST without 304 (RFC 9110, section 13.1.2), so all its records are sent; one request for a
 * thousand of them still uses less of a limited rate than a thousand responses without changes.
 */
import { createHash, type Hash } from "node:crypto"
import { InvalidOption } from "@chemstream/client"
import { RawArray, type RawRecord } from "@chemstream/ndjson"
import type { Identifiers } from "@chemstream/stream"
import { Clock, Duration, Effect, Option, Result, Stream } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Fetch from "./Fetch.ts"
import * as Harvest from "./Harvest.ts"
import type { Source } from "./Source.ts"

/** The number of identifiers in one query of the mirror. */
const pageSize = 500

/** The settings of a refresh. */
export interface Settings<E = never, R = never> extends Omit<Harvest.Settings<E, R>, "sink"> {
  /** The name of the mirror, which is created if it does not exist. */
  readonly mirror: string
  /** Identifiers that were checked more recently are skipped. Default: one day. */
  readonly olderThan?: Duration.Input | undefined
  /**
   * The file of the differences, NDJSON: `{"id","change":"added"}`,
   * `{"id","change":"changed","fields":{"casrn":{"before":…,"after":…}}}` or `{"id","change":"gone"}`. It is written
   * when the refresh has finished. Default: no file.
   */
  readonly report?: string | undefined
}

/**
 * Starts a refresh, with the errors of `Harvest.start`, and `InvalidOption` if `olderThan` is not a time of 0 or more.
 *
 * It records the identifiers of the source that are due. If the source lists what the service has (`Source.all`,
 * `Source.search`), it also records due identifiers of the mirror that the source does not list, so that removed ones are
 * found. Each refresh needs a new `name`, because a harvest that has ended does nothing more (`Started.state`).
 */
export const start = <E, R>({
  mirror,
  olderThan = "1 day",
  report,
  ...settings
}: Settings<E, R>): Effect.Effect<
  Harvest.StartResult,
  E | Harvest.StartError | InvalidOption.InvalidOption,
  R | SqlClient.SqlClient
> =>
  Effect.andThen(
    InvalidOption.refuse([InvalidOption.time("olderThan", olderThan, "finite")]),
    Harvest.start({
      ...settings,
      source: dueIdentifiers(settings.source, { mirror, olderThan, fetch: settings.fetch }),
      sink: report === undefined ? { _tag: "Mirror", mirror } : { _tag: "Mirror", mirror, report }
    })
  )

/**
 * Returns the due identifiers of a source: those that the mirror lacks or that were checked longer ago.
 *
 * For a listing source they are followed by identifiers with records in the mirror that the source does not list. This keeps
 * every identifier of the source in memory, at 10 to 30 bytes each.
 */
export const dueIdentifiers = <E, R>(
  source: Source<E, R>,
  options: {
    readonly mirror: string
    readonly olderThan: Duration.Input
    readonly fetch: Fetch.Spec
  }
): Source<E | SqlError.SqlError, R | SqlClient.SqlClient> => {
  let hash: Hash
  /** The identifiers of the source, with a digest: due identifiers change over time. */
  const identity = Stream.suspend(() => {
    hash = createHash("sha256")
    return Stream.tap(source.identifiers, ({ text }) => Effect.sync(() => hash.update(`${text}\n`)))
  })
  return {
    description: `what is due of ${source.description}`,
    isStable: source.isStable,
    identity,
    digest: () => hash.copy().digest("hex").slice(0, 32),
    identifiers: Stream.unwrap(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const parse = Fetch.parse(options.fetch, yield* Fetch.Lookups)
        const since =
          (yield* Clock.currentTimeMillis) - Duration.toMillis(Duration.fromInputUnsafe(options.olderThan))
        const listed = new Set<string>()
        let line = 0
        const dueOfSource = identity.pipe(
          Stream.grouped(pageSize),
          Stream.mapEffect((some) => {
            const parsed = some.map((identifier) => ({
              identifier,
              id: Result.getOrElse(parse(identifier.text), () => identifier.text)
            }))
            if (source.isListing === true) for (const { id } of parsed) listed.add(id)
            line = parsed.at(-1)?.identifier.line ?? line
            return dueOf(parsed, options.mirror, since)
          }),
          Stream.flattenIterable
        )
        if (source.isListing !== true) return dueOfSource
        // An identifier that is known to be gone is listed by the source when it comes back.
        const unlisted = pages<{ id: string }>(
          options.mirror,
          "id",
          sql`outcome = 'found' AND checked_at < ${since}`
        ).pipe(
          Stream.filter(({ id }) => Result.isSuccess(parse(id)) && !listed.has(id)),
          Stream.map(({ id }) => ({ text: id, line: ++line }))
        )
        return Stream.concat(dueOfSource, unlisted)
      })
    )
  }
}

/** Returns those of some identifiers that the mirror lacks or has not checked since. */
const dueOf = (
  parsed: ReadonlyArray<{ readonly identifier: Identifiers.Identifier; readonly id: string }>,
  mirror: string,
  since: number
): Effect.Effect<ReadonlyArray<Identifiers.Identifier>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ id: string }>`
      SELECT id FROM chemstream_mirror WHERE mirror = ${mirror} AND checked_at >= ${since}
        AND ${sql.in(
          "id",
          parsed.map(({ id }) => id)
        )}`
    const fresh = new Set(rows.map(({ id }) => id))
    return parsed
      .filter(({ id, identifier }) => identifier.fault !== undefined || !fresh.has(id))
      .map(({ identifier }) => identifier)
  })

/** Returns the identifiers of a mirror: everything ever requested for it, known to the service or not. */
export const identifiers = (mirror: string): Source<SqlError.SqlError, SqlClient.SqlClient> => ({
  description: `the mirror ${mirror}`,
  isStable: false,
  identifiers: pages<{ id: string }>(mirror, "id").pipe(
    Stream.zipWithIndex,
    Stream.map(([{ id }, index]) => ({ text: id, line: index + 1 }))
  )
})

/** Returns the records of a mirror as received, sorted by identifier. */
export const records = (
  mirror: string
): Stream.Stream<RawRecord.RawRecord, SqlError.SqlError, SqlClient.SqlClient> =>
  pages<{ id: string; records: string }>(mirror, "id, records").pipe(
    Stream.map((row) => elementsOf(row.records)),
    Stream.flattenIterable
  )

/** Reads the rows of a mirror page by page, to bound memory. All rows, if none are chosen. */
const pages = <Row extends { readonly id: string }>(
  mirror: string,
  columns: string,
  condition?: Statement.Fragment
): Stream.Stream<Row, SqlError.SqlError, SqlClient.SqlClient> =>
  Stream.paginate("", (after) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<Row>`
        SELECT ${sql.literal(columns)} FROM chemstream_mirror
        WHERE mirror = ${mirror} AND id > ${after} AND ${condition ?? sql`1 = 1`} ORDER BY id LIMIT ${pageSize}`
      const last = rows.at(-1)
      return [rows, last === undefined ? Option.none() : Option.some(last.id)] as const
    })
  )

const encoder = new TextEncoder()

// Stored records come from well-formed responses.
const elementsOf = (array: string): ReadonlyArray<RawRecord.RawRecord> =>
  Result.getOrElse(RawArray.cut(encoder.encode(array)), () => [])
