/**
 * The resources and the prompt of `chemstream mcp`: the schemas of records, and the rules of identifiers.
 */
import { IdentifierKind, JsonSchema } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Effect, Layer, Schema } from "effect"
import { McpServer } from "effect/ai"
import type { RowList } from "../endpoints/commandIndex.ts"
import * as RecordKinds from "../endpoints/recordKinds.ts"

/** A resource for each kind of record, one for the identifiers, and the prompt. */
export const layer = (rows?: RowList) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { dialect } = yield* ChemClient.ChemClient
      for (const [name, { description, defaultProjection, schemas }] of Object.entries(
        RecordKinds.of(rows)
      )) {
        for (const [projection, schema] of Object.entries(schemas(dialect))) {
          const path = projection === defaultProjection ? name : `${name}/${projection}`
          yield* McpServer.registerResource({
            uri: `chemstream://schemas/${path}`,
            name: `schema of ${path}`,
            description: `${description}, as JSON Schema`,
            mimeType: "application/schema+json",
            content: Effect.sync(() => JSON.stringify(JsonSchema.of(schema), null, 2))
          })
        }
      }
      yield* McpServer.registerResource({
        uri: "chemstream://identifiers",
        name: "identifiers",
        description: "The kinds of identifiers that resolve takes, with examples",
        mimeType: "text/markdown",
        content: Effect.succeed(identifiers)
      })
      yield* McpServer.registerPrompt({
        name: "account_for_a_list",
        description: "Looks up a list of identifiers and accounts for every one",
        parameters: { list: Schema.String },
        content: ({ list }) =>
          Effect.succeed(
            `Resolve these identifiers with the tool resolve, at most 1000 in a call, then look up what I ask for. Follow every cursor. Report how many were found, missing, failed and invalid, and list by name those that were not found; the numbers must add up to the length of the list. Do not choose among the candidates of an ambiguous identifier without asking.\n\n${list}`
          )
      })
    })
  )

const identifiers = [
  "# Identifiers",
  "",
  ...IdentifierKind.names.map((name) => {
    const { example, label } = IdentifierKind.kinds[name]
    return `- \`${name}\`: ${label}, e.g. \`${example}\``
  }),
  "",
  "A DTXSID names a substance, a DTXCID its structure. CAS numbers and DTXSIDs have a check digit."
].join("\n")
