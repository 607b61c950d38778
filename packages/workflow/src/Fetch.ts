/**
 * Describes the requests of a harvest as data: one lookup with its options, several lookups for one record, or a
 * lookup of the program.
 *
 * The data is stored with the harvest and read by workers on other machines. `@chemstream/stream` and the program
 * define the lookups.
 */
import { type InvalidIdentifier, Quote, Repair } from "@chemstream/api"
import { Options } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { type BatchCalls, Enrich, Lookup } from "@chemstream/stream"
import { Context, Data, Layer, Record, Result, Schema } from "effect"

type Raw = RawRecord.RawRecord

/** The older names of groups. A stored harvest may have them, e.g. `Details.byDtxsid` for `details.byDtxsid`. */
const olderGroups = {
  details: "Details",
  search: "Search",
  msready: "MsReady",
  synonyms: "Synonyms",
  bioactivity: "Bioactivity"
} as const

type OlderGroups = typeof olderGroups

type Older<N extends Lookup.Name> = N extends `${infer G extends keyof OlderGroups}.${infer M}`
  ? `${OlderGroups[G]}.${M}`
  : never

const olderName = (name: string): string => {
  const at = name.indexOf(".")
  const group = name.slice(0, at)
  return `${Object.hasOwn(olderGroups, group) ? olderGroups[group as keyof OlderGroups] : group}${name.slice(at)}`
}

const presentNames = new Map(Lookup.names.map((name) => [olderName(name), name]))

/** Returns the present name of a lookup, which may be given by its older name. */
const nameOf = (name: string): Lookup.Name =>
  presentNames.get(Options.argument("lookup", Options.text, name)) ?? (name as Lookup.Name)

/** One lookup by its name (`Lookup.names` of `@chemstream/stream`), with its options. */
export type LookupSpec = {
  readonly [N in Lookup.Name]: { readonly lookup: N | Older<N> } & Lookup.OptionsOf<N>
}[Lookup.Name]

/** The schema of one lookup. */
export const LookupSpec: Schema.Codec<LookupSpec> = Schema.Union(
  Lookup.names.map((name) =>
    Schema.Struct({ lookup: Schema.Literals([name, olderName(name)]), ...Lookup.optionFields(name) })
  )
) as unknown as Schema.Codec<LookupSpec>

/**
 * One lookup, or several lookups whose records are joined into one per identifier, as by `Enrich` of
 * `@chemstream/stream`.
 */
export const Spec = Schema.Union([
  LookupSpec,
  Schema.Struct({ enrich: Schema.Record(Schema.String, LookupSpec).check(Schema.isMinProperties(1)) }),
  /** A lookup that the program has registered under this name (`layerLookups`). */
  Schema.Struct({ own: Schema.String })
])

/** The requests of a harvest. */
export type Spec = typeof Spec.Type

/** A specification that needs no lookup of the program. */
export type BuiltIn = Exclude<Spec, { readonly own: string }>

/** The error of a lookup of the program. */
export interface OwnLookupFailure {
  readonly _tag: string
  readonly message: string
}

/** A lookup of the program: a batch call and a parser of its identifiers. Default of `parse`: accepts any text. */
export interface OwnLookup
  extends Omit<
    BatchCalls.Settings<Raw, OwnLookupFailure, never>,
    "ledger" | "parse" | "resumePoint" | "ordered"
  > {
  readonly parse?: BatchCalls.Settings<Raw, OwnLookupFailure, never>["parse"] | undefined
}

/**
 * The lookups of a program by name: its own calls, or lookups of `@chemstream/stream`, e.g. of a row that the contract
 * does not have.
 */
export type OwnLookups = Readonly<Record<string, OwnLookup | Lookup.Lookup<Raw>>>

/** The lookups of the program by name. Default: none. */
export const Lookups: Context.Reference<OwnLookups> = Context.Reference(
  "@chemstream/workflow/Fetch/Lookups",
  { defaultValue: (): OwnLookups => ({}) }
)

/**
 * Registers lookups of the program.
 *
 * `Harvest.start` needs the lookup of its harvest, and so does each worker. A worker without the lookup leaves the
 * harvest to other workers.
 *
 * @example
 *
 * ```ts
 * import { RawRecord } from "@chemstream/ndjson"
 * import { Fetch } from "@chemstream/workflow"
 *
 * const lengths = Fetch.layerLookups({
 *   lengths: {
 *     call: async (texts) => ({
 *       records: texts.map((text) => ({ key: text, record: RawRecord.fromText(`{"length":${text.length}}`) }))
 *     }),
 *     size: 10
 *   }
 * })
 * ```
 */
export const layerLookups = (lookups: OwnLookups): Layer.Layer<never> =>
  Layer.succeed(Lookups, Options.argument("lookups", lookupsKind, lookups))

const lookupsKind = /* @__PURE__ */ Options.record(
  Options.object(),
  "an object with a lookup for each name",
  0
)

/** The parts of a specification that is not one lookup. */
interface SpecParts {
  readonly own?: string
  readonly enrich?: Readonly<Record<string, LookupSpec>>
}

const partsOf = (spec: Spec): SpecParts => Options.argument("spec", specKind, spec as SpecParts)

const specKind = /* @__PURE__ */ Options.kind(
  'the requests of a harvest, e.g. { lookup: "details.byDtxsid" }',
  (value) => {
    const { enrich = {} } = (value ?? {}) as SpecParts
    return [value, enrich].every(Options.object().matches)
  }
)

/** The program has no lookup of this name. */
export class UnknownLookup extends Data.TaggedError("UnknownLookup")<{
  readonly name: string
  readonly message: string
}> {}

/** Returns an error if the program has not registered the lookup of a specification. */
export const missingLookup = (spec: Spec, own: OwnLookups): UnknownLookup | undefined => {
  const name = partsOf(spec).own
  return name === undefined || Object.hasOwn(Options.argument("own", lookupsKind, own), name)
    ? undefined
    : new UnknownLookup({
        name,
        message: `this program has no lookup ${Quote.value(name)}: register it with Fetch.layerLookups`
      })
}

/**
 * Returns the lookup of a specification.
 *
 * @example
 *
 * ```ts
 * import { Fetch } from "@chemstream/workflow"
 *
 * Fetch.lookup({ lookup: "details.byDtxsid", projection: "compact" }).size // => 1000
 * Fetch.lookup({
 *   enrich: { details: { lookup: "details.byDtxsid" }, synonyms: { lookup: "synonyms.byDtxsid" } }
 * }).endpoint // => "details.byDtxsidBatch+synonyms.byDtxsidBatch"
 * ```
 */
export const lookup = (spec: BuiltIn): Lookup.Lookup<Raw, Enrich.Incomplete> => {
  const { enrich } = partsOf(spec)
  return enrich === undefined
    ? named(spec as LookupSpec)
    : Enrich.lookup(Record.map(enrich, named) as Enrich.Parts)
}

/**
 * Returns the lookup of a specification. Undefined if it names a batch call of the program, which is no `Lookup`. `own` are
 * the lookups of the program (`Lookups`).
 */
export const lookupOf = (spec: Spec, own: OwnLookups): Lookup.Lookup<Raw, Enrich.Incomplete> | undefined => {
  const name = partsOf(spec).own
  if (name === undefined) return lookup(spec as BuiltIn)
  const found = Options.argument("own", lookupsKind, own)[name]
  return found !== undefined && "requestBatch" in found ? found : undefined
}

/**
 * Returns a specification as it is stored: with the older names, so that a harvest that an earlier release has started
 * continues, whichever name is given.
 */
export const stored = (spec: Spec): Spec => {
  const { enrich, own } = partsOf(spec)
  if (own !== undefined) return spec
  return enrich === undefined
    ? storedLookup(spec as LookupSpec)
    : { enrich: Record.map(enrich, storedLookup) }
}

const storedLookup = (spec: LookupSpec): LookupSpec =>
  ({ ...spec, lookup: olderName(nameOf(spec.lookup)) }) as LookupSpec

/** Returns the parser for the identifiers of a specification. `own` are the lookups of the program. */
export const parse = (
  spec: Spec,
  own: OwnLookups = {}
): ((text: string) => Result.Result<string, InvalidIdentifier.InvalidIdentifier>) => {
  const name = partsOf(spec).own
  if (name !== undefined) return Options.argument("own", lookupsKind, own)[name]?.parse ?? Result.succeed
  const known = lookup(spec as BuiltIn)
  return (text) => Repair.readKey(known, text)
}

const named = ({ lookup: name, ...options }: LookupSpec): Lookup.Lookup<Raw> =>
  Lookup.of(nameOf(name), options as never)
