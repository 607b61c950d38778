/** The parts that the tools of `chemstream mcp` share: the list of identifiers, the paging, and their annotations. */
import { Schema } from "effect"
import { McpSchema, Tool } from "effect/ai"
import { defaultLimit, maxIdentifiers, maxLimit } from "./limits.ts"
import { optional, ToolError } from "./toolResults.ts"

/** The longest identifier, in characters: as long as a SMILES may be. */
export const maxLength = 10_000

/** A list of identifiers as a parameter. */
export const identifierList = (what: string) =>
  optional(
    Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxLength))).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maxIdentifiers)
    ),
    `${what}, at most ${maxIdentifiers}. Not needed with a cursor.`
  )

/** The parameters of every tool over a list. */
export const paging = {
  limit: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLimit })),
    `The largest number of records of this answer, at most ${maxLimit}. Default: ${defaultLimit}.`
  ),
  cursor: optional(
    Schema.String.check(Schema.isMaxLength(100)),
    "The cursor of the previous answer, to get its next records"
  )
}

/** Makes a tool that only reads. */
export const tool = <const Name extends string, P extends Schema.Struct.Fields, S extends Schema.Constraint>(
  name: Name,
  title: string,
  description: string,
  parameters: P,
  success: S
) =>
  Tool.make(name, {
    description,
    parameters: Schema.Struct(parameters),
    success,
    failure: ToolError,
    dependencies: [McpSchema.McpRequestContext]
  })
    .annotate(Tool.Title, title)
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.Strict, true)

/** The end of the description of a tool over a list. */
export const ledgerSentence = "Every identifier is in the ledger: found, missing, failed or invalid."
