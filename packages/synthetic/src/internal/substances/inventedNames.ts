/**
 * Invents common names, codes and synonyms of substances.
 *
 * No name is copied from a source. There are no registry numbers.
 */

import { scatter } from "../numbers/scatteredDigits.ts"
import type { Random } from "../numbers/seededRandom.ts"

const consonants = "bcdfgklmnprstvxz"

const vowels = "aeiou"

const syllables = [...consonants].flatMap((consonant) => [...vowels].map((vowel) => consonant + vowel))

const endings = ["n", "ne", "l", "x", "tan", "mid", "zol", "rin"]

const syllablesOfName = 5

const radices = Array.from({ length: syllablesOfName }, () => syllables.length)

/** The number of common names. Different numbers give different names. */
export const commonNameCount: number = syllables.length ** syllablesOfName

/** Returns the common name with a number below `commonNameCount`, e.g. `Xoramidutel`. */
export const commonName = (seed: number, number: number): string => {
  const digits = scatter(number, radices, seed)
  const stem = digits.map((digit) => syllables[digit]).join("")
  // The ending depends only on the stem, so different stems give different names.
  return capitalize(stem + endings[((digits[0] ?? 0) + (digits[4] ?? 0)) % endings.length])
}

/** Capitalizes the first letter of a name: `2-methylfuran` becomes `2-Methylfuran`. */
export const capitalize = (name: string): string => {
  const at = name.search(/[a-zα-ω]/)
  // The italic prefix of a name stays in lower case.
  if (at < 0 || name.startsWith("tert-", at)) return name
  return name.slice(0, at) + (name[at] as string).toUpperCase() + name.slice(at + 1)
}

/** Returns a systematic name as in an index, the parent first: `Furan, 2-methyl-`. */
export const indexNameOf = (systematic: string, parent: string): string => {
  const prefix = systematic.slice(0, -parent.length)
  return `${capitalize(parent)}, ${prefix.endsWith("-") ? prefix : `${prefix}-`}`
}

/** The synonyms of a substance by quality. Null: no synonyms of this quality. */
export interface SynonymsByQuality {
  readonly valid: ReadonlyArray<string> | null
  readonly good: ReadonlyArray<string> | null
  readonly other: ReadonlyArray<string> | null
}

/** The names of a substance. */
interface Names {
  readonly preferredName: string
  readonly systematicName: string | null
  readonly indexName: string | null
  readonly commonName: string
}

/** Invents synonyms for a substance, three on average. One substance in eight has none. */
export const synonyms = (
  random: Random,
  { commonName: common, indexName, preferredName, systematicName }: Names
): SynonymsByQuality | undefined => {
  const remaining =
    random.integerBelow(10) === 0
      ? 0
      : 1 + random.integerBelow(6) + (random.integerBelow(8) === 0 ? random.integerBelow(12) : 0)
  if (remaining === 0) return undefined
  const valid: Array<string> = []
  const good: Array<string> = []
  const other: Array<string> = []
  const seen = new Set([preferredName])
  const collect = (into: Array<string>, name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    into.push(name)
  }
  const first = [
    [valid, systematicName === null ? `${common} technical` : capitalize(systematicName)],
    [good, indexName ?? common],
    [good, common],
    [other, preferredName.toUpperCase()]
  ] as const
  for (let i = 0; i < remaining; i++) {
    const [into, name] = first[i] ?? [other, code(random, common)]
    collect(into, name)
  }
  if (seen.size === 1) return undefined
  return { valid: nullIfEmpty(valid), good: nullIfEmpty(good), other: nullIfEmpty(other) }
}

const nullIfEmpty = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> | null => (list.length === 0 ? null : list)

const code = (random: Random, common: string): string => {
  const number = 1000 + random.integerBelow(900_000)
  switch (random.integerBelow(5)) {
    case 0:
      return `${common.slice(0, 2).toUpperCase()}-${number}`
    case 1:
      return `${common} ${1 + random.integerBelow(99)}% w/w`
    case 2:
      return `Compound ${number}/${1 + random.integerBelow(9)}`
    case 3:
      return `α-${common}`
    default:
      return `${common} ${number}`
  }
}
