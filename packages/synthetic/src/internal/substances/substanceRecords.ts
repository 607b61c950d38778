/**
 * Generates all records of one substance, as bytes with their keys.
 *
 * Each substance has its own random numbers, so its records are the same in a data set of any size.
 */
import { doses, measurements } from "../assays/assayRecords.ts"
import { familyRecords, type RowName } from "../families/familyRecords.ts"
import type { Lists } from "../families/substanceLists.ts"
import * as Random from "../numbers/seededRandom.ts"
import { detail } from "./detailRecord.ts"
import { synonyms } from "./inventedNames.ts"
import { substance } from "./numberedSubstance.ts"

/** Collects the records of a batch. */
export interface Records {
  readonly details: Array<IdentifiedRecord>
  readonly synonyms: Array<IdentifiedRecord>
  readonly bioactivity: Array<
    IdentifiedRecord & { readonly m4id: number; readonly aeid: number; readonly spid: string }
  >
  readonly aed: Array<IdentifiedRecord & { readonly aeid: number }>
  readonly rows: { readonly [N in RowName]: Array<{ readonly record: Uint8Array }> }
}

interface IdentifiedRecord {
  readonly dtxsid: string
  readonly record: Uint8Array
}

/**
 * The settings of a data set. `tested` is the share of the substances with bioactivity data, and `families` that of the
 * substances with records of the families, from 0 to 1.
 */
export interface Settings {
  readonly seed: number
  readonly tested: number
  readonly families: number
  readonly fingerprints: boolean
}

/** Adds the records of the substance at `index`, from 0, and adds it to some lists. */
export const addRecords = (records: Records, settings: Settings, index: number, lists: Lists): void => {
  const { fingerprints, seed, tested } = settings
  const random = Random.make(seed, index)
  const described = substance(seed, index, random)
  const { dtxsid } = described
  const synonymNames = synonyms(random, described)
  if (synonymNames !== undefined) {
    const record = {
      dtxsid,
      pcCode: null,
      ...synonymNames,
      beilstein: null,
      alternateCasrn: null,
      deletedCasrn: null
    }
    records.synonyms.push({ dtxsid, record: encode(record) })
  }
  // Drawn even if `tested` is 0, so that the other records of a substance do not depend on it.
  const chance = random.unit()
  const assayRandom = Random.make(seed ^ assayStream, index)
  const measured = chance < tested ? measurements(assayRandom, described) : undefined
  const counts = measured && {
    active: measured.filter(({ active }) => active).length,
    total: measured.length
  }
  const details = detail(random, described, counts, fingerprints)
  records.details.push({ dtxsid, record: encode(details) })
  const familyRandom = Random.make(seed ^ familyStream, index)
  if (familyRandom.unit() < settings.families) {
    lists.add(familyRandom, dtxsid)
    for (const [row, list] of Object.entries(familyRecords(familyRandom, described, details))) {
      for (const record of list) records.rows[row as RowName].push({ record: encode(record) })
    }
  }
  if (measured === undefined) return
  for (const { aeid, m4id, record, spid } of measured) {
    records.bioactivity.push({ m4id, aeid, spid, dtxsid, record: encode(record) })
  }
  for (const { aeid, record } of doses(assayRandom, described, measured)) {
    records.aed.push({ dtxsid, aeid, record: encode(record) })
  }
}

/** Separates the random numbers of assays from those of substances. */
const assayStream = 0x5eed

/** Separates the random numbers of the families from those of substances. */
const familyStream = 0xfa417

const encoder = new TextEncoder()

/** Returns a record as bytes. */
export const encode = (record: object): Uint8Array => encoder.encode(JSON.stringify(record))
