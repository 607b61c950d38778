/**
 * How bioactivity data and AED data are written, and what is computed from all data records. Loads as little as it can:
 * the thread that writes loads it.
 */
import type { DatabaseSync } from "node:sqlite"
import type * as cytotoxicity from "../../../internal/records/cytotoxicity.ts"
import type { AedRow, BioactivityRow } from "../database/rows.ts"

/** The data records that cytotoxicity is computed from. */
export const ofCytotoxicity: string =
  "FROM bioactivity WHERE cytotoxicity = 1 AND single = 0 AND dtxsid IS NOT NULL"

/** What is read of such a record. */
export interface TestedRow {
  readonly dtxsid: string
  readonly aeid: number
  readonly hitc: number | null
  readonly ac50: number | null
}

/** What is written, within a transaction of the caller's. */
export interface Writes {
  readonly putBioactivity: (rows: ReadonlyArray<BioactivityRow>) => void
  readonly putAed: (rows: ReadonlyArray<AedRow>) => void
  /** Brings the global MAD up to date, where a data record has been put since the last time. */
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
      // Loaded when it is needed: it brings in more than all the rest.
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

/** All of them are of multi-concentration screening, however many concentrations that were. */
export const toTested = ({ aeid, hitc, ac50 }: TestedRow): cytotoxicity.Tested => ({
  aeid,
  hitc,
  ac50,
  nconc: null
})

// The rows of one chemical after those of another, as they come.
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
