/**
 * The error of `Csv.decode`, and its words for every reason.
 */
import * as Data from "effect/Data"
import { quote } from "./cells.ts"
import type { RowFault } from "./csvRows.ts"

/**
 * Why a row could not be read.
 *
 * - `stray-quote`: a quote inside a cell that does not start with one, or text after the closing quote.
 * - `unterminated-quote`: the input ends inside a quoted cell.
 * - `cell-count`: more or fewer cells than there are columns.
 * - `duplicate-column`: the header names a column twice.
 * - `row-too-large`: longer than `maxRowLength`.
 * - `invalid-utf8`: the bytes are not UTF-8.
 */
export type CsvReason = RowFault["reason"] | "cell-count" | "duplicate-column" | "invalid-utf8"

/**
 * A row that could not be read: the `line` it starts on, from 1, line breaks inside cells counted, and the `cell`, from
 * 1, where one is to blame.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Csv } from "@chemstream/ndjson"
 *
 * const bytes = Stream.make('name,casrn\n"a\nb",80-05-7\nc\n').pipe(Stream.encodeText)
 * const error = await Effect.runPromise(bytes.pipe(Csv.decode(), Stream.runDrain, Effect.flip))
 * console.log(error.message)
 * // Line 4 is refused: the row has 1 cell where the header has 2. Correct the row; a separator inside a cell needs quotes around the cell.
 * ```
 */
export class CsvError extends Data.TaggedError("CsvError")<{
  readonly reason: CsvReason
  readonly line: number
  readonly cell?: number | undefined
  readonly message: string
}> {}

export const refuseRow = ({ cell, line, reason }: RowFault, maxRowLength: number): CsvError => {
  switch (reason) {
    case "stray-quote":
      return refuse(
        reason,
        line,
        cell,
        "a quote stands inside the cell",
        'Put the cell in quotes and double those inside it ("5""-x"), or set quotes to false if the file never quotes'
      )
    case "unterminated-quote":
      return refuse(
        reason,
        line,
        cell,
        "its closing quote is missing",
        "Close the quote, or set quotes to false if the file never quotes"
      )
    case "row-too-large":
      return refuse(
        reason,
        line,
        undefined,
        `the row is longer than ${maxRowLength} characters`,
        "Look for a quote that is not closed, or raise maxRowLength"
      )
  }
}

/** That a row has another number of cells than there are columns. */
export const cellCountFault = (found: number, expected: number, source: string): string =>
  `the row has ${found} ${found === 1 ? "cell" : "cells"} where the ${source} has ${expected}`

export const refuseCount = (detail: string, line: number): CsvError =>
  refuse(
    "cell-count",
    line,
    undefined,
    detail,
    "Correct the row; a separator inside a cell needs quotes around the cell"
  )

export const refuseHeader = (name: string, line: number): CsvError =>
  refuse(
    "duplicate-column",
    line,
    undefined,
    `the header names the column ${quote(name)} twice`,
    "Rename one of them"
  )

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
  return new CsvError({ reason, line, cell, message: `${place} is refused: ${detail}. ${step}.` })
}
