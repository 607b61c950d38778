/**
 * What is written of a record, made from its text: all that needs no database, so that a thread that writes has nothing
 * else to do. What is stored where is `substances`', `synonyms`' and `bioactivity`'s.
 */
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import * as assayFacts from "../../internal/assayFacts.ts"
import { toStored } from "../../internal/projection.ts"
import type { StoredDetail } from "../../Store.ts"
import type { BioactivityEntry, SubstanceEntry } from "../../StoreWriter.ts"
import type { Shown } from "./hits.ts"
import * as msReadyForm from "./msReadyForm.ts"

/**
 * A detail record: what formula and mass searches look at, its identifiers, what a hit shows, and the two parts it is
 * kept in.
 */
export interface DetailRow extends StoredDetail {
  readonly dtxsid: string
  /** In Hill order. */
  readonly formula: string | null
  readonly msFormula: string | null
  readonly msMass: number | null
  readonly msSmiles: string | null
  /** By the place of its line in the group: empty where the record has none. */
  readonly identifiers: ReadonlyArray<string>
  readonly shown: Shown
}

/** A synonym record and its names by group. */
export interface SynonymRow extends SubstanceEntry {
  readonly registry: ReadonlyArray<string>
  readonly valid: ReadonlyArray<string>
  readonly good: ReadonlyArray<string>
  readonly other: ReadonlyArray<string>
}

/** A bioactivity data record and what it is counted and chosen by. */
export interface BioactivityRow extends BioactivityEntry {
  readonly facts: assayFacts.AssayFacts
}

/** An AED record. */
export interface AedRow extends SubstanceEntry {
  readonly aeid: number
}

/** Throws where the text is not an object: a defect of the caller. */
export const toDetailRow = ({ dtxsid, record }: SubstanceEntry): DetailRow => {
  const picked = Result.getOrThrow(pickIndexed(RawRecord.fromBytes(record)))
  const fields = JSON.parse(RawRecord.toText(picked)) as Fields
  const smiles = text(fields["smiles"])
  const msReadySmiles = text(fields["msReadySmiles"])
  const formula = msReadyForm.hill(text(fields["molFormula"]))
  const mass = fields["monoisotopicMass"]
  const monoisotopicMass = typeof mass === "number" ? mass : undefined
  const form = msReadyForm.of({ smiles, msReadySmiles, formula, monoisotopicMass })
  return {
    dtxsid,
    formula,
    msFormula: form.formula,
    msMass: form.mass,
    msSmiles: msReadySmiles ?? null,
    identifiers: [
      dtxsid,
      text(fields["dtxcid"]) ?? "",
      text(fields["casrn"]) ?? "",
      text(fields["inchikey"]) ?? ""
    ],
    shown: toShown(dtxsid, picked, texts(fields["preferredName"])),
    ...toStored(record)
  }
}

const toShown = (dtxsid: string, picked: RawRecord.RawRecord, approved: ReadonlyArray<string>): Shown => {
  const hit = Result.getOrThrow(RawRecord.entries(Result.getOrThrow(pickHit(picked))))
  const [dtxcid, casrn, smiles, name, hasStructureImage, isMarkush] = hit.map(({ value }) =>
    RawRecord.toText(value)
  ) as [string, string, string, string, string, string]
  return { dtxsid, dtxcid, casrn, smiles, name, hasStructureImage, isMarkush, approved }
}

/** Throws where the text is not JSON: a defect of the caller. */
export const toSynonymRow = ({ dtxsid, record }: SubstanceEntry): SynonymRow => {
  const fields = JSON.parse(RawRecord.toText(RawRecord.fromBytes(record))) as Fields
  return {
    dtxsid,
    record,
    registry: [...texts(fields["alternateCasrn"]), ...texts(fields["deletedCasrn"])],
    valid: texts(fields["valid"]),
    good: texts(fields["good"]),
    other: texts(fields["other"])
  }
}

/** Throws where the text is not an object: a defect of the caller. */
export const toBioactivityRow = ({ m4id, aeid, spid, dtxsid, record }: BioactivityEntry): BioactivityRow => ({
  m4id,
  aeid,
  spid,
  dtxsid,
  facts: assayFacts.read(record),
  record
})

/** Nothing of an AED record is looked at. */
export const toAedRow = ({ dtxsid, aeid, record }: AedRow): AedRow => ({ dtxsid, aeid, record })

type Fields = Readonly<Record<string, unknown>>

// The fields of a hit that are the record's own, after its identifier (specification, section 2.2).
const hitFields = ["dtxcid", "casrn", "smiles", "preferredName", "hasStructureImage", "isMarkush"]

const pickHit = RawProjection.picker(hitFields, { missing: "null" })

// A short record to parse: the fingerprint alone is half of a whole one.
const pickIndexed = RawProjection.picker(
  [...hitFields, "inchikey", "msReadySmiles", "molFormula", "monoisotopicMass"],
  { missing: "omit" }
)

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

// A name, or a list of names.
const texts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((item) => text(item) !== undefined)
