/**
 * Generates all records of one substance, as bytes with their keys.
 *
 * Each substance has its own random numbers, so its records are the same in a data set of any size.
 */
import { doses, measurements } from "../assays/assayRecords.ts"
import * as Random from "../numbers/random.ts"
import { detail } from "./detailRecord.ts"
import { synonyms } from "./names.ts"
import { substance } from "./substance.ts"

/** Collects the records of a batch. */
export interface Records {
  readonly details: Array<IdentifiedRecord>
  readonly synonyms: Array<IdentifiedRecord>
  readonly bioactivity: Array<
    IdentifiedRecord & { readonly m4id: number; readonly aeid: number; readonly spid: string }
  >
  readonly aed: Array<IdentifiedRecord & { readonly aeid: number }>
}

interface IdentifiedRecord {
  readonly dtxsid: string
  readonly record: Uint8Array
}

/** The settings of a data set. `tested` is the share of the substances with bioactivity data, from 0 to 1. */
export interface Settings {
  readonly seed: number
  readonly tested: number
  readonly fingerprints: boolean
}

/** Adds the records of the substance at `index`, from 0. */
export const addRecords = (
  records: Records,
  { fingerprints, seed, tested }: Settings,
  index: number
): void => {
  const random = Random.make(seed, index)
  const described = substance(seed, index, random)
  const { dtxsid } = described
  const synonymNames = synonyms(random, {
    preferred: described.preferredName,
    systematic: described.systematicName,
    index: described.indexName,
    common: described.commonName
  })
  if (synonymNames !== undefined) {
    const record = {
      dtxsid,
      pcCode: null,
      valid: synonymNames.valid,
      good: synonymNames.good,
      other: synonymNames.other,
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
  records.details.push({ dtxsid, record: encode(detail(random, described, counts, fingerprints)) })
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

const encoder = new TextEncoder()

const encode = (record: object): Uint8Array => encoder.encode(JSON.stringify(record))
