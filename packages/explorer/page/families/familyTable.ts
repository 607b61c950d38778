/**
 * Records as a table: a column for each field with a value, and the text of each value as the service sent it.
 *
 * The meaning and the unit of a field come from the schema of the records.
 */
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Result, type Schema, SchemaAST } from "effect"

/** A column, with what the schema says about its field. */
export interface Column {
  readonly name: string
  readonly meaning: string | undefined
  readonly unit: string | undefined
}

/** The value of a field: its text, or a table for objects in it. */
export type Cell = { readonly text: string; readonly isNumber: boolean } | Table

/** A table. A record without a value in a column has undefined. */
export interface Table {
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell | undefined>>
}

/** The source of made-up records (docs/service.md). */
const madeUpSource = "example data"

/** Returns whether a record is made up, and says so. */
export const isExample = (record: RawRecord.RawRecord): boolean =>
  RawRecord.value(record, "source") === madeUpSource

/** Makes the table of records. `hidden` are fields to leave out, e.g. the key that all records share. */
export const tableOf = (
  records: ReadonlyArray<RawRecord.RawRecord>,
  schema: Schema.Constraint | undefined,
  hidden: ReadonlyArray<string> = []
): Table => tableOfAst(records, schema?.ast, hidden)

/** Returns the only value of a table of one record with one field, if it is a table itself, e.g. the properties of a substance. */
export const innermost = (table: Table): Table => {
  const only = table.columns.length === 1 && table.rows.length === 1 ? table.rows[0]?.[0] : undefined
  return only !== undefined && "rows" in only ? innermost(only) : table
}

const tableOfAst = (
  records: ReadonlyArray<RawRecord.RawRecord>,
  ast: SchemaAST.AST | undefined,
  hidden: ReadonlyArray<string>
): Table => {
  const fields = fieldsOf(ast)
  const cells = records.map((record) => cellsOf(record, fields))
  const used = new Set(cells.flatMap((row) => [...row.keys()]))
  const known = [...fields.keys()].filter((name) => used.has(name))
  const names = [...new Set([...known, ...used])].filter((name) => !hidden.includes(name))
  return {
    columns: names.map((name) => ({ name, ...describe(fields.get(name)) })),
    rows: cells.map((row) => names.map((name) => row.get(name)))
  }
}

/** Returns the values of a record that is an object. Null and empty values have no cell. */
const cellsOf = (
  record: RawRecord.RawRecord,
  fields: ReadonlyMap<string, SchemaAST.AST>
): ReadonlyMap<string, Cell> => {
  const entries = Result.getOrElse(RawRecord.entries(record), () => [])
  return new Map(
    entries.flatMap(({ key, kind, value }) => {
      const cell = cellOf(kind, value, fields.get(key))
      return cell === undefined ? [] : [[key, cell] as const]
    })
  )
}

const cellOf = (
  kind: string,
  value: RawRecord.RawRecord,
  ast: SchemaAST.AST | undefined
): Cell | undefined => {
  const text = RawRecord.toText(value)
  if (kind === "null") return undefined
  if (kind === "object") return tableOfAst([value], ast, [])
  if (kind === "array") {
    const elements = Result.getOrElse(RawArray.cut(RawRecord.toBytes(value)), () => [])
    if (elements.length === 0) return undefined
    if (elements.every((one) => RawRecord.toText(one).startsWith("{"))) return tableOfAst(elements, ast, [])
    return { text: elements.map((one) => plain(RawRecord.toText(one))).join(", "), isNumber: false }
  }
  const shown = plain(text)
  return shown.trim() === "" ? undefined : { text: shown, isNumber: kind === "number" }
}

/** Returns the characters of a JSON text, and the text of any other value. */
const plain = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json)

/** The parts of a schema without the alternatives of null and lists. */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(partsOf)
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap(partsOf)
  return [ast]
}

/** Returns the fields of the objects in a schema. */
const fieldsOf = (ast: SchemaAST.AST | undefined): ReadonlyMap<string, SchemaAST.AST> =>
  new Map(
    (ast === undefined ? [] : partsOf(ast)).flatMap((part) =>
      SchemaAST.isObjects(part)
        ? part.propertySignatures.map(({ name, type }) => [String(name), type] as const)
        : []
    )
  )

const describe = (ast: SchemaAST.AST | undefined): Omit<Column, "name"> => {
  const types = ast === undefined ? [] : [ast, ...(SchemaAST.isUnion(ast) ? ast.types : [])]
  const find = (name: string): string | undefined =>
    types.map((type) => SchemaAST.resolve(type)?.[name]).find((value) => typeof value === "string") as
      | string
      | undefined
  return { meaning: find("description"), unit: find("x-unit") }
}
