/**
 * Makes the schema of a fast check: without the rule that unknown fields of a record (its rest) may have any value. That rule accepts
 * everything, and would double the time of a check.
 */
import { Schema } from "effect"

/** Returns the schema without the rule for unknown fields, also within lists and unions. A schema with checks stays as it is. */
export const withoutRest = (schema: Schema.Constraint): Schema.Constraint => {
  const { ast } = schema
  if (ast.checks !== undefined || ast.encoding !== undefined) return schema
  const parts = schema as {
    readonly schema?: Schema.Top
    readonly records?: ReadonlyArray<Schema.Top>
    readonly value?: Schema.Top
    readonly members?: ReadonlyArray<Schema.Top>
  }
  switch (ast._tag) {
    case "Objects":
      return parts.schema !== undefined && parts.records?.every(isAnything) ? parts.schema : schema
    case "Arrays":
      return parts.value === undefined || ast.elements.length > 0 || ast.rest.length !== 1
        ? schema
        : Schema.Array(withoutRest(parts.value) as Schema.Top)
    case "Union":
      return parts.members === undefined
        ? schema
        : Schema.Union(
            parts.members.map((member) => withoutRest(member) as Schema.Top),
            ast.options
          )
    default:
      return schema
  }
}

/** Whether the rule for unknown fields accepts any value. */
const isAnything = ({ ast }: Schema.Top): boolean =>
  ast._tag === "Objects" &&
  ast.indexSignatures.every(({ parameter, type }) => parameter._tag === "String" && type._tag === "Unknown")
