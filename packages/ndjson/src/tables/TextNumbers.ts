/**
 * Finds the columns of a table of texts, e.g. of a CSV, whose cells are all numbers, and makes numbers of their texts.
 *
 * A reader never guesses types, because a cell alone does not tell them: this module reads a whole column first. It needs no memory for the
 * rows. Use it before a format whose columns have types.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { argument } from "../internal/argumentChecks.ts"
import { decodeString } from "../internal/decodeText.ts"
import { decimalIn } from "../internal/textNumber.ts"
import { type Entry, entries, fromText, make, prepend, type RawRecord } from "../raw/RawRecord.ts"

/** Matches a decimal number as JSON writes it. An exponent needs a sign or a fraction: `1E5` may be the name of a well. */
const decimal = /^-?(?:0|[1-9]\d*)(?:(?:\.\d+)?(?:[eE][+-]\d+)?|\.\d+[eE]\d+)$/

/** The most digits that every double keeps. */
const mostDigits = 15

/**
 * Whether a text is a number that a double keeps: a decimal number of at most 15 significant digits, without zeros in front.
 *
 * @example
 * ```ts
 * import { TextNumbers } from "@chemstream/ndjson"
 *
 * const texts = ["0.50", "-12", "1.2E-05", "007", "1E5", "80-05-7", "0,5", "1234567890123456"]
 * texts.filter(TextNumbers.isNumber) // => ["0.50", "-12", "1.2E-05"]
 * ```
 */
export const isNumber = (text: string): boolean => {
  if (!decimal.test(argument("text", "a text", text))) return false
  const digits = text.replace(/[eE].*|[-.]/g, "").replace(/^0+/, "")
  const value = Number(text)
  return digits.length <= mostDigits && Number.isFinite(value) && (value !== 0 || digits === "")
}

/**
 * Returns the number of a text: a decimal number, also with a sign, an exponent or white space around it. Undefined: it is no number.
 *
 * @example
 * ```ts
 * import { TextNumbers } from "@chemstream/ndjson"
 *
 * const texts = [" 11", "+30", ".5", "1e3", "0x20", "Infinity", "007", ""]
 * texts.map(TextNumbers.parse) // => [11, 30, 0.5, 1000, undefined, undefined, undefined, undefined]
 * ```
 */
export const parse = (text: string): number | undefined => {
  const value = Number(decimalIn(argument("text", "a text", text)) ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/**
 * Reads all records, and returns the fields whose values are all numbers, or texts that are (`isNumber`), besides `null` and empty texts.
 * `isCandidate` chooses the fields that may be.
 *
 * @example
 * ```ts
 * import { RawRecord, TextNumbers } from "@chemstream/ndjson"
 * import { Effect, Stream } from "effect"
 *
 * const rows = ['{"id":"007","mass":"78.0"}', '{"id":"8","mass":""}']
 * const records = Stream.fromIterable(rows).pipe(Stream.map(RawRecord.fromText))
 * const names = await Effect.runPromise(TextNumbers.find(records))
 * const numbers = records.pipe(Stream.map(TextNumbers.toNumbers(names)), Stream.map(String), Stream.runCollect)
 * await Effect.runPromise(numbers) // => ['{"id":"007","mass":78.0}', '{"id":"8","mass":null}']
 * ```
 */
export const find = <E, R>(
  records: Stream.Stream<RawRecord, E, R>,
  isCandidate: (name: string) => boolean = () => true
): Effect.Effect<ReadonlySet<string>, E, R> =>
  Effect.suspend(() => {
    argument("records", "a stream of Effect", records)
    // Whether all values of a field are numbers. Undefined: it has none.
    const fields = new Map<string, boolean | undefined>()
    const look = (record: RawRecord): void => {
      for (const { key, kind, value } of Result.getOrElse(entries(record), () => [])) {
        const known = fields.has(key) ? fields.get(key) : isCandidate(key) ? undefined : false
        fields.set(key, known === false || kind === "null" ? known : isNumeric(kind, value, known))
      }
    }
    return Effect.map(
      Stream.runForEach(records, (record) => Effect.sync(() => look(record))),
      () => new Set([...fields].flatMap(([name, isAll]) => (isAll === true ? [name] : [])))
    )
  })

const isNumeric = (
  kind: Entry["kind"],
  value: RawRecord,
  known: boolean | undefined
): boolean | undefined => {
  if (kind !== "string") return kind === "number"
  const text = textOf(value)
  return text.trim() === "" ? known : isNumber(text)
}

/** Returns the text between the quotes. No number and no blank has an escape. */
const textOf = ({ bytes, end, start }: RawRecord): string => {
  try {
    return decodeString(bytes, start + 1, end - 1)
  } catch {
    return "malformed"
  }
}

/** Makes numbers of the texts of these fields, with all their digits. An empty text becomes `null`. */
export const toNumbers =
  (names: ReadonlySet<string>) =>
  (record: RawRecord): RawRecord => {
    if (argument("names", "a set", names).size === 0) return record
    const changed = Result.flatMap(entries(record), (all) =>
      prepend(
        empty,
        all.map(({ key, kind, value }) => [
          key,
          kind === "string" && names.has(key) ? numberOf(value) : value
        ])
      )
    )
    return Result.getOrElse(changed, () => record)
  }

const empty = fromText("{}")

const none = fromText("null")

const numberOf = (value: RawRecord): RawRecord =>
  textOf(value).trim() === "" ? none : make(value.bytes, value.start + 1, value.end - 1)
