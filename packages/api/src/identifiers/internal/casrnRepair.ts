/**
 * Repairs CAS numbers from spreadsheets: other dashes, spaces, leading zeros, missing hyphens, dates.
 *
 * A text without the two hyphens is a CAS number only if its check digit fits.
 */
import { Result } from "effect"
import { type Casrn, parse, verify } from "../Casrn.ts"
import { InvalidIdentifier } from "../InvalidIdentifier.ts"
import * as Quote from "../Quote.ts"

/** A CAS number and its repair. `repair` is absent if nothing was repaired. */
export interface Repaired {
  readonly casrn: Casrn
  readonly repair?: string
}

const label = /^cas(?:[\s-]?rn)?(?:[\s-]?(?:no|nr|number)\.?)?\s*[:#.]?\s*(?=\d)/i
const separated = /^0*(\d{2,7})\s*[-\s_]\s*(\d{2})\s*[-\s_]\s*(\d)$/
const joined = /^0*(\d{2,7}?)-?(\d{2})-?(\d)$/

/**
 * Returns the CAS number of a text, or undefined if the text does not look like one. Fails for a date that stands for
 * no single number.
 */
export const repair = (text: string): Result.Result<Repaired | undefined, InvalidIdentifier> => {
  const whole = parse(text)
  if (Result.isSuccess(whole) && !whole.success.startsWith("0"))
    return Result.succeed({ casrn: whole.success })
  const plain = text
    .normalize("NFKC")
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/^[\s'"’]+|[\s'"’]+$/g, "")
    .replace(label, "")
  const [, start, middle, check] = separated.exec(plain) ?? []
  if (start !== undefined) {
    const casrn = Result.getOrThrow(parse(`${start}-${middle}-${check}`))
    return Result.succeed({ casrn, repair: `read as the CAS number ${casrn}` })
  }
  const [, ...digits] = joined.exec(plain) ?? []
  if (digits.length > 0) {
    const casrn = withValidDigit(digits.join("-"))
    return Result.succeed(
      casrn === undefined
        ? undefined
        : { casrn, repair: `read as the CAS number ${casrn}, whose check digit fits` }
    )
  }
  return repairDate(text, plain)
}

/** Returns the CAS number of a text if its check digit fits. */
const withValidDigit = (text: string): Casrn | undefined =>
  Result.getOrUndefined(Result.flatMap(parse(text), verify))

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const time = "(?:[T ]0?0:00(?::00(?:\\.0+)?)?Z?)?"
const yearFirst = new RegExp(`^(?<year>\\d{4})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})${time}$`)
const yearLast = new RegExp(`^(?<one>\\d{1,2})([-/.])(?<other>\\d{1,2})\\2(?<year>\\d{4}|\\d{2})${time}$`)
const named = /^(?<day>\d{1,2})[- .](?<name>[a-z]{3})[a-z]*\.?[- .,]+(?<year>\d{4}|\d{2})$/i

/** Returns the dates that a text may denote. Spreadsheets turn `80-05-7` and `1980-05-7` into such dates. */
const datesOf = (plain: string): ReadonlyArray<readonly [year: number, month: number, day: number]> => {
  const century = (year: string): number => Number(year) + (year.length === 4 ? 0 : 1900)
  const first = yearFirst.exec(plain)?.groups
  if (first !== undefined) return [[Number(first["year"]), Number(first["month"]), Number(first["day"])]]
  const last = yearLast.exec(plain)?.groups
  if (last !== undefined) {
    const year = century(last["year"] ?? "")
    const [one, other] = [Number(last["one"]), Number(last["other"])]
    return one === other
      ? [[year, one, other]]
      : [
          [year, one, other],
          [year, other, one]
        ]
  }
  const words = named.exec(plain)?.groups
  const month = months.indexOf(words?.["name"]?.toLowerCase() ?? "") + 1
  return month === 0 ? [] : [[century(words?.["year"] ?? ""), month, Number(words?.["day"])]]
}

const repairDate = (text: string, plain: string): Result.Result<Repaired | undefined, InvalidIdentifier> => {
  const dates = datesOf(plain).filter(([, month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  if (dates.length === 0) return Result.succeed(undefined)
  const numbers = dates.flatMap(([year, month, day]) => {
    // Spreadsheets read the two digits 30 to 99 as 1930 to 1999. No CAS number starts below 50.
    const starts = year >= 1950 && year <= 1999 ? [String(year), String(year - 1900)] : [String(year)]
    const end = `${String(month).padStart(2, "0")}-${day}`
    return starts.flatMap((start) => withValidDigit(`${start}-${end}`) ?? [])
  })
  const [casrn] = numbers
  if (casrn !== undefined && numbers.length === 1) {
    return Result.succeed({
      casrn,
      repair: `a date that a spreadsheet made of a CAS number: read as ${casrn}`
    })
  }
  const which = numbers.length === 0 ? "no CAS number fits it" : `it may have been ${numbers.join(" or ")}`
  return Result.fail(
    new InvalidIdentifier({
      identifier: "CASRN",
      value: text,
      reason: "malformed",
      message: `${Quote.value(text)} is a date, which spreadsheets make of CAS numbers; ${which}. Format the column as text and enter the number again`
    })
  )
}
