/**
 * Writes bioactivity data, and the median of the median absolute deviations (MAD) of all chemicals, which
 * `cytotoxicity.ts` explains. Imports few modules, because the writing thread loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type * as cytotoxicity from "../../../internal/records/cytotoxicity.ts"
import type { BioactivityRow } from "../database/recordRows.ts"

/** Selects the data records of the cytotoxicity statistics, in SQL. */
export const cytotoxicityRows: string =
  "FROM bioactivity WHERE cytotoxicity = 1 AND single = 0 AND dtxsid IS NOT NULL"

/** The columns of such a record. */
export interface EndpointRow {
  readonly dtxsid: string
  readonly aeid: number
  readonly hitc: number | null
  readonly ac50: number | null
}

/** The writes. The caller has a transaction open. */
export interface Writes {
  readonly putBioactivity: (rows: ReadonlyArray<BioactivityRow>) => void
  /** Updates the global MAD if data records were put. */
  readonly finishBioactivity: () => Promise<void>
}

export const writes = (database: DatabaseSync): Writes => {
  const data = database.prepare("INSERT OR REPLACE INTO bioactivity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  const selectRows = database.prepare(`SELECT dtxsid, aeid, hitc, ac50 ${cytotoxicityRows} ORDER BY dtxsid`)
  const deleteMad = database.prepare("DELETE FROM cytotoxicity")
  const insertMad = database.prepare("INSERT INTO cytotoxicity VALUES (?)")
  let isOutdated = false
  return {
    putBioactivity: (rows) => {
      isOutdated = true
      for (const { m4id, aeid, spid, dtxsid, facts, record } of rows) {
        data.run(
          m4id,
          aeid,
          spid,
          dtxsid,
          Number(facts.isSingle),
          Number(facts.isActive),
          Number(facts.isCytotoxicity),
          facts.hitc,
          facts.ac50,
          facts.tissue,
          record
        )
      }
    },
    finishBioactivity: async () => {
      if (!isOutdated) return
      // Loaded when needed, because it needs more memory than the rest.
      const { mad, median } = await import("../../../internal/records/cytotoxicity.ts")
      const mads: Array<number> = []
      for (const chemical of chemicals(selectRows.iterate() as unknown as Iterable<EndpointRow>)) {
        const ofChemical = mad(chemical)
        if (ofChemical !== null) mads.push(ofChemical)
      }
      deleteMad.run()
      insertMad.run(median(mads))
      isOutdated = false
    }
  }
}

/**
 * Makes the result of a row. `cytotoxicityRows` selects multi-concentration screening only, so `nconc` does not
 * matter.
 */
export const toEndpointResult = ({ aeid, hitc, ac50 }: EndpointRow): cytotoxicity.EndpointResult => ({
  aeid,
  hitc,
  ac50,
  nconc: null
})

// Groups consecutive rows by chemical.
function* chemicals(
  rows: Iterable<EndpointRow>
): Generator<ReadonlyArray<cytotoxicity.EndpointResult>, void> {
  let current: string | undefined
  let results: Array<cytotoxicity.EndpointResult> = []
  for (const row of rows) {
    if (row.dtxsid !== current && results.length > 0) {
      yield results
      results = []
    }
    current = row.dtxsid
    results.push(toEndpointResult(row))
  }
  if (results.length > 0) yield results
}
