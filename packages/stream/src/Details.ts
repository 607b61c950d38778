/**
 * Lookups of chemical detail records, and the list of all chemicals (docs/service.md, section 3.1).
 */
import { DetailProjection, DetailRecord, Details, type InvalidIdentifier } from "@chemstream/api"
import { ChemClient, ChemError, type DetailCalls } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Option, type Schema, Stream } from "effect"
import * as kinds from "./internal/kinds.ts"
import { batch, canonical, counted, elements, keyedBy } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

/** Which record is asked for. */
export interface Options {
  /** The fields of the records; the service's default (`chemicaldetailall`) when not given. */
  readonly projection?: DetailProjection.DetailProjection | undefined
}

/**
 * Detail records by substance identifier (DTXSID), up to 1000 a call.
 *
 * @example
 * ```ts
 * import { Details } from "@chemstream/stream"
 *
 * Details.byDtxsid({ projection: "ntatoolkit" }).size // => 1000
 * ```
 */
export const byDtxsid = (options: Options = {}): Lookup<RawRecord.RawRecord> =>
  batch({
    endpoint: "details.byDtxsidBatch",
    kind: kinds.dtxsid,
    multiplicity: "one",
    request: (payload) => ({ payload, query: queryOf(options) }),
    answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), schemaOf(options))
  })

/** Detail records by compound identifier (DTXCID), up to 1000 a call. */
export const byDtxcid = (options: Options = {}): Lookup<RawRecord.RawRecord> =>
  batch({
    endpoint: "details.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: "one",
    request: (payload) => ({ payload, query: queryOf(options) }),
    answer: keyedBy("dtxcid", canonical(kinds.dtxcid.parse), schemaOf(options))
  })

const queryOf = ({ projection }: Options): { readonly projection?: DetailProjection.DetailProjection } =>
  projection === undefined ? {} : { projection }

/** The form of the records of the list of all chemicals: standard-2 records, or their identifiers alone. */
export type AllProjection = keyof DetailCalls.AllForms

const schemaOf = ({ projection }: Options): Schema.Constraint =>
  DetailRecord.schemas[projection ?? DetailProjection.defaultProjection]

/** How the list of all chemicals is read. */
export interface AllOptions {
  /** The form of the records; `standard-2` when not given. */
  readonly projection?: AllProjection | undefined
  /** The page to begin with, from 1; the first when not given. */
  readonly page?: number | undefined
}

/** One page of the list of all chemicals. */
export interface Page {
  /** Its number, from 1. A later run that begins with the next one goes on where this page ends. */
  readonly page: number
  readonly records: ReadonlyArray<RawRecord.RawRecord>
}

/**
 * All chemicals, page after page, until an empty page. The next page is asked for when this one has been used up.
 *
 * To go on where a run was cut short, begin with the page after the last one that was used up. Fails with
 * `InvalidIdentifier`, and asks for nothing, where `page` is no whole number from 1; with `MalformedResponse` where a
 * page begins as the one before it did: the service then does not heed the page number and would send the same page
 * for ever.
 *
 * @example
 * ```ts
 * import { Details } from "@chemstream/stream"
 * import { Stream } from "effect"
 *
 * const records = Details.all({ projection: "all-ids" }).pipe(
 *   Stream.map((page) => page.records),
 *   Stream.flattenIterable
 * )
 * ```
 */
export const all = (
  options: AllOptions = {}
): Stream.Stream<Page, ChemError.ChemError | InvalidIdentifier.InvalidIdentifier, ChemClient.ChemClient> =>
  Stream.paginate({ page: options.page ?? 1, before: undefined as string | undefined }, ({ before, page }) =>
    counted((attempts) =>
      Effect.gen(function* () {
        const client = yield* ChemClient.ChemClient
        const query = options.projection === "all-ids" ? { projection: options.projection } : {}
        const request = { query: { ...query, [Details.defaultPageParameter]: page } }
        const records = yield* client.raw("details.all", request, elements)
        const [first] = records
        if (first === undefined) return [[], Option.none()] as const
        const beginning = RawRecord.toText(first)
        if (beginning === before) return yield* samePage(page, attempts())
        return [[{ page, records }], Option.some({ page: page + 1, before: beginning })] as const
      })
    )
  )

const samePage = (page: number, attempts: number): ChemError.MalformedResponse =>
  new ChemError.MalformedResponse({
    endpoint: "details.all",
    attempts,
    status: 200,
    path: "[0]",
    message: `page ${page} begins as page ${page - 1} did: the service does not heed the page number; set pageParameter of the client to the name it uses`
  })
