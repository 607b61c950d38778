/**
 * Makes the bundled identifier list, the input of the demonstration. It has the faults of a real list.
 *
 * It has every substance once in shuffled order, some of them twice, some unknown identifiers, and one with a wrong
 * check digit. The list is always the same.
 */
import { Dtxsid } from "@chemstream/api"
import type { SubstanceFacts } from "./substances.ts"

/** The number of identifiers that occur twice. */
export const duplicateCount = 5

/** The number of well-formed identifiers that are unknown. */
export const unknownCount = 4

/**
 * The substance number of the first unknown identifier: in the fictitious range, and above all numbers of the table.
 */
export const firstUnknownNumber = 99_900_001

/**
 * Returns the list: `substances.length + 10` identifiers. With fewer than `duplicateCount` substances it has fewer
 * duplicates, and without substances no wrong check digit.
 *
 * @example
 * identifierList(substances).filter((id) => id === "DTXSID7020182").length >= 1 // true
 */
export const identifierList = (
  substances: ReadonlyArray<Pick<SubstanceFacts, "dtxsid">>
): ReadonlyArray<string> => {
  const identifiers = scattered(substances.map((substance) => substance.dtxsid))
  const last = identifiers.at(-1)
  const additions = [
    ...identifiers.slice(0, duplicateCount),
    ...Array.from({ length: unknownCount }, (_, i) => Dtxsid.fromNumber(firstUnknownNumber + i)),
    ...(last === undefined ? [] : [withWrongCheckDigit(last)])
  ]
  return additions.reduce<ReadonlyArray<string>>((list, addition, i) => {
    const place = Math.ceil(((i + 1) * identifiers.length) / (additions.length + 1)) + i
    return list.toSpliced(place, 0, addition)
  }, identifiers)
}

// Shuffles with steps of about the golden ratio of the length. A step that is coprime with the length reaches every
// item once.
const scattered = (items: ReadonlyArray<string>): ReadonlyArray<string> => {
  let step = Math.max(1, Math.round(items.length * 0.618))
  while (greatestCommonDivisor(step, items.length) > 1) step += 1
  return items.map((_, i) => items[(i * step) % items.length] as string)
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const withWrongCheckDigit = (dtxsid: string): string => {
  const at = "DTXSID".length
  return `${dtxsid.slice(0, at)}${(Number(dtxsid[at]) + 1) % 10}${dtxsid.slice(at + 1)}`
}
