/**
 * Mirrors that are kept fresh: a refresh asks again for what is older than some days, or not there yet, writes only
 * what is different, and reports it.
 *
 * A mirror lies in the database of harvests, beside them: the last known records of every identifier, and when they
 * were looked at. A refresh is a harvest with a sink of its own (`Sink`, `Mirror`), and so outlives its workers as
 * every other.
 *
 * What has changed is told by comparing records. Where an identifier is a request, a GET, the service sends an ETag:
 * give the workers' client a cache (`DiskCache` of `@chemstream/client/node`) with a `ttl` shorter than `olderThan`,
 * and what still has its tag is not sent again. A batch is a POST, which knows no 304 (RFC 9110, section 13.1.2): its
 * records all come, and a request for a thousand of them costs less of a limited rate than a thousand answers that
 * nothing has changed.
 */
import { RawArray, type RawRecord } from "@chemstream/ndjson"
import { Clock, Duration, Effect, Option, Result, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "./Fetch.ts"
import * as Harvest from "./Harvest.ts"
import type { Source } from "./Source.ts"

/** Identifiers that are looked up in the mirror at a time. */
const atOnce = 500

/** A refresh. */
export interface Settings<E = never, R = never> extends Omit<Harvest.Settings<E, R>, "sink"> {
  /** The name of the mirror; made where there is none. */
  readonly mirror: string
  /** Identifiers that were looked at more recently are left out; a day when not given. */
  readonly olderThan?: Duration.Input | undefined
  /**
   * The file of the differences, NDJSON: `{"id","change":"added"}`,
   * `{"id","change":"changed","fields":{"casrn":{"before":…,"after":…}}}` or `{"id","change":"gone"}`. Written when
   * the refresh has finished; none when not given.
   */
  readonly report?: string | undefined
}

/**
 * Starts a refresh, as `Harvest.start` does a harvest, with the same errors: of the identifiers of the source, those
 * are recorded that are due. Its `name` is that of the harvest: another each time.
 */
export const start = <E, R>({
  mirror,
  olderThan = "1 day",
  report,
  ...settings
}: Settings<E, R>): Effect.Effect<
  Harvest.Started,
  E | Harvest.OtherHarvest | Harvest.OtherService | SqlError.SqlError,
  R | SqlClient.SqlClient
> =>
  Harvest.start({
    ...settings,
    source: due(settings.source, { mirror, olderThan, fetch: settings.fetch }),
    sink: report === undefined ? { _tag: "Mirror", mirror } : { _tag: "Mirror", mirror, report }
  })

/** Of a source what is not in a mirror, or was looked at longer ago. */
export const due = <E, R>(
  source: Source<E, R>,
  options: {
    readonly mirror: string
    readonly olderThan: Duration.Input
    readonly fetch: Fetch.Spec
  }
): Source<E | SqlError.SqlError, R | SqlClient.SqlClient> => {
  const parse = Fetch.parse(options.fetch)
  return {
    description: `what is due of ${source.description}`,
    // What is due now is not what is due later.
    isStable: false,
    identifiers: Stream.unwrap(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const since =
          (yield* Clock.currentTimeMillis) - Duration.toMillis(Duration.fromInputUnsafe(options.olderThan))
        return source.identifiers.pipe(
          Stream.grouped(atOnce),
          Stream.mapEffect((some) => {
            const named = some.map((identifier) => ({
              identifier,
              id: Result.getOrElse(parse(identifier.text), () => identifier.text)
            }))
            return Effect.map(
              sql<{ id: string }>`
                SELECT id FROM chemstream_mirror WHERE mirror = ${options.mirror} AND checked_at >= ${since}
                  AND ${sql.in(
                    "id",
                    named.map(({ id }) => id)
                  )}`,
              (rows) => {
                const fresh = new Set(rows.map(({ id }) => id))
                return named
                  .filter(({ id, identifier }) => identifier.fault !== undefined || !fresh.has(id))
                  .map(({ identifier }) => identifier)
              }
            )
          }),
          Stream.flattenIterable
        )
      })
    )
  }
}

/** The identifiers of a mirror: what was ever asked for it, known to the service or not. */
export const identifiers = (mirror: string): Source<SqlError.SqlError, SqlClient.SqlClient> => ({
  description: `the mirror ${mirror}`,
  isStable: false,
  identifiers: pages<{ id: string }>(mirror, "id").pipe(
    Stream.zipWithIndex,
    Stream.map(([{ id }, index]) => ({ text: id, line: index + 1 }))
  )
})

/** The records of a mirror, each as it came, in the order of the identifiers. */
export const records = (
  mirror: string
): Stream.Stream<RawRecord.RawRecord, SqlError.SqlError, SqlClient.SqlClient> =>
  pages<{ id: string; records: string }>(mirror, "id, records").pipe(
    Stream.map((row) => elementsOf(row.records)),
    Stream.flattenIterable
  )

/** The rows of a mirror, page after page, so that a large one is never in memory as a whole. */
const pages = <Row extends { readonly id: string }>(
  mirror: string,
  columns: string
): Stream.Stream<Row, SqlError.SqlError, SqlClient.SqlClient> =>
  Stream.paginate("", (after) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<Row>`
        SELECT ${sql.literal(columns)} FROM chemstream_mirror
        WHERE mirror = ${mirror} AND id > ${after} ORDER BY id LIMIT ${atOnce}`
      const last = rows.at(-1)
      return [rows, last === undefined ? Option.none() : Option.some(last.id)] as const
    })
  )

const encoder = new TextEncoder()

// What was stored was cut from answers that were well formed.
const elementsOf = (array: string): ReadonlyArray<RawRecord.RawRecord> =>
  Result.getOrElse(RawArray.cut(encoder.encode(array)), () => [])
