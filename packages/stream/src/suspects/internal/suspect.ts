/**
 * A substance that a feature may be: as which ion, by which of its masses, how far off, and how it ranks.
 */
import { Adduct } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import { Structures } from "../../identifiers/Structures.ts"

type Raw = RawRecord.RawRecord

/** What an MS-ready form is known by. */
export interface MatchedForm {
  readonly inchi: string
  readonly inchikey: string
  readonly formula: string
}

/** A substance that a feature may be. */
export interface Suspect {
  readonly dtxsid: string
  /** The ion that the feature would be of it. */
  readonly adduct: string
  /** The mass of the molecule that the feature would be an ion of, in dalton. */
  readonly neutralMass: number
  /** The MS-ready form that is closest to it, and its mass. Null where no structure can be read. */
  readonly msReadySmiles: string | null
  readonly msReadyMass: number | null
  /** Which mass it has in common with the feature: its own, or that of its MS-ready form. Null where both are unknown. */
  readonly matchedBy: "mass" | "msready" | null
  /**
   * The identifiers of the MS-ready form that was matched instead of the substance's own structure; null where it was not,
   * and where it cannot be read.
   */
  readonly matchedForm: MatchedForm | null
  /** How far the measured m/z is from that of the matched mass. */
  readonly error: Adduct.MassError | null
  /** The detail record. */
  readonly record: Raw
}

/** Two masses that differ by less are the same: as far as services round. */
const sameMass = 1e-4

/** The MS-ready forms of a record: a service may join several with commas. */
const formsOf = (record: Raw): ReadonlyArray<string> => {
  const value = RawRecord.value(record, "msReadySmiles")
  return typeof value === "string"
    ? value
        .split(",")
        .map((form) => form.trim())
        .filter((form) => form !== "")
    : []
}

/** The closest of some masses. */
const closest = <A extends { readonly mass: number }>(all: ReadonlyArray<A>, mass: number): A | undefined =>
  all.reduce<A | undefined>(
    (best, one) =>
      best === undefined || Math.abs(one.mass - mass) < Math.abs(best.mass - mass) ? one : best,
    undefined
  )

/** What a record is to a feature of this m/z, seen as this ion. */
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
    // The formula is the first layer.
    onSuccess: ([text, key]) => ({ inchi: text, inchikey: key, formula: text.split("/")[1] ?? "" }),
    onFailure: () => null
  })

/** A number of a record, by which suspects are ranked; a text that is one counts. */
const numberOf = (record: Raw, field: string): number => {
  const value = RawRecord.value(record, field)
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : Number.NEGATIVE_INFINITY
}

/** The suspects in order of these fields, larger first; then the smaller error, then the identifier. */
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
      return error(one) - error(other) || (one.suspect.dtxsid < other.suspect.dtxsid ? -1 : 1)
    })
    .map(({ suspect }) => suspect)
