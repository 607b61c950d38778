/**
 * Computes the detail records of the bundled substances for the build step.
 *
 * `substanceWrites.ts` has the facts; `structure.ts` and `msReady.ts` compute fields from the structure. Every other field
 * (assay and source counts, links, measured and predicted properties, curation level) is null, so nothing is
 * invented.
 */
import { DetailProjection, type DetailRecord, type SynonymRecord } from "@chemstream/api"
import { Data } from "effect"
import { msReady } from "./msReady.ts"
import { fromSmiles, loadRDKit, type RDKit } from "./structure.ts"
import { type SubstanceFacts, substances } from "./substances.ts"

/** Identifiers with numbers from here on are fictitious (see substances.ts). */
export const firstFictitiousNumber = 99_000_001

/** A substance of the bundled table cannot be computed. The build stops. */
export class SubstanceError extends Data.TaggedError("SubstanceError")<{
  readonly dtxsid: string
  readonly message: string
  readonly cause: unknown
}> {}

/**
 * Computes the full detail record (docs/service.md, section 5.1, projection `ccdchemicaldetails`) of one
 * substance.
 *
 * `id` is the number of the substance as text. `qsarReadySmiles` is the MS-ready form, because the same steps
 * make both. `descriptorStringTsv` is RDKit's Morgan fingerprint folded to 729 bits, not a set of named
 * fragments. `qcNotes` names fictitious identifiers, and is null if both are real.
 *
 * Throws `SubstanceError` with the name of the substance if its structure cannot be computed.
 *
 * @example
 * const rdkit = await loadRDKit()
 * detailRecord(rdkit, substances[0]).molFormula // "C6H6"
 */
export const detailRecord = (rdkit: RDKit, facts: SubstanceFacts): DetailRecord.DetailRecord => {
  try {
    const ready = msReady(rdkit, facts.smiles)
    return {
      ...unknown,
      ...fromSmiles(rdkit, facts.smiles),
      id: String(numberOf(facts.dtxsid)),
      dtxsid: facts.dtxsid,
      dtxcid: facts.dtxcid,
      casrn: facts.casrn,
      preferredName: facts.preferredName,
      iupacName: facts.iupacName ?? null,
      compoundId: numberOf(facts.dtxcid),
      genericSubstanceId: numberOf(facts.dtxsid),
      smiles: facts.smiles,
      msReadySmiles: ready,
      qsarReadySmiles: ready,
      hasStructureImage: 1,
      isMarkush: false,
      qcNotes: fictitiousNote(facts)
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SubstanceError({
      dtxsid: facts.dtxsid,
      message: `${facts.preferredName} (${facts.dtxsid}) cannot be computed: ${why}. Correct its SMILES in bundled/substances.ts.`,
      cause
    })
  }
}

/**
 * Makes the synonym record of one substance (docs/service.md, section 5.4). Its synonyms are `good`: reviewed, but
 * not validated by experts.
 */
export const synonymRecord = (facts: SubstanceFacts): SynonymRecord.SynonymRecord => ({
  beilstein: null,
  alternateCasrn: null,
  dtxsid: facts.dtxsid,
  pcCode: null,
  deletedCasrn: null,
  other: null,
  valid: null,
  good: facts.synonyms
})

/**
 * Computes the detail records of all bundled substances, in the order of the table. Rejects with `SubstanceError` at
 * the first substance that cannot be computed. Takes about a second.
 *
 * @example
 * const records = await detailRecords()
 * records.length === substances.length // true
 */
export const detailRecords = async (): Promise<ReadonlyArray<DetailRecord.DetailRecord>> => {
  const rdkit = await loadRDKit()
  return substances.map((facts) => detailRecord(rdkit, facts))
}

// All fields of the contract as null, so that no field is absent from a record.
const unknown = Object.fromEntries(
  Object.keys(DetailProjection.fields.ccdchemicaldetails).map((field) => [field, null])
) as { readonly [F in keyof typeof DetailProjection.fields.ccdchemicaldetails]: null }

const numberOf = (identifier: string): number => Number(identifier.slice("DTXSID0".length))

const fictitiousNote = (facts: SubstanceFacts): string | null => {
  const fictitious = [facts.dtxsid, facts.dtxcid].filter((id) => numberOf(id) >= firstFictitiousNumber)
  return fictitious.length === 0
    ? null
    : `Fictitious identifier, since no real one was confirmed: ${fictitious.join(", ")}`
}
