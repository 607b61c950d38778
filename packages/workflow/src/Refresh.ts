/**
 * Refreshes mirrors: requests identifiers that are missing or were checked long ago, writes only differences, and
 * reports them.
 *
 * A mirror has the last known records of every identifier, with the time of the last check. It is stored in the
 * database of harvests. A refresh is a harvest whose sink is the mirror, so it survives its workers. Use one `fetch`
 * for a mirror, because differences between two kinds of requests are not changes of the service.
 *
 * A refresh compares records. If each identifier is one GET request, the service also sends an ETag. Give the workers'
 * client a cache (`DiskCache` of `@chemstream/client/node`) with a `ttl` shorter than `olderThan`; unchanged records
 * are then not sent again. A batch is a POST, which has no 304 (RFC 9110, section 13.1.2), so the service sends all
 * its records. A batch still uses less of a rate limit: one request instead of a thousand requests with 304 responses.
 */
import { createHash, type Hash } from "node:crypto"
import { type InvalidOption, Options } from "@chemstream/client"
import { RawArray, type RawRecord } from "@chemstream/ndjson"
import type { Identifiers } from "@chemstream/stream"
import { Duration, Effect, Option, Result, Stream } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import * as Fetch from "./Fetch.ts"
import * as Harvest from "./Harvest.ts"
import { readDayTime } from "./internal/database/databaseTime.ts"
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

const { sink: _, ...harvest } = Harvest.optionSet.fields

const optionSet = Options.set<Settings<unknown, unknown>>()({
  ...harvest,
  mirror: harvest.name,
  olderThan: Options.time("finite"),
  report: Options.text
})

/**
 * Starts a refresh. Fails like `Harvest.start`, and with `InvalidOption` if `olderThan` is not a time of 0 or more.
 *
 * It requests the due identifiers of the source. `Source.all` and `Source.search` list identifiers that the service
 * has. With them, it also requests due identifiers of the mirror that are no longer listed, to find removed ones.
 * Each refresh needs a new `name`, because a harvest that has ended does nothing more (`StartResult.state`).
 */
export const start = <E, R>(
  given: Settings<E, R>
): Effect.Effect<
  Harvest.StartResult,
  E | Harvest.StartError | InvalidOption.InvalidOption,
  R | SqlClient.SqlClient
> =>
  Effect.andThen(Options.check(optionSet, given), () => {
    const { mirror, olderThan = "1 day", report, ...settings } = given
    return Harvest.start({
      ...settings,
      source: dueIdentifiers(settings.source, { mirror, olderThan, fetch: settings.fetch }),
      sink: report === undefined ? { _tag: "Mirror", mirror } : { _tag: "Mirror", mirror, report }
    })
  })

/**
 * Returns the due identifiers of a source: missing in the mirror, or checked longer ago than `olderThan`.
 *
 * After a listing source, it also yields due identifiers that have records in the mirror and are no longer listed.
 * This keeps every listed identifier in memory, at 10 to 30 bytes each.
 */
const dueIdentifiers = <E, R>(
  source: Source<E, R>,
  options: {
    readonly mirror: string
    readonly olderThan: Duration.Input
    readonly fetch: Fetch.Spec
  }
): Source<E | SqlError.SqlError, R | SqlClient.SqlClient> => {
  // Begins anew with each read of `identity`, which `identifiers` reads, too.
  let hash: Hash
  /**
   * All identifiers of the source. Their digest identifies the source, because the due identifiers differ each time.
   */
  const identity = Stream.suspend(() => {
    hash = createHash("sha256")
    return Stream.tap(source.identifiers, ({ text }) => Effect.sync(() => hash.update(`${text}\n`)))
  })
  return {
    description: `the due identifiers of ${source.description}`,
    isStable: source.isStable,
    identity,
    digest: () => hash.copy().digest("hex").slice(0, 32),
    identifiers: Stream.unwrap(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const parse = Fetch.parse(options.fetch, yield* Fetch.Lookups)
        const since =
          (yield* readDayTime(sql)) - Duration.toMillis(Duration.fromInputUnsafe(options.olderThan))
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
        // Skips identifiers without records. The source lists such an identifier again when it has records.
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

/** Returns the identifiers that the mirror lacks, or has not checked since this time. */
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

/** Returns the records of a mirror as received, sorted by identifier. */
export const records = (
  mirror: string
): Stream.Stream<RawRecord.RawRecord, SqlError.SqlError, SqlClient.SqlClient> =>
  pages<{ id: string; records: string }>(mirror, "id, records").pipe(
    Stream.map((row) => elementsOf(row.records)),
    Stream.flattenIterable
  )

/** Reads the rows of a mirror page by page, to bound memory. Default of `condition`: all rows. */
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
        WHERE mirror = ${Options.argument("mirror", Options.text, mirror)} AND id > ${after} AND ${condition ?? sql`1 = 1`} ORDER BY id LIMIT ${pageSize}`
      const last = rows.at(-1)
      return [rows, last === undefined ? Option.none() : Option.some(last.id)] as const
    })
  )

const encoder = new TextEncoder()

// Stored records come from well-formed responses.
const elementsOf = (array: string): ReadonlyArray<RawRecord.RawRecord> =>
  Result.getOrElse(RawArray.cut(encoder.encode(array)), () => [])
