/**
 * The columns that the encoded side of a schema has.
 */
import type { Schema } from "effect"
import * as SchemaAST from "effect/SchemaAST"
import type { Column, ColumnType } from "../../Table.ts"

export const columnsOfSchema = (schema: Schema.Constraint): ReadonlyArray<Column> => {
  const ast = SchemaAST.toEncoded(schema.ast)
  if (ast._tag !== "Objects") return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    typeof name === "string" ? [{ name, type: typeOf(type) }] : []
  )
}

/** What the values are, `null` apart; of several kinds nothing but their text is common. */
const typeOf = (ast: SchemaAST.AST): ColumnType => {
  const [type = "json", ...others] = new Set(typesOf(ast))
  return others.length === 0 ? type : "json"
}

const typesOf = (ast: SchemaAST.AST): ReadonlyArray<ColumnType> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(typesOf)
    case "Null":
    case "Undefined":
      return []
    case "String":
    case "TemplateLiteral":
      return ["text"]
    case "Literal":
      return [typeof ast.literal === "string" ? "text" : "json"]
    case "Boolean":
      return ["boolean"]
    case "Number":
      return [isInteger(ast) ? "integer" : "number"]
    default:
      return ["json"]
  }
}

const isInteger = (ast: SchemaAST.AST): boolean => {
  const annotations = SchemaAST.resolve(ast)
  const id = (annotations?.["representation"] as { readonly id?: unknown } | undefined)?.id
  return id === "effect/schema/isInt" || ["int64", "int32"].includes(String(annotations?.["format"]))
}
