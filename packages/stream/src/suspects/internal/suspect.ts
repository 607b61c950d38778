/**
 * Makes and ranks suspects: the ion, the matched mass and the mass error of a substance for a feature.
 */
import { Adduct } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import { Structures } from "../../identifiers/Structures.ts"

type Raw = RawRecord.RawRecord

/** The identifiers of an MS-ready form. */
export interface MatchedForm {
  readonly inchi: string
  readonly inchikey: string
  readonly formula: string
}

/** A substance that may explain a feature. */
export interface Suspect extends Match {
  /** Its place among the suspects of the feature, from 1. */
  readonly rank: number
  /** The DTXSIDs of the other matches with the same skeleton, if such matches are merged. */
  readonly merged: ReadonlyArray<string>
  /** The number of suspects of the feature that were left out. */
  readonly more: number
}

/** A substance that may explain a feature, without its place among the others. */
export interface Match {
  readonly dtxsid: string
  /** The adduct of the feature. */
  readonly adduct: string
  /** The mass of the neutral molecule of the feature, in dalton. */
  readonly neutralMass: number
  /** The MS-ready form with the closest mass, and its mass in dalton. Null: no structure can be read. */
  readonly msReadySmiles: string | null
  readonly msReadyMass: number | null
  /** The mass that matches the feature: that of the substance, or of its MS-ready form. Null: both are unknown. */
  readonly matchedBy: "mass" | "msready" | null
  /** The identifiers of the MS-ready form, if its mass matched and it can be read. Otherwise null. */
  readonly matchedForm: MatchedForm | null
  /** The difference between the measured m/z and the m/z of the matched mass. */
  readonly error: Adduct.MassError | null
  /** The detail record. */
  readonly record: Raw
}

/** The largest difference between equal masses, in dalton, because services round. */
const sameMass = 1e-4

/** Returns the MS-ready forms of a record. A service may join several with commas. */
const formsOf = (record: Raw): ReadonlyArray<string> => {
  const value = RawRecord.value(record, "msReadySmiles")
  return typeof value === "string"
    ? value
        .split(",")
        .map((form) => form.trim())
        .filter((form) => form !== "")
    : []
}

/** Returns the net charge of a SMILES: the sum of the charges of its bracket atoms. */
export const chargeOf = (smiles: string): number =>
  Array.from(smiles.matchAll(/\[[^\]]*?([+-]+)(\d*)(?::\d+)?\]/g), ([, signs = "", count = ""]) => {
    const size = count === "" ? signs.length : Number(count)
    return signs.startsWith("+") ? size : -size
  }).reduce((sum, charge) => sum + charge, 0)

/** Returns the item with the closest mass. */
const closest = <A extends { readonly mass: number }>(all: ReadonlyArray<A>, mass: number): A | undefined =>
  all.reduce<A | undefined>(
    (best, one) =>
      best === undefined || Math.abs(one.mass - mass) < Math.abs(best.mass - mass) ? one : best,
    undefined
  )

/** Makes the match of a detail record, for an m/z and the adduct of its ion. Undefined: the charge of its form does not fit. */
export const make = (
  record: Raw,
  dtxsid: string,
  mz: number,
  adduct: Adduct.Adduct
): Effect.Effect<Match | undefined> =>
  Effect.gen(function* () {
    const structures = yield* Structures
    const neutralMass = Adduct.neutralMass(adduct, mz)
    const forms = yield* Effect.forEach(formsOf(record), (smiles) =>
      Effect.match(structures.mass(smiles), {
        onSuccess: (mass) => [{ smiles, mass }],
        onFailure: () => []
      })
    )
    const msReady = closest(forms.flat(), neutralMass)
    const value = RawRecord.value(record, "monoisotopicMass")
    const own = typeof value === "number" && value > 0 ? value : undefined
    const isOwn =
      own !== undefined &&
      (msReady === undefined ||
        Math.abs(own - neutralMass) <= Math.abs(msReady.mass - neutralMass) + sameMass)
    const matched = isOwn ? own : msReady?.mass
    const smiles = RawRecord.value(record, "smiles")
    const form = isOwn ? (typeof smiles === "string" ? smiles : "") : (msReady?.smiles ?? "")
    if (!Adduct.fits(adduct, chargeOf(form))) return undefined
    return {
      dtxsid,
      adduct: adduct.name,
      neutralMass,
      msReadySmiles: msReady?.smiles ?? formsOf(record)[0] ?? null,
      msReadyMass: msReady?.mass ?? null,
      matchedBy: matched === undefined ? null : isOwn ? "mass" : "msready",
      matchedForm: isOwn || msReady === undefined ? null : yield* formOf(msReady.smiles, structures),
      error: matched === undefined ? null : Adduct.massError(adduct, mz, matched),
      record
    }
  })

const formOf = (smiles: string, { inchi, inchikey }: Structures): Effect.Effect<MatchedForm | null> =>
  Effect.match(Effect.all([inchi(smiles), inchikey(smiles)]), {
    // The formula is the first layer of an InChI.
    onSuccess: ([text, key]) => ({ inchi: text, inchikey: key, formula: text.split("/")[1] ?? "" }),
    onFailure: () => null
  })

/** Returns a number of a record for the ranking. A text with a number counts. */
const numberOf = (record: Raw, field: string): number => {
  const value = RawRecord.value(record, field)
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : Number.NEGATIVE_INFINITY
}

/** How the matches of a feature are put in order. */
export interface Order {
  /** The fields of detail records, the most important first. Larger values come first. */
  readonly rankBy: ReadonlyArray<string>
  /** The most suspects of a feature. Default: all. */
  readonly best?: number | undefined
  /** What matches have in common that are one suspect. Default: nothing. */
  readonly merge?: "skeleton" | undefined
}

/**
 * Puts matches in order, and ranks them. Substances with a matching mass come before those with a matching form. The fields decide
 * next, and then the smaller error.
 */
export const ranked = (
  matches: ReadonlyArray<Match>,
  { best = matches.length, merge, rankBy }: Order
): ReadonlyArray<Suspect> => {
  const sorted = matches
    .map((match) => ({ match, keys: sortKeys(match, rankBy) }))
    .sort((one, other) => compare(one.keys, other.keys) || (one.match.dtxsid < other.match.dtxsid ? -1 : 1))
    .map(({ match }) => match)
  const groups = [...Map.groupBy(sorted, merge === undefined ? (one) => one : groupOf).values()]
  return groups.slice(0, best).map(([first, ...rest], at) => ({
    ...(first as Match),
    rank: at + 1,
    merged: [...new Set(rest.map(({ dtxsid }) => dtxsid))].filter((dtxsid) => dtxsid !== first?.dtxsid),
    more: Math.max(0, groups.length - best)
  }))
}

/** Returns the numbers by which a match is sorted, smaller first. */
const sortKeys = ({ error, matchedBy, record }: Match, rankBy: ReadonlyArray<string>) => [
  Number(matchedBy !== "mass"),
  ...rankBy.map((field) => -numberOf(record, field)),
  Math.abs(error?.ppm ?? Number.MAX_VALUE)
]

const compare = (ones: ReadonlyArray<number>, others: ReadonlyArray<number>): number => {
  const at = ones.findIndex((one, index) => one !== others[index])
  return at < 0 ? 0 : (ones[at] ?? 0) < (others[at] ?? 0) ? -1 : 1
}

/** Returns the skeleton of the form that matched, and the adduct. A match without an InChIKey is a group of its own. */
const groupOf = (match: Match): unknown => {
  const { adduct, matchedForm, record } = match
  const inchikey = matchedForm?.inchikey ?? RawRecord.value(record, "inchikey")
  return typeof inchikey === "string" && /^[A-Z]{14}/.test(inchikey)
    ? `${inchikey.slice(0, 14)} ${adduct}`
    : match
}
