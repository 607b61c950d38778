/** Plans the rest of a harvest: counts the requests for its chunks that are not recorded, without sending any. */
import type { ChemClient, ChemError } from "@chemstream/client"
import { type Enrich, Plan } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Fetch from "../../Fetch.ts"
import * as items from "./chunkItems.ts"
import type * as harvestRow from "./harvestRow.ts"

/** The requests that the rest of a harvest takes. */
export interface Rest {
  /** Identifiers without an outcome, with duplicates. */
  readonly identifiers: number
  /** The fewest requests. */
  readonly least: number
  /** The most requests. Undefined: the harvest decides, e.g. by a lookup of the program. */
  readonly most: number | undefined
}

/** Returns the plan of a harvest. A mirror requests only the records that are due. */
export const of = (
  row: harvestRow.Row
): Effect.Effect<
  Rest,
  ChemError.ChemError | Enrich.Incomplete | SqlError.SqlError,
  SqlClient.SqlClient | ChemClient.ChemClient
> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const chunks = yield* sql<{ readonly items: string }>`
      SELECT items FROM chemstream_chunks AS chunk WHERE harvest = ${row.id} AND NOT EXISTS (
        SELECT 1 FROM chemstream_progress AS done WHERE done.harvest = chunk.harvest AND done.idx = chunk.idx
      ) ORDER BY idx`
    const { fetch, sink, strictIds } = row.definition ?? {}
    const lookup = fetch === undefined || "own" in fetch ? undefined : Fetch.lookup(fetch)
    let identifiers = 0
    let requests: Omit<Rest, "identifiers"> = { least: 0, most: lookup === undefined ? undefined : 0 }
    for (const chunk of chunks) {
      const decoded = items.decode(chunk.items)
      identifiers += decoded.length
      if (lookup === undefined) continue
      const plan = yield* Plan.of(Stream.fromIterable(decoded), lookup, { strictIds }).pipe(
        Effect.catchTag("InvalidOption", Effect.die)
      )
      requests = Plan.sum([requests, plan])
    }
    return { identifiers, ...requests, ...(sink?._tag === "Mirror" ? { least: 0 } : {}) }
  })
