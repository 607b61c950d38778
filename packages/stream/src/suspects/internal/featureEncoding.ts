/** Encodes the m/z and the adduct of a feature as one text, and reads that text. */
import { Adduct, InvalidIdentifier, Placeholder } from "@chemstream/api"
import { TextNumbers } from "@chemstream/ndjson"
import { Result } from "effect"

/** The m/z of a feature, and the adducts of the ions to search for. */
export interface Hypotheses {
  readonly mz: number
  readonly adducts: ReadonlyArray<Adduct.Adduct>
}

/** The separator between the parts of a feature. None contains a unit separator. */
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

type Read<A> = Result.Result<A, InvalidIdentifier.InvalidIdentifier>

const refuseMz = (value: string, reason: string) =>
  InvalidIdentifier.malformed("m/z", "an m/z", value, reason)

/** Reads an m/z, also with a decimal comma. Below 10, a comma may separate thousands. */
const mzOf = (text: string): Read<number> => {
  const plain = text.trim()
  const value = TextNumbers.parse(plain.replace(/^(\d{2,}),(\d+)$/, "$1.$2"))
  if (value !== undefined && value > 0 && value <= largestMz) return Result.succeed(value)
  return refuseMz(
    text,
    separated.test(plain)
      ? "it is unclear which sign separates thousands, and which decimals; write e.g. 1229.1223"
      : `it must be a number above 0, at most ${largestMz}`
  )
}

/** Matches digits with several separators, or with a comma after one digit. */
const separated = /^\d+(?:[.,'’\s]\d+){2,}$|^\d,\d+$|^\d+['’\s]\d+$/

/** Returns the m/z of a feature. Null if it is none. */
export const mzIn = (text: string): number | null =>
  Result.getOrElse(mzOf(text.split(separator)[0] ?? ""), () => null)

/**
 * The words of a polarity, in lower case, without the ion source: those of MassBank records, mzML (`positive scan`), MS-DIAL, XCMS and
 * Compound Discoverer, and their German, French, Spanish and Italian forms (`positiv`, `positif`, `positivo`).
 */
const polarities: Readonly<Record<Adduct.Polarity, RegExp>> = {
  positive: /^(?:\+[1-9]?|[1-9]\+?|p|pos|positi[vf][aeo]?)\.?$/,
  negative: /^(?:[-−–][1-9]?|[1-9]-|n|neg|n[eé]gati[vf][aeo]?)\.?$/
}

/** Matches the words beside a polarity. */
const besides =
  /\b(?:(?:h-?)?esi|apci|appi|ms|modus|mod[eo]|polarity|polarität|ioni[sz]ation|ion|scan)\b|[()[\]\s]/g

/** Reads the polarity of a cell, e.g. `ESI+`, `negative ion mode` or `-1`. Undefined: the cell has none. */
const polarityOf = (text: string): Read<Adduct.Polarity | undefined> => {
  const word = text.toLowerCase().replaceAll("_", " ").replace(besides, "").trim()
  const found = (["positive", "negative"] as const).find((polarity) => polarities[polarity].test(word))
  // A dash is negative here, and a placeholder elsewhere.
  return found === undefined && text.trim() !== "" && !Placeholder.is(text)
    ? InvalidIdentifier.malformed("polarity", "a polarity", text, "write positive or negative, + or -")
    : Result.succeed(found)
}

/** Returns the adducts of a cell: those that it names, or the default ones of its polarity if it names none. */
const adductsOf = (
  text: string,
  polarity: Adduct.Polarity | undefined,
  defaults: ReadonlyArray<Adduct.Adduct>
): Read<ReadonlyArray<Adduct.Adduct>> =>
  Result.flatMap(Adduct.parseAll(text), (named) => {
    const other = named.find((one) => polarity !== undefined && Adduct.polarity(one) !== polarity)
    if (other !== undefined)
      return InvalidIdentifier.malformed("adduct", "its adduct", other.name, `the feature is ${polarity}`)
    if (named.length > 0) return Result.succeed(named)
    if (polarity === undefined) return Result.succeed(defaults)
    const own = defaults.filter((one) => one.charge !== 0 && Adduct.polarity(one) === polarity)
    return Result.succeed(own.length > 0 ? own : Adduct.usual[polarity])
  })

/**
 * Returns the polarity of a feature: of its own cell, or else of an adduct such as `[M+?]+`. One that is said to be unknown
 * needs an adduct.
 */
const polarityOfParts = ([, adduct = "", polarity = ""]: ReadonlyArray<string>): Read<
  Adduct.Polarity | undefined
> =>
  Result.flatMap(polarityOf(polarity), (own) => {
    const known = own ?? signOf(adduct)
    const named = Result.getOrElse(Adduct.parseAll(adduct), () => [])
    return known === undefined && polarity !== "" && named.length === 0
      ? InvalidIdentifier.malformed("polarity", "a polarity", polarity, "it is unknown, and so is the adduct")
      : Result.succeed(known)
  })

/** Reads the m/z and the adducts of a feature. Without an adduct, it has the default ones. The error names each part with a fault. */
export const read = (text: string, defaults: ReadonlyArray<Adduct.Adduct>): Read<Hypotheses> => {
  const parts = text.split(separator)
  const mz = mzOf(parts[0] ?? "")
  const polarity = polarityOfParts(parts)
  const all = adductsOf(parts[1] ?? "", Result.getOrUndefined(polarity), defaults)
  if (Result.isFailure(mz) || Result.isFailure(polarity) || Result.isFailure(all))
    return Result.fail(faultsOf(displayText(text), [mz, polarity, all].flatMap(failureOf)))
  const adducts = all.success.filter((one) => Adduct.neutralMass(one, mz.success) > 0)
  return adducts.length > 0
    ? Result.succeed({ mz: mz.success, adducts })
    : refuseMz(parts[0] ?? "", "no molecule is light enough for an ion of this m/z")
}

const failureOf = <E>(result: Result.Result<unknown, E>): ReadonlyArray<E> =>
  Result.isFailure(result) ? [result.failure] : []

/** Joins the faults of the parts of a feature. */
const faultsOf = (
  value: string,
  faults: ReadonlyArray<InvalidIdentifier.InvalidIdentifier>
): InvalidIdentifier.InvalidIdentifier =>
  faults.length === 1 && faults[0] !== undefined
    ? faults[0]
    : new InvalidIdentifier.InvalidIdentifier({
        identifier: faults.map(({ identifier }) => identifier).join(", "),
        value,
        reason: "malformed",
        message: faults.map(({ message }) => message).join("; ")
      })

/** Returns a feature in canonical spelling. */
export const parse = (text: string, defaults: ReadonlyArray<Adduct.Adduct>): Read<string> =>
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
