/**
 * Suggests the nearest known value for an unknown one, if the endpoint has a vocabulary: a closed set, or a catalogue, which is a list of
 * the service. A run requests the catalogue once, and only if a value is missing.
 */
import { type Key, Operation, type Row } from "@chemstream/api"
import { InvalidOption } from "@chemstream/batch"
import { BodyReader, ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Schema } from "effect"
import type { Inspection } from "./inspection.ts"
import type { Lookup } from "./lookupType.ts"

type Raw = RawRecord.RawRecord

type Names = Effect.Effect<ReadonlyArray<string>, never, ChemClient.ChemClient>

/** Returns the lookup of an endpoint, with suggestions for its unknown values. */
export const withSuggestions = (row: Row.Row, lookup: Lookup<Raw>): Lookup<Raw> => {
  const { key, vocabulary } = row
  if (key === undefined || vocabulary === undefined) return lookup
  const load = namesOf(vocabulary)
  const start = (): { readonly names: Names } => ({ names: Effect.runSync(Effect.cached(load)) })
  const suggest = (ids: ReadonlyArray<string>, { memory }: Inspection) =>
    Effect.map(
      (memory?.(start) ?? start()).names,
      (names) =>
        new Map(
          ids.flatMap((id) => {
            const nearest = nearestValue(key, id, vocabulary.of, names)
            return nearest === undefined ? [] : [[id, [nearest]] as const]
          })
        )
    )
  const changed: Pick<Lookup<Raw>, "cost" | "requestBatch"> = {
    cost: vocabulary.row === undefined ? lookup.cost : withCatalogue(lookup.cost),
    requestBatch: (ids, inspection) =>
      lookup.requestBatch(ids, inspection).pipe(
        Effect.catchTag("NotFound", (error) =>
          Effect.flatMap(suggest(ids, inspection), (suggestions) => {
            const { message } = error
            const values = [...suggestions.values()].flat()
            return Effect.fail(new ChemError.NotFound({ ...error, message, suggestions: values }))
          })
        ),
        Effect.flatMap((result) => {
          const found = new Set(result.records.map((one) => one.key))
          const missing = ids.filter((id) => !found.has(id))
          return missing.length === 0
            ? Effect.succeed(result)
            : Effect.map(suggest(missing, inspection), (suggestions) => ({ ...result, suggestions }))
        })
      )
  }
  // A spread would make the schema, which is made when it is first read.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(lookup),
      ...Object.getOwnPropertyDescriptors(changed)
    }
  ) as Lookup<Raw>
}

/** Adds the request of the catalogue to the most requests of a run. */
const withCatalogue =
  (cost: Lookup<Raw>["cost"]): Lookup<Raw>["cost"] =>
  (dialect) => {
    const costOf = cost?.(dialect)
    let extra = 1
    return (ids) => {
      const own = costOf?.(ids) ?? { kinds: {}, least: 1, most: 1 }
      const most = own.most === undefined ? undefined : own.most + extra
      extra = 0
      return { ...own, most }
    }
  }

/** The known values. Without the catalogue, values are missing as without a vocabulary. */
const namesOf = ({ field, projection, row, values = [] }: Row.Vocabulary): Names => {
  if (row === undefined) return Effect.succeed(values)
  const element = field === undefined ? Schema.String : Schema.Struct({ [field]: Schema.String })
  const read = BodyReader.json(Schema.Array(element as Schema.Schema<unknown> as Schema.Codec<unknown>))
  const query = projection === undefined ? {} : { query: { projection } }
  return Effect.flatMap(ChemClient.ChemClient, (client) =>
    client.raw(Operation.single(row()), query, read)
  ).pipe(
    Effect.map((records) =>
      records.map(
        (one) => (field === undefined ? one : (one as Readonly<Record<string, unknown>>)[field]) as string
      )
    ),
    Effect.orElseSucceed(() => [])
  )
}

/**
 * Returns the value with the nearest known name instead of its own: `Melting Point,1,2` for `Meltig Point,1,2`. Undefined: none is near, or
 * its name is known. `of` is the field of the name. Default: the only one.
 */
const nearestValue = (
  key: Key.Key,
  id: string,
  of: string | undefined,
  names: ReadonlyArray<string>
): string | undefined => {
  const fields = key.toFields(id)
  const [only = ""] = Object.keys(fields)
  const name = String(fields[of ?? only])
  const nearest = names.includes(name) ? undefined : InvalidOption.nearest(name, names)
  return nearest === undefined
    ? undefined
    : Object.values({ ...fields, [of ?? only]: nearest })
        .map(String)
        .join(",")
}
