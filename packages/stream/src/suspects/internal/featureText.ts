/** Encodes the m/z and the adduct of a feature as one text, and reads that text. */
import { Adduct, InvalidIdentifier, Quote } from "@chemstream/api"
import { Result } from "effect"

/** The m/z of a feature, and the adducts of the ions to search for. */
export interface Hypotheses {
  readonly mz: number
  readonly adducts: ReadonlyArray<Adduct.Adduct>
}

const separator = "\u001f"

/** Joins m/z and adduct to one text. */
export const join = (mz: string, adduct: string | undefined): string =>
  adduct === undefined || adduct.trim() === "" ? mz : `${mz}${separator}${adduct}`

/** Returns the text of a feature for people. */
export const displayText = (text: string): string => text.replace(separator, " ")

/** The largest m/z. Mass spectrometers measure far less, so a larger number is a mistake. */
const largestMz = 1_000_000

const refuse = (value: string, reason: string): Result.Result<never, InvalidIdentifier.InvalidIdentifier> =>
  Result.fail(
    new InvalidIdentifier.InvalidIdentifier({
      identifier: "m/z",
      value,
      reason: "malformed",
      message: `${Quote.value(value)} is not an m/z: ${reason}`
    })
  )

/** Reads an m/z, also with a decimal comma. Below 10, a comma may separate thousands. */
const mzOf = (text: string): Result.Result<number, InvalidIdentifier.InvalidIdentifier> => {
  const plain = text.trim()
  const value = plain === "" ? Number.NaN : Number(plain.replace(/^(\d{2,}),(\d+)$/, "$1.$2"))
  return value > 0 && value <= largestMz
    ? Result.succeed(value)
    : refuse(text, `it must be a number above 0, at most ${largestMz}`)
}

/** Returns the adducts of a cell: those that it names, or the default ones of its sign if it names none. */
const adductsOf = (
  text: string,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<ReadonlyArray<Adduct.Adduct>, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(Adduct.parseAll(text), (named) => {
    if (named.length > 0) return named
    const sign = signOf(text)
    if (sign === undefined) return defaults
    const polarity = sign === "+" ? "positive" : "negative"
    const own = defaults.filter((one) => one.charge !== 0 && Adduct.polarity(one) === polarity)
    return own.length > 0 ? own : Adduct.usual[polarity]
  })

/** Reads the m/z and the adducts of a feature. Without an adduct, it has the default ones. */
export const read = (
  text: string,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<Hypotheses, InvalidIdentifier.InvalidIdentifier> => {
  const [mz = "", adduct = ""] = text.split(separator)
  return Result.flatMap(mzOf(mz), (value) =>
    Result.flatMap(adductsOf(adduct, defaults), (all) => {
      const adducts = all.filter((one) => Adduct.neutralMass(one, value) > 0)
      return adducts.length > 0
        ? Result.succeed({ mz: value, adducts })
        : refuse(mz, "no molecule is light enough for an ion of this m/z")
    })
  )
}

/** Returns a feature in canonical spelling. */
export const parse = (
  text: string,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(read(text, defaults), ({ adducts, mz }) => {
    const [, adduct = ""] = text.split(separator)
    const sign = signOf(adduct)
    if (Result.getOrThrow(Adduct.parseAll(adduct)).length === 0)
      return join(String(mz), sign === undefined ? undefined : `[M+?]${sign}`)
    return join(String(mz), adducts.map(({ name }) => name).join(";"))
  })

/** Returns the sign of an unknown adduct: `[M+?]+`. */
const signOf = (adduct: string): string | undefined => /\?\]\s*\d*([+-])/.exec(adduct)?.[1]
