/**
 * Makes identifiers of the rows of a table. Each carries its columns, so that the output has them too.
 *
 * Every row is a row of the run, whatever its key contains. `TableLayout` of the ndjson package decodes the rows. `ResolvedRows` and its
 * siblings make rows of output.
 */
import { Options } from "@chemstream/batch"
import { RawRecord, type TableLayout } from "@chemstream/ndjson"
import { type Identifier, ofValue } from "../identifiers/Identifiers.ts"

const texts = /* @__PURE__ */ Options.list(Options.text)
const rowKind = /* @__PURE__ */ Options.objectWith("a row of TableLayout", { line: Options.amount })

/**
 * Makes an identifier of a row, which carries its columns. `textOf` makes the requested text of its key cells.
 *
 * @example
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 * import { TableRows } from "@chemstream/stream"
 *
 * const record = RawRecord.fromText('{"name":"Bisphenol A","casrn":"80-05-7"}')
 * TableRows.identifier({ line: 2, record }, ["casrn"], ([casrn = ""]) => casrn).text // => "80-05-7"
 * ```
 */
export const identifier = (
  row: TableLayout.Row,
  keys: ReadonlyArray<string>,
  textOf: (cells: ReadonlyArray<string>) => string
): Identifier => {
  const { fault, line, record } = Options.argument("row", rowKind, row)
  const cells = Options.argument("keys", texts, keys).map((key) => {
    const value = RawRecord.value(record, key)
    return typeof value === "string" || typeof value === "number" ? ofValue(String(value)) : ""
  })
  return {
    text: Options.argument("textOf", Options.func, textOf)(cells),
    line,
    carried: record,
    ...(fault === undefined ? {} : { fault })
  }
}
