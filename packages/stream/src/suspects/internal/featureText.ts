/**
 * A feature as the one text that a run asks for: its m/z, and its adduct where it has one.
 */
import { Adduct, InvalidIdentifier } from "@chemstream/api"
import { Result } from "effect"

/** What is looked for of a feature: its m/z as each of these ions. */
export interface Hypotheses {
  readonly mz: number
  readonly adducts: ReadonlyArray<Adduct.Adduct>
}

const separator = "\u001f"

/** A feature as one text. */
export const join = (mz: string, adduct: string | undefined): string =>
  adduct === undefined || adduct.trim() === "" ? mz : `${mz}${separator}${adduct}`

/** A feature as people see it. */
export const shown = (text: string): string => text.replace(separator, " ")

/** The largest m/z: beyond any single molecule. */
const largestMz = 1_000_000

const refuse = (value: string, reason: string): Result.Result<never, InvalidIdentifier.InvalidIdentifier> =>
  Result.fail(
    new InvalidIdentifier.InvalidIdentifier({
      identifier: "m/z",
      value,
      reason: "malformed",
      message: `${JSON.stringify(value.slice(0, 60))} is not an m/z: ${reason}`
    })
  )

const mzOf = (text: string): Result.Result<number, InvalidIdentifier.InvalidIdentifier> => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return value > 0 && value <= largestMz
    ? Result.succeed(value)
    : refuse(text, `it is no number from 0 to ${largestMz}`)
}

/** What a feature may be: its own adduct, else these. */
export const read = (
  text: string,
  otherwise: ReadonlyArray<Adduct.Adduct>
): Result.Result<Hypotheses, InvalidIdentifier.InvalidIdentifier> => {
  const [mz = "", adduct] = text.split(separator)
  return Result.flatMap(mzOf(mz), (value) => {
    const own =
      adduct === undefined
        ? Result.succeed(otherwise)
        : Result.map(Adduct.parse(adduct), (one): ReadonlyArray<Adduct.Adduct> => [one])
    return Result.flatMap(own, (all) => {
      const adducts = all.filter((one) => Adduct.neutralMass(one, value) > 0)
      return adducts.length > 0
        ? Result.succeed({ mz: value, adducts })
        : refuse(mz, "no molecule is light enough for an ion of this m/z")
    })
  })
}

/** The feature in one spelling. */
export const parse = (
  text: string,
  otherwise: ReadonlyArray<Adduct.Adduct>
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(read(text, otherwise), ({ adducts, mz }) =>
    text.includes(separator) ? join(String(mz), adducts[0]?.name) : String(mz)
  )
