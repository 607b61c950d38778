/** Finds the kinds of JSON values that the encoded side of a schema allows, for each field. */
import type { Schema } from "effect"
import * as SchemaAST from "effect/SchemaAST"
import { checkSchema } from "../../internal/optionChecks.ts"
import type { Kind } from "./valueKind.ts"

const ANY: ReadonlyArray<Kind> = ["string", "number", "boolean", "null", "array", "object"]

/** Returns the kinds and the required fields of a schema of objects. Another schema has none. */
export const kindsOf = (
  schema: Schema.Constraint
): { readonly kinds: Record<string, ReadonlyArray<Kind>>; readonly required: ReadonlyArray<string> } => {
  checkSchema(schema)
  const ast = SchemaAST.toEncoded(schema.ast)
  // Without a prototype, so that `__proto__` is an ordinary field.
  const kinds: Record<string, ReadonlyArray<Kind>> = Object.create(null)
  const required: Array<string> = []
  if (ast._tag === "Objects") {
    for (const { name, type } of ast.propertySignatures) {
      if (typeof name !== "string") continue
      kinds[name] = [...new Set(kindsAllowed(type, new Set()))]
      if (!SchemaAST.isOptional(type)) required.push(name)
    }
  }
  return { kinds, required }
}

const kindsAllowed = (ast: SchemaAST.AST, above: ReadonlySet<SchemaAST.AST>): ReadonlyArray<Kind> => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return ["string"]
    case "Number":
      return ["number"]
    case "Boolean":
      return ["boolean"]
    case "Null":
      return ["null"]
    case "Arrays":
      return ["array"]
    case "Objects":
      return ["object"]
    case "ObjectKeyword":
      return ["array", "object"]
    case "Literal":
      return typeof ast.literal === "bigint" ? ANY : [typeof ast.literal as Kind]
    case "Enum":
      return ast.enums.map(([, value]) => typeof value as Kind)
    case "Union":
      return ast.types.flatMap((type) => kindsAllowed(type, above))
    case "Suspend": {
      const inner = ast.thunk()
      return above.has(inner) ? [] : kindsAllowed(inner, new Set([...above, inner]))
    }
    case "Undefined":
    case "Never":
      return []
    default:
      // The JSON form is unknown.
      return ANY
  }
}
