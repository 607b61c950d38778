/**
 * Writes bioactivity and AED data, and the values computed from all data records. Loads as little as possible, for
 * the writing thread.
 */
import type { DatabaseSync } from "node:sqlite"
import type * as cytotoxicity from "../../../internal/records/cytotoxicity.ts"
import type { AedRow, BioactivityRow } from "../database/rows.ts"

/** The data records of the cytotoxicity statistics. */
export const ofCytotoxicity: string =
  "FROM bioactivity WHERE cytotoxicity = 1 AND single = 0 AND dtxsid IS NOT NULL"

/** The read columns of such a record. */
export interface TestedRow {
  readonly dtxsid: string
  readonly aeid: number
  readonly hitc: number | null
  readonly ac50: number | null
}

/** The writes, within a transaction of the caller. */
export interface Writes {
  readonly putBioactivity: (rows: ReadonlyArray<BioactivityRow>) => void
  readonly putAed: (rows: ReadonlyArray<AedRow>) => void
  /** Updates the global MAD if data records have changed. */
  readonly finishBioactivity: () => Promise<void>
}

export const writes = (database: DatabaseSync): Writes => {
  const data = database.prepare("INSERT OR REPLACE INTO bioactivity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  const aed = database.prepare("INSERT OR REPLACE INTO aed VALUES (?, ?, ?)")
  const tested = database.prepare(`SELECT dtxsid, aeid, hitc, ac50 ${ofCytotoxicity} ORDER BY dtxsid`)
  const forget = database.prepare("DELETE FROM cytotoxicity")
  const remember = database.prepare("INSERT INTO cytotoxicity VALUES (?)")
  let outdated = false
  return {
    putBioactivity: (rows) => {
      outdated = true
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
    putAed: (rows) => {
      for (const { dtxsid, aeid, record } of rows) aed.run(dtxsid, aeid, record)
    },
    finishBioactivity: async () => {
      if (!outdated) return
      // Loaded when needed, because it needs more memory than all the rest.
      const { mad, median } = await import("../../../internal/records/cytotoxicity.ts")
      const mads: Array<number> = []
      for (const chemical of chemicals(tested.iterate() as unknown as Iterable<TestedRow>)) {
        const ofChemical = mad(chemical)
        if (ofChemical !== null) mads.push(ofChemical)
      }
      forget.run()
      remember.run(median(mads))
      outdated = false
    }
  }
}

/** They count as multi-concentration screening, whatever their number of concentrations. */
export const toTested = ({ aeid, hitc, ac50 }: TestedRow): cytotoxicity.Tested => ({
  aeid,
  hitc,
  ac50,
  nconc: null
})

// Groups consecutive rows by chemical.
function* chemicals(rows: Iterable<TestedRow>): Generator<ReadonlyArray<cytotoxicity.Tested>, void> {
  let current: string | undefined
  let of: Array<cytotoxicity.Tested> = []
  for (const row of rows) {
    if (row.dtxsid !== current && of.length > 0) {
      yield of
      of = []
    }
    current = row.dtxsid
    of.push(toTested(row))
  }
  if (of.length > 0) yield of
}
