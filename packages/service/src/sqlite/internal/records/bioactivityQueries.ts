/**
 * The SQL of bioactivity data and summaries. `bioactivityWrites` writes them.
 *
 * `internal/records` decides which records are active and computes statistics. The table stores these facts beside
 * each record, so that counting and sorting need no parsing.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { Option } from "effect"
import * as cytotoxicity from "../../../internal/records/cytotoxicity.ts"
import * as dataRecordFacts from "../../../internal/records/dataRecordFacts.ts"
import * as tissueSummary from "../../../internal/records/tissueSummary.ts"
import type { AssayCounts, BioactivityQueries, StoredRecord } from "../../../Store.ts"
import { pager } from "../database/batchPages.ts"
import { attempt } from "../database/databaseErrors.ts"
import { arraysOf, inSnapshot } from "../database/sqlReads.ts"
import { cytotoxicityRows, type EndpointRow, toEndpointResult } from "../writes/bioactivityWrites.ts"

const selectCounts = `SELECT
     coalesce(sum(single = 0 AND active), 0) AS activeMc, coalesce(sum(single = 0), 0) AS totalMc,
     coalesce(sum(single = 1 AND active), 0) AS activeSc, coalesce(sum(single = 1), 0) AS totalSc
   FROM bioactivity`

export const queries = (file: string, database: DatabaseSync): BioactivityQueries => {
  const arrays = arraysOf(database)
  const page = pager(file, database)
  const dataOf = (column: string) =>
    arrays(`SELECT m4id, record FROM bioactivity WHERE ${column} = ? AND m4id > ? ORDER BY m4id`)
  const byDtxsid = dataOf("dtxsid")
  const byAeid = dataOf("aeid")
  const bySpid = dataOf("spid")
  const byM4id = dataOf("m4id")
  const countsOfAeid = database.prepare(`${selectCounts} WHERE aeid = ?`)
  const countsOfDtxsid = database.prepare(`${selectCounts} WHERE dtxsid = ?`)
  const endpointRows = database.prepare(`SELECT aeid, hitc, ac50 ${cytotoxicityRows} AND dtxsid = ?`)
  const globalMad = database.prepare("SELECT global_mad FROM cytotoxicity")
  // SQLite sorts null first.
  const recordsOfTissue = arrays(
    `SELECT record FROM bioactivity WHERE dtxsid = ? AND tissue = ?
     ORDER BY single, hitc DESC, ac50 IS NULL, ac50, m4id LIMIT ?`
  )
  const countsOf = (statement: StatementSync, value: string | number): Option.Option<AssayCounts> =>
    Option.filter(
      Option.some({ ...statement.get(value) } as unknown as AssayCounts),
      ({ totalMc, totalSc }) => totalMc + totalSc > 0
    )
  return {
    dataByDtxsid: (dtxsids, from) => attempt(file, () => page(byDtxsid, dtxsids, from)),
    dataByAeid: (aeids, from) => attempt(file, () => page(byAeid, aeids, from)),
    dataBySpid: (spids, from) => attempt(file, () => page(bySpid, spids, from)),
    dataByM4id: (m4ids, from) => attempt(file, () => page(byM4id, m4ids, from)),
    endpointCounts: (aeid) => attempt(file, () => countsOf(countsOfAeid, aeid)),
    chemicalSummary: (dtxsid) =>
      attempt(file, () =>
        inSnapshot(database, () =>
          Option.map(countsOf(countsOfDtxsid, dtxsid), (counts) => {
            const rows = endpointRows.all(dtxsid) as unknown as ReadonlyArray<EndpointRow>
            const mad = (globalMad.get()?.["global_mad"] ?? null) as number | null
            return toBytes({ dtxsid, ...counts, ...cytotoxicity.statistics(rows.map(toEndpointResult), mad) })
          })
        )
      ),
    tissueSummaries: (dtxsid, tissue, limit) =>
      attempt(file, () => {
        const rows = recordsOfTissue.all(dtxsid, dataRecordFacts.foldTissue(tissue), limit)
        return (rows as unknown as ReadonlyArray<readonly [StoredRecord]>).map(([record]) =>
          toBytes(tissueSummary.fromRecord(record))
        )
      })
  }
}

const toBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
