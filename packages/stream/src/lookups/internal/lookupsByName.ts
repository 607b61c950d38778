/**
 * Finds lookups by name, e.g. `details.byDtxsid`, with the types of their options and records. A lookup has the name of its endpoint.
 */
import { type Key, Operation, type Row, Rows } from "@chemstream/api"
import { InvalidOption, Options } from "@chemstream/batch"
import { Endpoint as Calls } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Schema } from "effect"
import { type LookupOf, of, type OptionsOf as RowOptions } from "./endpointLookup.ts"
import { type Lookup, lookupKind, settingOfClient } from "./lookupType.ts"
import * as msReady from "./special/msReadySearch.ts"
import * as nameSearch from "./special/nameSearch.ts"

/** The lookups that are more than their row, each with its options. */
const special = {
  "search.equal": { make: nameSearch.equal, options: {} },
  "search.equalBatch": { make: nameSearch.equalBatch, options: {} },
  "search.startWith": { make: nameSearch.startWith, options: {} },
  "search.contain": { make: nameSearch.contain, options: {} },
  "msready.byDtxcid": { make: msReady.byDtxcid, options: {} },
  "msready.byMass": {
    make: msReady.byMass,
    options: { tolerance: Schema.optional(Schema.Finite), ppm: Schema.optional(Schema.Finite) }
  },
  "msready.byMassRange": { make: msReady.byMassRange, options: {} }
} as const

type Special = typeof special

/** The older names of lookups. */
const aliases = { "bioactivity.aed": "bioactivity.aedByDtxsid" } as const

type Aliases = typeof aliases

/** The name of an endpoint with a lookup. An endpoint without a key has none. */
type RowName = {
  readonly [R in Rows.Known as R["name"]]: R extends { readonly key: object } ? R["name"] : never
}[Rows.Name]

/** The name of a lookup: that of its endpoint, e.g. `details.byDtxsid`. */
export type Name = RowName | keyof Special | keyof Aliases

/** The names of all lookups. */
export const names: ReadonlyArray<Name> = /* @__PURE__ */ allNames()

function allNames(): ReadonlyArray<Name> {
  const rows: ReadonlyArray<Row.Row> = Rows.all
  const keyed = rows.filter(({ key }) => key !== undefined).map(({ name }) => name)
  return [...new Set([...keyed, ...Object.keys(special), ...Object.keys(aliases)])] as ReadonlyArray<Name>
}

/** A lookup by its name, or a lookup itself, e.g. of `Enrich`. */
export type Endpoint = Name | Lookup<RawRecord.RawRecord, unknown>

type RowOf<N> = N extends keyof Aliases
  ? Rows.ByName[Aliases[N]]
  : N extends keyof Rows.ByName
    ? Rows.ByName[N]
    : never

/** The options of an endpoint. A function without options has `unknown`. */
type OptionsOf<N> = N extends keyof Special
  ? Parameters<Special[N]["make"]> extends readonly [(infer O)?]
    ? unknown extends O
      ? unknown
      : NonNullable<O>
    : unknown
  : RowOf<N> extends infer R extends Row.Row
    ? RowOptions<R>
    : unknown

/** The names of the projections of an endpoint. */
export type ProjectionOf<N> = RowOf<N> extends { readonly forms: infer F } ? keyof F & string : never

/** The options of an endpoint other than its projection. */
export type OtherOptionsOf<N> = N extends Name ? Omit<OptionsOf<N>, "projection"> : unknown

/** The lookup of a name in a projection. `P` is `never` for the default. */
export type LookupIn<N, P = never> = N extends keyof Special
  ? ReturnType<Special[N]["make"]>
  : RowOf<N> extends infer R extends Row.Row
    ? LookupOf<R, [P] extends [never] ? undefined : P>
    : never

/** The record of an endpoint in a projection. `P` is `never` for the default. */
export type RecordOf<N, P = never> =
  (N extends Name ? LookupIn<N, P> : N) extends Lookup<RawRecord.RawRecord<infer A>, unknown> ? A : never

/** The failures of one identifier in a lookup, besides the failures of its calls. */
export type FailureOf<N> = N extends Lookup<RawRecord.RawRecord, infer F> ? F : never

const isName = (endpoint: unknown): endpoint is Name => names.some((name) => name === endpoint)

const rowOf = (name: Name): Row.Row => {
  const known: Readonly<Record<string, string>> = aliases
  return Rows.byName[(known[name] ?? name) as Rows.Name]
}

/** The endpoints of the lookups whose name is not that of an endpoint. */
const otherRows = { "search.equalBatch": "search.equal", "msready.byMassRange": "msready.byMass" } as const

/** Returns the key of a lookup: that of the batch if it requests batches. */
export const keyOf = (name: Name): Key.Key => {
  const row = rowOf((otherRows as Readonly<Record<string, Name>>)[name] ?? name)
  const key = name === "msready.byMassRange" ? row.key : (row.batch?.key ?? row.key)
  return key as Key.Key
}

/** Returns the schemas of the options of a lookup. */
export const optionFields = (name: Name): Schema.Struct.Fields => {
  if (name in special) return special[name as keyof Special].options
  return Operation.optionFields(rowOf(name))
}

/** The kind of the name of a lookup, for declarations of options. */
export const named: Options.Kind<Name> = /* @__PURE__ */ Options.oneOf(names)

/** The kind of a name of a lookup, or of a lookup. */
const endpointKind: Options.AnyKind = {
  ...named,
  problem: (value, path) => (lookupKind.matches(value) ? undefined : named.problem(value, path))
}

/** Returns the declaration of an endpoint, its own options, and others. */
export const setOf = (
  endpoint: unknown,
  others: Readonly<Record<string, Options.AnyKind>>
): Options.Set<Record<string, unknown>> => {
  const own = Calls.optionSet(isName(endpoint) ? optionFields(endpoint) : {}).fields
  return Options.set<Record<string, unknown>>()(
    { ...others, endpoint: Options.required(endpointKind), ...own },
    settingOfClient
  )
}

/** Returns the lookup of an endpoint: the special one, if the endpoint is of the contract and has one. Throws if it has no key. */
export const ofRow = (row: Row.Row, options: object): Lookup<RawRecord.RawRecord, unknown> => {
  if (row.key === undefined) throw withoutKey(row)
  return row.name in special && row === rowOf(row.name as Name)
    ? lookupOf(row.name as Name, options)
    : of(row, options)
}

const withoutKey = ({ name }: Row.Row): InvalidOption.InvalidOption =>
  new InvalidOption.InvalidOption({
    option: "row",
    value: name,
    wanted: "a row with a key, or use Listing.of"
  })

/** Returns the lookup of a name, or the lookup itself. */
export const lookupOf = (endpoint: Endpoint, options: object): Lookup<RawRecord.RawRecord, unknown> => {
  if (typeof endpoint !== "string") return endpoint
  const given: Readonly<Record<string, unknown>> = { ...options }
  const own = Object.fromEntries(Object.keys(optionFields(endpoint)).map((name) => [name, given[name]]))
  return endpoint in special
    ? (special[endpoint as keyof Special].make as (options: object) => Lookup<RawRecord.RawRecord>)(own)
    : of(rowOf(endpoint), own)
}
