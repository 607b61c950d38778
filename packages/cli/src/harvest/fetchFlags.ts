/**
 * The options of what a harvest fetches: the lookups of `--fetch`, with the projection of `--projection`.
 *
 * A lookup of the contract has a name in the stream package, e.g. `details.byDtxsid`. A program may add endpoints; their lookups are its
 * own (`own`), and `layerLookups` registers them.
 */

import { type DetailProjection, type Key, type Row, Rows } from "@chemstream/api"
import { Lookup } from "@chemstream/stream"
import { Fetch } from "@chemstream/workflow"
import { Effect, type Layer } from "effect"
import { Flag } from "effect/cli"
import { type CommandFailure, usageFailure } from "../CommandFailure.ts"
import * as CommandIndex from "../endpoints/commandIndex.ts"
import { parsedText } from "../flags/flagTypes.ts"
import { listed } from "../help/nameSuggestions.ts"

/** A lookup to fetch. */
export interface Fetched {
  /** Its name, as it is given. */
  readonly given: string
  readonly spec: Fetch.LookupSpec | { readonly own: string }
  readonly key: Key.Key
}

const ofContract = (given: string, name: Lookup.Name): Fetched => ({
  given,
  spec: { lookup: name } as Fetch.LookupSpec,
  key: Lookup.keyOf(name)
})

/** Whether an endpoint is one of the contract. A harvest names the others as lookups of the program. */
const isOfContract = (row: Row.Row): boolean => Rows.all.some((one) => one === row)

/** Returns the lookup of a name: the words of its command, or the name of the lookup. */
export const fetchedOf = (
  text: string,
  lookups: ReadonlyMap<string, Row.Row>,
  rows: CommandIndex.RowList | undefined
): Fetched | undefined => {
  const given = text.replace(/[\s-]+/g, "-")
  const row =
    lookups.get(given) ??
    [...lookups.values()].find(({ name }) => name === given) ??
    CommandIndex.ofLine(text, rows)
  // A harvest gives no query parameters, and a list has no identifiers to divide into chunks.
  if (row !== undefined && !(CommandIndex.isLookup(row) && CommandIndex.isComplete(row.query)))
    return undefined
  if (row !== undefined && !isOfContract(row))
    return { given, spec: { own: row.name }, key: CommandIndex.keyOf(row) }
  const name = Lookup.names.find((one) => one === (row?.name ?? given))
  return name === undefined || !CommandIndex.isComplete(Lookup.optionFields(name))
    ? undefined
    : ofContract(given, name)
}

/** Returns the option of the lookups to fetch, of these endpoints. */
export const fetch = (rows?: CommandIndex.RowList) => {
  const lookups = new Map(
    [...CommandIndex.lookups(rows)].filter(([, { query }]) => CommandIndex.isComplete(query))
  )
  const names = [...lookups.keys()]
  const parse = (text: string): ReadonlyArray<Fetched> | undefined => {
    // The form of the command is accepted, too: bioactivity data --by aeid.
    const parts = text.split(",").map((part) => part.trim())
    const fetched = parts.flatMap((part) => fetchedOf(part, lookups, rows) ?? [])
    const isUsable =
      fetched.length === parts.length &&
      new Set(fetched.map(({ given }) => given)).size === parts.length &&
      // Lookups of the program are not joined.
      (parts.length === 1 || fetched.every(({ spec }) => "lookup" in spec))
    return isUsable ? fetched : undefined
  }
  return parsedText(
    "fetch",
    "A,B",
    `Records to fetch, by the names of their commands: ${listed(names)}; several are joined into one record; also a lookup by its name, e.g. details.byDtxsid [default: details]`,
    parse,
    (text) => `names separated by commas, each once: ${listed(names, text.split(",").at(-1))}`
  ).pipe(Flag.withDefault([ofContract("details", "details.byDtxsid")] as ReadonlyArray<Fetched>))
}

/** Provides the lookups of the endpoints that the contract does not have. */
export const layerLookups = (rows: CommandIndex.RowList = []): Layer.Layer<never> =>
  Fetch.layerLookups(
    Object.fromEntries(
      [...CommandIndex.lookups(rows).values()]
        .filter((row) => !isOfContract(row) && CommandIndex.isComplete(row.query))
        .map((row) => [row.name, Lookup.of(row)])
    )
  )

/** The fields of a JSON object with the value of the lookups. */
export const fieldsOf = (fetched: ReadonlyArray<Fetched>): ReadonlyArray<string> => [
  ...new Set(fetched.map(({ key: { name, recordField } }) => recordField ?? name))
]

/** The lookups of the flags, with the projection of details if one is given. */
export const fetchSpec = (
  fetched: ReadonlyArray<Fetched>,
  projection: DetailProjection.DetailProjection | undefined
): Effect.Effect<Fetch.Spec, CommandFailure> => {
  const isOfDetails = ({ spec }: Fetched): boolean => "lookup" in spec && spec.lookup.startsWith("details.")
  if (projection !== undefined && !fetched.some(isOfDetails)) {
    return usageFailure(
      `--projection ${projection} belongs to details and cannot be used with --fetch ${fetched.map(({ given }) => given).join(",")}`
    )
  }
  const one = (part: Fetched): Fetched["spec"] =>
    isOfDetails(part) && projection !== undefined
      ? ({ ...part.spec, projection: projection } as Fetch.LookupSpec)
      : part.spec
  const [only, ...others] = fetched
  return Effect.succeed(
    only !== undefined && others.length === 0
      ? one(only)
      : {
          enrich: Object.fromEntries(fetched.map((part) => [part.given, one(part) as Fetch.LookupSpec]))
        }
  )
}
