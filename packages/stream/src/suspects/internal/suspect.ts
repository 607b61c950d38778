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
export interface Suspect {
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

/** Returns the item with the closest mass. */
const closest = <A extends { readonly mass: number }>(all: ReadonlyArray<A>, mass: number): A | undefined =>
  all.reduce<A | undefined>(
    (best, one) =>
      best === undefined || Math.abs(one.mass - mass) < Math.abs(best.mass - mass) ? one : best,
    undefined
  )

/** Makes the suspect of a detail record, for an m/z and the adduct of its ion. */
export const make = (
  record: Raw,
  dtxsid: string,
  mz: number,
  adduct: Adduct.Adduct
): Effect.Effect<Suspect> =>
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

/** Sorts suspects by these fields, larger values first, then by the smaller error. Own masses come before masses of forms. */
export const ranked = (
  suspects: ReadonlyArray<Suspect>,
  fields: ReadonlyArray<string>
): ReadonlyArray<Suspect> =>
  suspects
    .map((suspect) => ({ suspect, ranks: fields.map((field) => numberOf(suspect.record, field)) }))
    .sort((one, other) => {
      for (const [at, rank] of one.ranks.entries()) {
        const its = other.ranks[at] ?? Number.NEGATIVE_INFINITY
        if (rank !== its) return its > rank ? 1 : -1
      }
      const error = ({ suspect }: typeof one): number => Math.abs(suspect.error?.ppm ?? Number.MAX_VALUE)
      const isForm = ({ suspect }: typeof one): number => Number(suspect.matchedBy === "msready")
      return (
        error(one) - error(other) ||
        isForm(one) - isForm(other) ||
        (one.suspect.dtxsid < other.suspect.dtxsid ? -1 : 1)
      )
    })
    .map(({ suspect }) => suspect)
