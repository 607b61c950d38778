/**
 * Generates the detail record of a substance, with the documented fields that make sense for it.
 *
 * Identity, structure, formula, masses and assay counts agree with each other and with the other records. The
 * InChIKey has random letters and the flag N, non-standard; it is not a hash of an InChI, and there is no InChI.
 */

import type { Random } from "../numbers/seededRandom.ts"
import { averageMass, formula, hasIsotope, monoisotopicMass } from "../structures/elementalComposition.ts"
import { fingerprint } from "./fingerprint.ts"
import type { Substance } from "./numberedSubstance.ts"

/** The assays of a substance: active and tested. */
export interface AssayCounts {
  readonly active: number
  readonly total: number
}

const levels = [
  "Level 1: Expert curated, highest confidence in accuracy and consistency of unique chemical identifiers",
  "Level 2: Expert curated, unique chemical identifiers confirmed using multiple public sources",
  "Level 3: Programmatically curated from high quality source, unique chemical identifiers have no conflicts",
  "Level 4: Programmatically curated from a public list, unique chemical identifiers have no conflicts",
  "Level 5: Programmatically curated from a public list, low confidence in unique chemical identifiers"
]

/** Marks every generated record. */
const note = "Generated: there is no such substance"

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** A detail record. The records of the families depend on the fields that it names. */
export interface Detail {
  readonly expocatMedianPrediction: string | null
  readonly toxvalData: string | null
}

/** Returns the record. `withFingerprint` includes `descriptorStringTsv`. */
export const detail = (
  random: Random,
  substance: Substance,
  assays: AssayCounts | undefined,
  withFingerprint: boolean
): Detail => {
  const { number, structure } = substance
  const level = 1 + random.integerBelow(levels.length)
  const hasStructure = structure !== null
  const composition = structure?.composition
  const record = {
    id: String(number),
    dtxsid: substance.dtxsid,
    dtxcid: substance.dtxcid,
    casrn: substance.casrn,
    preferredName: substance.preferredName,
    iupacName: substance.systematicName,
    compoundId: hasStructure ? number : null,
    genericSubstanceId: number,
    smiles: structure?.smiles ?? null,
    msReadySmiles: structure?.msReadySmiles ?? null,
    qsarReadySmiles: structure?.msReadySmiles ?? null,
    inchiString: null,
    inchikey: hasStructure ? inchikey(random) : null,
    hasStructureImage: 0,
    isMarkush: substance.isMarkush,
    isotope: composition !== undefined && hasIsotope(composition) ? 1 : 0,
    multicomponent: hasStructure && structure.components > 1 ? 1 : 0,
    molFormula: composition === undefined ? null : formula(composition),
    monoisotopicMass: composition === undefined ? null : monoisotopicMass(composition),
    averageMass: composition === undefined ? null : averageMass(composition),
    stereo: hasStructure ? "0" : null,
    qcLevel: level,
    qcLevelDesc: levels[level - 1],
    qcNotes: note,
    activeAssays: assays?.active ?? null,
    totalAssays: assays?.total ?? null,
    percentAssays: assays === undefined ? null : Math.round((1000 * assays.active) / assays.total) / 10,
    assaySelect: assays === undefined ? null : `${assays.active}/${assays.total}`,
    cpdataCount: smallCountOrNull(random, 5),
    sourcesCount: 1 + (smallCountOrNull(random, 60) ?? 0),
    extdbCount: smallCountOrNull(random, 40),
    extdbCid: null,
    pubmedCount: smallCountOrNull(random, 20),
    relatedSubstanceCount: smallCountOrNull(random, 8),
    relatedStructureCount: smallCountOrNull(random, 8),
    pprtvLink: null,
    irisLink: null,
    encyclopediaArticle: null,
    expocat: null,
    nhanes: null,
    expocatMedianPrediction: hasStructure
      ? `${1 + random.integerBelow(9)}.${random.integerBelow(100)}e-0${5 + random.integerBelow(4)}`
      : null,
    toxvalData: random.integerBelow(10) === 0 ? "Y" : null,
    descriptorStringTsv: hasStructure && withFingerprint ? fingerprint(structure.features) : null
  }
  return record
}

const inchikey = (random: Random): string => `${randomLetters(random, 14)}-${randomLetters(random, 8)}NA-N`

const randomLetters = (random: Random, length: number): string => {
  let text = ""
  for (let i = 0; i < length; i++) text += letters[random.integerBelow(letters.length)]
  return text
}

// Half of the counts are unknown, and most of the others small, as in public data.
const smallCountOrNull = (random: Random, most: number): number | null => {
  if (random.integerBelow(2) === 0) return null
  // Squared, so that small counts are more frequent.
  const part = random.unit()
  return Math.floor(part * part * most)
}
