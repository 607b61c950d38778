/** Encodes the m/z and the adduct of a feature as one text, and reads that text. */
import { Adduct, InvalidIdentifier, Placeholder } from "@chemstream/api"
import { Result } from "effect"

/** The m/z of a feature, and the adducts of the ions to search for. */
export interface Hypotheses {
  readonly mz: number
  readonly adducts: ReadonlyArray<Adduct.Adduct>
}

const separator = "\u001f"

/** Joins m/z, adduct and polarity to one text. */
export const join = (mz: string, adduct = "", polarity = ""): string => {
  const parts = [mz, adduct.trim(), polarity.trim()]
  return parts.slice(0, parts.findLastIndex((part) => part !== "") + 1).join(separator)
}

/** Returns the text of a feature for people. */
export const displayText = (text: string): string =>
  text
    .split(separator)
    .filter((part) => part !== "")
    .join(" ")

/** The largest m/z. Mass spectrometers measure far less, so a larger number is a mistake. */
const largestMz = 1_000_000

const refuse = (value: string, reason: string, noun = "an m/z") =>
  InvalidIdentifier.malformed("m/z", noun, value, reason)

/** Reads an m/z, also with a decimal comma. Below 10, a comma may separate thousands. */
const mzOf = (text: string): Result.Result<number, InvalidIdentifier.InvalidIdentifier> => {
  const plain = text.trim()
  const value = plain === "" ? Number.NaN : Number(plain.replace(/^(\d{2,}),(\d+)$/, "$1.$2"))
  return value > 0 && value <= largestMz
    ? Result.succeed(value)
    : refuse(text, `it must be a number above 0, at most ${largestMz}`)
}

/** Returns the m/z of a feature. Null if it is none. */
export const mz = (text: string): number | null =>
  Result.getOrElse(mzOf(text.split(separator)[0] ?? ""), () => null)

/** The words of a polarity, in lower case, without the ion source. */
const polarities: Readonly<Record<Adduct.Polarity, RegExp>> = {
  positive: /^(?:\+1?|1\+?|p|pos|positive)$/,
  negative: /^(?:[-−–]1?|1-|n|neg|negative)$/
}

/** Reads the polarity of a cell, e.g. `ESI+`, `negative mode` or `-1`. Undefined: the cell has none. */
const polarityOf = (
  text: string
): Result.Result<Adduct.Polarity | undefined, InvalidIdentifier.InvalidIdentifier> => {
  const word = text
    .toLowerCase()
    .replace(/\b(?:h?esi|apci|appi|ms|mode|ionization)\b|[()\s]/g, "")
    .trim()
  const found = (["positive", "negative"] as const).find((polarity) => polarities[polarity].test(word))
  // A dash is negative here, and a placeholder elsewhere.
  return found === undefined && text.trim() !== "" && !Placeholder.is(text)
    ? refuse(text, "write positive or negative, + or -", "a polarity")
    : Result.succeed(found)
}

/** Returns the adducts of a cell: those that it names, or the default ones of its polarity if it names none. */
const adductsOf = (
  text: string,
  polarity: Adduct.Polarity | undefined,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<ReadonlyArray<Adduct.Adduct>, InvalidIdentifier.InvalidIdentifier> =>
  Result.flatMap(Adduct.parseAll(text), (named) => {
    const other = named.find((one) => polarity !== undefined && Adduct.polarity(one) !== polarity)
    if (other !== undefined) return refuse(other.name, `the feature is ${polarity}`, "its adduct")
    if (named.length > 0) return Result.succeed(named)
    if (polarity === undefined) return Result.succeed(defaults)
    const own = defaults.filter((one) => one.charge !== 0 && Adduct.polarity(one) === polarity)
    return Result.succeed(own.length > 0 ? own : Adduct.usual[polarity])
  })

/** Returns the polarity of a feature: of its own cell, or else of an adduct such as `[M+?]+`. */
const polarityOfParts = ([, adduct = "", polarity = ""]: ReadonlyArray<string>) =>
  Result.map(polarityOf(polarity), (own) => own ?? signOf(adduct))

/** Reads the m/z and the adducts of a feature. Without an adduct, it has the default ones. */
export const read = (
  text: string,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<Hypotheses, InvalidIdentifier.InvalidIdentifier> => {
  const parts = text.split(separator)
  const [mz = "", adduct = ""] = parts
  return Result.gen(function* () {
    const value = yield* mzOf(mz)
    const all = yield* adductsOf(adduct, yield* polarityOfParts(parts), defaults)
    const adducts = all.filter((one) => Adduct.neutralMass(one, value) > 0)
    return adducts.length > 0
      ? { mz: value, adducts }
      : yield* refuse(mz, "no molecule is light enough for an ion of this m/z")
  })
}

/** Returns a feature in canonical spelling. */
export const parse = (
  text: string,
  defaults: ReadonlyArray<Adduct.Adduct>
): Result.Result<string, InvalidIdentifier.InvalidIdentifier> =>
  Result.map(read(text, defaults), ({ adducts, mz }) => {
    const parts = text.split(separator)
    const polarity = Result.getOrThrow(polarityOfParts(parts))
    if (Result.getOrThrow(Adduct.parseAll(parts[1] ?? "")).length === 0)
      return join(String(mz), polarity && `[M+?]${polarity === "positive" ? "+" : "-"}`)
    return join(String(mz), adducts.map(({ name }) => name).join(";"))
  })

/** Returns the polarity of an unknown adduct: `[M+?]+`. */
const signOf = (adduct: string): Adduct.Polarity | undefined => {
  const sign = /\?\]\s*\d*([+-])/.exec(adduct)?.[1]
  return sign === undefined ? undefined : sign === "+" ? "positive" : "negative"
}
