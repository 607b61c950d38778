/** Defines the error of `Csv.decode`, with a message for each reason. */
import * as Data from "effect/Data"
import type { RowFault } from "./csvRows.ts"
import { quote } from "./recordCells.ts"

/**
 * Why a row could not be read.
 *
 * - `stray-quote`: a quote inside an unquoted cell, or text after a closing quote.
 * - `unterminated-quote`: the input ends inside a quoted cell.
 * - `cell-count`: more or fewer cells than columns.
 * - `duplicate-column`: the header names a column twice.
 * - `row-too-large`: longer than `maxRowLength`.
 * - `invalid-utf8`: the bytes are not UTF-8.
 */
export type CsvReason = RowFault["reason"] | "cell-count" | "duplicate-column" | "invalid-utf8"

/**
 * A row could not be read. `line` is its first line, from 1; line breaks inside cells count. `cell` is the number of
 * the faulty cell, from 1, if it is one cell.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('name,casrn\n"a\nb",80-05-7\nc\n').pipe(Stream.encodeText)
 * const error = await Effect.runPromise(bytes.pipe(Csv.decode(), Stream.runDrain, Effect.flip))
 * console.log(error.message)
 * // Line 4 is refused: the row has 1 cell where the header has 2. Correct the row. A cell with a separator needs quotes.
 * ```
 */
export class CsvError extends Data.TaggedError("CsvError")<{
  readonly reason: CsvReason
  readonly line: number
  readonly cell?: number | undefined
  /** What is wrong and where, without advice. */
  readonly problem: string
  readonly message: string
}> {}

/** Makes the error of a row that cannot be cut into cells. */
export const refuseRow = ({ cell, line, reason }: RowFault, maxRowLength: number): CsvError => {
  switch (reason) {
    case "stray-quote":
      return refuse(
        reason,
        line,
        cell,
        "a quote is inside the cell",
        'Quote the cell and double the quotes inside it ("5""-x"), or set quotes to false if no cell is quoted'
      )
    case "unterminated-quote":
      return refuse(
        reason,
        line,
        cell,
        "its closing quote is missing",
        "Add the closing quote, or set quotes to false if no cell is quoted"
      )
    case "row-too-large":
      return refuse(
        reason,
        line,
        undefined,
        `the row is longer than ${maxRowLength} characters`,
        "Check for a missing closing quote, or raise maxRowLength"
      )
  }
}

/** Says that a row has more or fewer cells than columns. */
export const cellCountFault = (found: number, expected: number, source: string): string =>
  `the row has ${found} ${found === 1 ? "cell" : "cells"} where the ${source} has ${expected}`

/** Says why a row could not be cut into cells. */
export const cutFault = ({ cell, reason }: RowFault): string => {
  switch (reason) {
    case "stray-quote":
      return `cell ${cell} of the row has a quote inside`
    case "unterminated-quote":
      return `cell ${cell} of the row has no closing quote`
    case "row-too-large":
      return "the row is too long"
  }
}

/** Makes the error of a row with more or fewer cells than columns. */
export const refuseCount = (detail: string, line: number): CsvError =>
  refuse("cell-count", line, undefined, detail, "Correct the row. A cell with a separator needs quotes")

/** Makes the error of a header that names a column twice. */
export const refuseHeader = (name: string, line: number): CsvError =>
  refuse(
    "duplicate-column",
    line,
    undefined,
    `the header names the column ${quote(name)} twice`,
    "Rename one of them"
  )

/** Makes the error of bytes that are not UTF-8. */
export const refuseBytes = (line: number): CsvError =>
  refuse("invalid-utf8", line, undefined, "its bytes are not UTF-8", "Convert the file to UTF-8")

const refuse = (
  reason: CsvReason,
  line: number,
  cell: number | undefined,
  detail: string,
  step: string
): CsvError => {
  const place = `Line ${line}${cell === undefined ? "" : `, cell ${cell},`}`
  const problem = `${place} is refused: ${detail}`
  return new CsvError({ reason, line, cell, problem, message: `${problem}. ${step}.` })
}
