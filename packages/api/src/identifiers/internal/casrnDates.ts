/**
 * Finds the CAS number that a spreadsheet turned into a date. Spreadsheets read `80-05-7` and `1980-05-7` as dates.
 */
import { Result } from "effect"
import { type Casrn, parse, verify } from "../Casrn.ts"

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
/** The time that some programs write after a date: midnight. */
const time = "(?:[T ]0?0:00(?::00(?:\\.0+)?)?Z?)?"
/** Match 1980-05-07, 7/5/1980 or 5/7/80, and 7 May 1980. */
const yearFirst = new RegExp(`^(?<year>\\d{4})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})${time}$`)
const yearLast = new RegExp(`^(?<one>\\d{1,2})([-/.])(?<other>\\d{1,2})\\2(?<year>\\d{4}|\\d{2})${time}$`)
const named = /^(?<day>\d{1,2})[- .](?<name>[a-z]{3})[a-z]*\.?[- .,]+(?<year>\d{4}|\d{2})$/i

/** A date. The month and the day of `5/7/1980` may be either way around. */
type Day = readonly [year: number, month: number, day: number]

/** Returns the dates that a text may denote. */
const datesOf = (text: string): ReadonlyArray<Day> => {
  const century = (year: string): number => Number(year) + (year.length === 4 ? 0 : 1900)
  const first = yearFirst.exec(text)?.groups
  if (first !== undefined) return [[Number(first["year"]), Number(first["month"]), Number(first["day"])]]
  const last = yearLast.exec(text)?.groups
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
  const words = named.exec(text)?.groups
  const month = months.indexOf(words?.["name"]?.toLowerCase() ?? "") + 1
  return month === 0 ? [] : [[century(words?.["year"] ?? ""), month, Number(words?.["day"])]]
}

/** Returns the CAS numbers whose check digit fits and that a date may have been. Undefined: the text is no date. */
export const casrnsOf = (text: string): ReadonlyArray<Casrn> | undefined => {
  const dates = datesOf(text).filter(([, month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  if (dates.length === 0) return undefined
  return dates.flatMap(([year, month, day]) => {
    // Spreadsheets read the two digits 30 to 99 as 1930 to 1999. No CAS number starts below 50.
    const starts = year >= 1950 && year <= 1999 ? [String(year), String(year - 1900)] : [String(year)]
    const end = `${String(month).padStart(2, "0")}-${day}`
    return starts.flatMap((start) =>
      Result.match(Result.flatMap(parse(`${start}-${end}`), verify), {
        onSuccess: (casrn) => [casrn],
        onFailure: () => []
      })
    )
  })
}
