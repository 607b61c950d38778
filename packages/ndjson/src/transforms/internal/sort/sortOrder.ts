/**
 * Orders keys: booleans, then numbers by value, then strings by code point. Records without a key come last or first.
 */

import { knownOptions, oneOf } from "../../../internal/optionChecks.ts"
import { compareNumbers, type LongNumber } from "../exactNumber.ts"
import { type By, keyReader, type Scalar } from "../recordKey.ts"
import { TransformError } from "../transformError.ts"

/** A criterion of an order: the key, the direction, and the place of records without a key. */
export interface Criterion<A> {
  readonly by: By<A>
  /** Default: `ascending`, the smallest first. */
  readonly direction?: "ascending" | "descending" | undefined
  /** The place of `null`, absent fields and `NaN`, in both directions. Default: `last`. */
  readonly missing?: "first" | "last" | undefined
}

/** The order of records. Several criteria are compared in sequence. */
export type Order<A> = By<A> | Criterion<A> | ReadonlyArray<By<A> | Criterion<A>>

/** Compares the keys of two records. Returns a negative number, 0 or a positive number. */
export type CompareKeys = (a: ReadonlyArray<SortKey>, b: ReadonlyArray<SortKey>) => number

/** A text with units from U+D800, which `<` may order differently from code points. */
class WideText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A key, prepared for many comparisons. */
export type SortKey = Scalar | WideText

const WIDE = /[\ud800-\uffff]/

/** Reads the keys of a record, one for each criterion. */
export type ReadSortKeys<A> = (
  record: A,
  index: number | undefined
) => ReadonlyArray<SortKey> | TransformError

/** Makes the reader of keys. Texts that are not wide are compared with `<`, which is much faster than `compareText`. */
export const sortKeyReader = <A>(transform: string, all: ReadonlyArray<Criterion<A>>): ReadSortKeys<A> => {
  const read = keyReader<A>(
    transform,
    all.map(({ by }) => by)
  )
  return (record, index) => {
    const keys = read(record, index)
    if (keys instanceof TransformError || !keys.some(isWide)) return keys
    return keys.map((key) => (isWide(key) ? new WideText(key) : key))
  }
}

const isWide = (key: Scalar): key is string => typeof key === "string" && WIDE.test(key)

/** Returns the criteria of an order. Throws `InvalidOption` for an unknown direction or place. */
export const criteria = <A>(order: Order<A>): ReadonlyArray<Criterion<A>> => {
  const all = (Array.isArray(order) ? order : [order]) as ReadonlyArray<By<A> | Criterion<A>>
  return all.map((one) => {
    if (!isCriterion(one)) return { by: one }
    knownOptions("sortBy", one, { by: true, direction: true, missing: true })
    oneOf("direction", one.direction, ["ascending", "descending"])
    oneOf("missing", one.missing, ["first", "last"])
    return one
  })
}

/** Makes the comparison of some criteria. */
export const comparison = (all: ReadonlyArray<Criterion<never>>): CompareKeys => {
  const signs = all.map(({ direction }) => (direction === "descending" ? -1 : 1))
  const missingSigns = all.map(({ missing }) => (missing === "first" ? -1 : 1))
  return (a, b) => {
    for (let i = 0; i < signs.length; i++) {
      const x = a[i]
      const y = b[i]
      if (x === y) continue
      if (x === undefined) return missingSigns[i] as number
      if (y === undefined) return -(missingSigns[i] as number)
      const result = compareScalars(x, y)
      if (result !== 0) return result * (signs[i] as number)
    }
    return 0
  }
}

const isCriterion = <A>(one: By<A> | Criterion<A>): one is Criterion<A> =>
  typeof one === "object" && one !== null

const compareScalars = (a: Exclude<SortKey, undefined>, b: Exclude<SortKey, undefined>): number => {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : 1
  const rank = rankOf(a) - rankOf(b)
  if (rank !== 0) return rank
  if (typeof a === "boolean") return Number(a) - Number(b as boolean)
  if (typeof a === "string" || a instanceof WideText)
    return compareText(textOf(a), textOf(b as string | WideText))
  return compareNumbers(a, b as number | LongNumber)
}

const textOf = (text: string | WideText): string => (typeof text === "string" ? text : text.text)

const rankOf = (key: Exclude<SortKey, undefined>): number => {
  if (typeof key === "boolean") return 0
  return typeof key === "string" || key instanceof WideText ? 2 : 1
}

/** Compares two texts by code point. `<` compares UTF-16 units, which puts U+1F600 before U+FF5E. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) === b.charCodeAt(i)) continue
    // A character of two units starts at the unit before, if that is its first half.
    const before = i > 0 && (a.charCodeAt(i - 1) & 0xfc00) === 0xd800
    const at = before ? i - 1 : i
    return (a.codePointAt(at) as number) - (b.codePointAt(at) as number)
  }
  return a.length - b.length
}
