/**
 * Chooses the projection of detail records that has the requested fields, in the dialect of the service.
 */
import { DetailProjection, DetailRecord, Quote, RecordSchema } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { Table } from "@chemstream/ndjson"
import { Effect } from "effect"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import { didYouMean } from "../help/nameSuggestions.ts"

/** The projections to choose from, the smallest first. */
const projections = ["ntatoolkit", DetailProjection.defaultProjection, "ccdchemicaldetails"] as const

/** Returns the smallest projection with these fields. Fails if none has all of them. */
export const projectionOf = (
  fields: ReadonlyArray<string>
): Effect.Effect<DetailProjection.DetailProjection, CommandFailure, ChemClient.ChemClient> =>
  Effect.flatMap(ChemClient.ChemClient, ({ dialect }) => {
    const names = projections.map((projection) => {
      const schema = RecordSchema.inDialect(DetailRecord.schemas[projection], dialect)
      return { projection, fields: Table.columnsOf(schema).map(({ name }) => name) }
    })
    const match = names.find((one) => fields.every((field) => one.fields.includes(field)))
    if (match !== undefined) return Effect.succeed(match.projection)
    const all = [...new Set(names.flatMap((one) => one.fields))]
    const unknown = fields.filter((field) => !all.includes(field))
    const words = unknown.map((name) => `${Quote.value(name)}${didYouMean(name, all)}`).join(", ")
    return usageFailure(
      unknown.length > 0
        ? `detail records have no field ${words}. To list their fields: chemstream help fields details`
        : `no projection of detail records has all of ${fields.join(", ")}`
    )
  })
