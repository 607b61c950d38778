/**
 * Matches a substance with a feature: its ion, the mass that matches, and the mass error. `suspectRanking.ts` makes suspects of matches.
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
    const forms = yield* Effect.forEach(formsOf(record), (form) =>
      Effect.match(structures.mass(form), {
        onSuccess: (mass) => [{ smiles: form, mass }],
        onFailure: () => []
      })
    )
    const msReady = closest(forms.flat(), neutralMass)
    const value = RawRecord.value(record, "monoisotopicMass")
    const ownMass = typeof value === "number" && value > 0 ? value : undefined
    // The mass of the substance counts, unless an MS-ready form is clearly closer.
    const isOwn =
      ownMass !== undefined &&
      (msReady === undefined ||
        Math.abs(ownMass - neutralMass) <= Math.abs(msReady.mass - neutralMass) + sameMass)
    const matched = isOwn ? ownMass : msReady?.mass
    const smiles = RawRecord.value(record, "smiles")
    // The structure whose charge decides whether the adduct fits.
    const matchedSmiles = isOwn ? (typeof smiles === "string" ? smiles : "") : (msReady?.smiles ?? "")
    if (!Adduct.fits(adduct, chargeOf(matchedSmiles))) return undefined
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
