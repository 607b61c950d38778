/**
 * `chemstream schema`: prints the JSON Schema of the output of the commands.
 */

import { Dialect, JsonSchema, Quote } from "@chemstream/api"
import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { type CommandFailure, usageFailure } from "../../CommandFailure.ts"
import type { RowList } from "../../endpoints/commandIndex.ts"
import * as RecordKinds from "../../endpoints/recordKinds.ts"
import { choice, optionalText } from "../../flags/flagTypes.ts"
import { didYouMean, listed } from "../../help/nameSuggestions.ts"
import { withHelp } from "../../help/withHelp.ts"
import * as OutputFiles from "../../output/outputFiles.ts"

/** Makes the command. Default: for the endpoints of the contract. */
export const schema = (rows?: RowList) => {
  const kinds = RecordKinds.of(rows)
  const names = Object.keys(kinds)
  return Command.make(
    "schema",
    {
      record: Argument.String("RECORD").pipe(
        Argument.withDescription(`Kind of record: ${listed(names)} [default: all, as $defs of one document]`),
        Argument.withDefault(undefined)
      ),
      projection: optionalText(
        "projection",
        "NAME",
        "Projection of the records [default: that of the command that writes them]",
        "p"
      ),
      dialect: choice(
        "dialect",
        Dialect.names,
        "specification",
        "The dialect of the service that sends the records [default: specification]"
      )
    },
    ({ dialect, projection, record }) =>
      Effect.gen(function* () {
        const document =
          record !== undefined
            ? yield* documentOf(kinds, record, projection, dialect)
            : yield* documentOfAll(kinds, projection, dialect)
        const bytes = new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`)
        yield* OutputFiles.write(undefined, Stream.make(bytes))
      })
  ).pipe(
    withHelp("JSON Schema (draft 2020-12) of the output of the other commands", {
      "chemstream schema details --projection compact": "The records of one projection",
      "chemstream schema errors > errors.schema.json": "The lines of --errors"
    })
  )
}

type Document = Effect.Effect<JsonSchema.JsonSchema, CommandFailure>

/** The schema of the records of one kind. Default: in the projection of its command. */
const documentOf = (
  kinds: RecordKinds.RecordKinds,
  record: string,
  projection: string | undefined,
  dialect: Dialect.Name
): Document => {
  const kind = RecordKinds.find(kinds, record)
  const names = Object.keys(kinds)
  if (kind === undefined)
    return usageFailure(
      `unknown record ${Quote.value(record)}${didYouMean(record, names)}; the records are ${listed(names, record)}`
    )
  const schemas = kind.schemas(dialect)
  const projections = Object.keys(schemas).filter((name) => name !== "")
  const name = projection ?? kind.defaultProjection
  const found = schemas[name]
  if (found !== undefined) return Effect.succeed(JsonSchema.of(found))
  const known =
    projections.length === 0 ? "has no projections" : `has the projections ${projections.join(", ")}`
  return usageFailure(`--projection ${name}: ${record} ${known}`)
}

/** The schema of every kind of record, in its default projection. */
const documentOfAll = (
  kinds: RecordKinds.RecordKinds,
  projection: string | undefined,
  dialect: Dialect.Name
): Document =>
  projection !== undefined
    ? usageFailure(`--projection ${projection} needs a RECORD, e.g. details`)
    : Effect.map(
        Effect.forEach(Object.entries(kinds), ([name, { description }]) =>
          Effect.map(documentOf(kinds, name, undefined, dialect), ({ $schema, ...document }) => [
            name,
            { description, ...document }
          ])
        ),
        (entries) => ({
          $schema: "https://json-schema.org/draft/2020-12/schema",
          title: "Output of chemstream",
          $defs: Object.fromEntries(entries)
        })
      )
