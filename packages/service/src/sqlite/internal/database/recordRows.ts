/**
 * Makes the rows of a record from its text, so that the writing thread only writes.
 *
 * `substanceWrites.ts`, `recordWrites.ts` and `bioactivityWrites.ts` store the rows.
 */
import { SynonymRecord } from "@chemstream/api"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import * as dataRecordFacts from "../../../internal/records/dataRecordFacts.ts"
import { toStored } from "../../../internal/records/projectDetail.ts"
import type { StoredDetail } from "../../../Store.ts"
import type { BioactivityEntry, RecordEntry, SubstanceEntry } from "../../../StoreWriter.ts"
import * as msReadyForm from "../records/msReadyForm.ts"
import type { HitFields } from "../search/hitFields.ts"

/**
 * The row of a detail record: its two parts, its identifiers, the fields of its hits, and the values of searches by
 * formula and mass.
 */
export interface DetailRow extends StoredDetail {
  readonly dtxsid: string
  /** In Hill order. */
  readonly formula: string | null
  readonly msFormula: string | null
  readonly msMass: number | null
  readonly msSmiles: string | null
  /** By line of the group `identifiers`. Empty strings for missing identifiers. */
  readonly identifiers: ReadonlyArray<string>
  readonly hit: HitFields
}

/** The row of a synonym record, with its names by group. */
export interface SynonymRow extends SubstanceEntry {
  readonly registry: ReadonlyArray<string>
  readonly valid: ReadonlyArray<string>
  readonly good: ReadonlyArray<string>
  readonly other: ReadonlyArray<string>
}

/** The row of a bioactivity data record, with the facts for counting and sorting. */
export interface BioactivityRow extends BioactivityEntry {
  readonly facts: dataRecordFacts.AssayFacts
}

/** Makes the row. Throws if the text is not an object: a defect of the caller. */
export const toDetailRow = ({ dtxsid, record }: SubstanceEntry): DetailRow => {
  const fields = Result.getOrThrow(RawProjection.index(RawRecord.fromBytes(record)))
  const values = Result.getOrThrow(readIndexed(fields))
  const json = values.map((value) => (value === undefined ? "null" : RawRecord.toText(value)))
  const [dtxcid, casrn, smiles, name, hasStructureImage, isMarkush, inchikey, msReady, molFormula, mass] =
    json as [string, string, string, string, string, string, string, string, string, string]
  const msReadySmiles = textOf(msReady)
  const formula = msReadyForm.hill(textOf(molFormula))
  const monoisotopicMass: unknown = JSON.parse(mass)
  const form = msReadyForm.fromStructure({
    smiles: textOf(smiles),
    msReadySmiles,
    formula,
    monoisotopicMass: typeof monoisotopicMass === "number" ? monoisotopicMass : undefined
  })
  return {
    dtxsid,
    formula,
    msFormula: form.formula,
    msMass: form.mass,
    msSmiles: msReadySmiles ?? null,
    identifiers: [dtxsid, textOf(dtxcid) ?? "", textOf(casrn) ?? "", textOf(inchikey) ?? ""],
    hit: {
      dtxsid,
      dtxcid,
      casrn,
      smiles,
      name,
      hasStructureImage,
      isMarkush,
      approved: namesOf(JSON.parse(name))
    },
    ...toStored(fields)
  }
}

/** Makes the row. Throws if the text is not JSON: a defect of the caller. */
export const toSynonymRow = ({ dtxsid, record }: SubstanceEntry): SynonymRow => {
  const fields = JSON.parse(RawRecord.toText(RawRecord.fromBytes(record))) as Fields
  const { alternateCasrn, deletedCasrn, good, other, valid } = SynonymRecord.sort(fields)
  return { dtxsid, record, registry: [...alternateCasrn, ...deletedCasrn], valid, good, other }
}

/** Makes the row. Throws if the text is not an object: a defect of the caller. */
export const toBioactivityRow = ({ m4id, aeid, spid, dtxsid, record }: BioactivityEntry): BioactivityRow => ({
  m4id,
  aeid,
  spid,
  dtxsid,
  facts: dataRecordFacts.read(record),
  record
})

/** Makes the row, without parsing the record. */
export const toRecordRow = ({ endpoint, key, number, record }: RecordEntry): RecordEntry => ({
  endpoint,
  key,
  number,
  record
})

type Fields = Readonly<Record<string, unknown>>

// The fields of a hit after its identifier (docs/service.md, section 5.3), then those of the indexes.
const readIndexed = RawProjection.reader([
  "dtxcid",
  "casrn",
  "smiles",
  "preferredName",
  "hasStructureImage",
  "isMarkush",
  "inchikey",
  "msReadySmiles",
  "molFormula",
  "monoisotopicMass"
])

const textOf = (json: string): string | undefined => text(JSON.parse(json))

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

// Returns a name, or the names of a list.
const namesOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((item) => text(item) !== undefined)
