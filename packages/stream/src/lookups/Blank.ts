/**
 * Empties the fields of records in which a source has written a mark for an unknown value, e.g. `-` or -999.
 *
 * The rows of endpoints have the marks of their sources (`Row.blank`). Lookups keep them, because a record is what the
 * service sent.
 */
import type { Row } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"

/** The field name that stands for all fields. */
const anyField = "*"

/** Returns the marks of endpoints, as one sentence. Undefined: their sources have none. */
export const describe = (rows: ReadonlyArray<Pick<Row.Row, "blank">>): string | undefined => {
  const marks = Options.argument("rows", Options.list(Options.object()), rows).flatMap(({ blank = {} }) =>
    Object.entries(blank).flatMap(([field, values]) =>
      values.map(
        (value) => `${value === "" ? "an empty text" : value}${field === anyField ? "" : ` in ${field}`}`
      )
    )
  )
  return marks.length === 0 ? undefined : [...new Set(marks)].join(", ")
}

/**
 * Makes the function that empties the marked fields of the records of an endpoint: their values become null. All other text
 * stays as it is.
 *
 * @example
 * ```ts
 * import { Hazard } from "@chemstream/api"
 * import { RawRecord } from "@chemstream/ndjson"
 * import { Blank } from "@chemstream/stream"
 *
 * const record = RawRecord.fromText('{"qualifier":"-","toxvalNumeric":-999.0,"toxvalUnits":"mg/L"}')
 * RawRecord.toText(Blank.toNull(Hazard.toxval)(record))
 * // => '{"qualifier":null,"toxvalNumeric":null,"toxvalUnits":"mg/L"}'
 * ```
 */
export const toNull = (
  row: Pick<Row.Row, "blank">
): ((record: RawRecord.RawRecord) => RawRecord.RawRecord) => {
  const { blank } = Options.argument("row", Options.object(), row)
  if (blank === undefined) return (record) => record
  const isBlank = (field: string, value: unknown): boolean =>
    [...(blank[anyField] ?? []), ...(blank[field] ?? [])].some((mark) => mark === value)
  return (record) =>
    Result.match(RawRecord.entries(record), {
      onFailure: () => record,
      onSuccess: (entries) => {
        const fields = entries.map(({ key, kind, value }) => {
          const text = RawRecord.toText(value)
          const isScalar = kind === "string" || kind === "number"
          return `${JSON.stringify(key)}:${isScalar && isBlank(key, JSON.parse(text)) ? "null" : text}`
        })
        return RawRecord.fromText(`{${fields.join(",")}}`)
      }
    })
}
