/**
 * Lookups of chemical detail records, and the list of all chemicals (docs/service.md, section 3.1).
 */
import { DetailProjection, DetailRecord, Details, type InvalidIdentifier } from "@chemstream/api"
import type { Reconcile } from "@chemstream/batch"
import { type BodyReader, ChemClient, type ChemError, type DetailCalls, Pages } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Schema, type Stream } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { canonical, checked, keyedBy, kindOf, lookup, problem, unexpected } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

/** Which record is asked for. */
export interface Options<P extends DetailProjection.DetailProjection = DetailProjection.DetailProjection> {
  /** The fields of the records. Default: `chemicaldetailall`, the service's own. */
  readonly projection?: P | undefined
}

/** The lookup of a projection. */
type Lookups<P extends DetailProjection.DetailProjection> = Lookup<
  RawRecord.RawRecord<DetailRecord.DetailRecord<P>>
>

type Default = typeof DetailProjection.defaultProjection

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
export const byDtxsid = <P extends DetailProjection.DetailProjection = Default>(
  options: Options<P> = {}
): Lookups<P> =>
  lookup({
    endpoint: "details.byDtxsidBatch",
    kind: kinds.dtxsid,
    multiplicity: multiplicityOf(options),
    request: (payload) => ({ payload, query: queryOf(options) }),
    parameters: options.projection && { projection: options.projection },
    answer: keyedBy("dtxsid", canonical(kinds.dtxsid.parse), schemaOf(options))
  })

/** Detail records by compound identifier (DTXCID), up to 1000 a call. */
export const byDtxcid = <P extends DetailProjection.DetailProjection = Default>(
  options: Options<P> = {}
): Lookups<P> =>
  lookup({
    endpoint: "details.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: multiplicityOf(options),
    request: (payload) => ({ payload, query: queryOf(options) }),
    parameters: options.projection && { projection: options.projection },
    answer: keyedBy("dtxcid", canonical(kinds.dtxcid.parse), schemaOf(options))
  })

const queryOf = ({ projection }: Options): { readonly projection?: DetailProjection.DetailProjection } =>
  projection === undefined ? {} : { projection }

/** Services send one record for each assay of a substance with this projection. */
const multiplicityOf = ({ projection }: Options): Reconcile.Multiplicity =>
  projection === "ccdassaydetails" ? "many" : "one"

/** The form of the records of the list of all chemicals: standard-2 records, or their identifiers alone. */
export type AllProjection = keyof DetailCalls.AllForms

const schemaOf = <P extends DetailProjection.DetailProjection>({
  projection
}: Options<P>): Schema.Schema<DetailRecord.DetailRecord<P>> =>
  DetailRecord.schemas[projection ?? DetailProjection.defaultProjection] as never

/** How the list of all chemicals is read. */
export interface AllOptions<P extends AllProjection = AllProjection> {
  /** The form of the records. Default: `standard-2`. */
  readonly projection?: P | undefined
  /** The page to begin with, from 1; the first when not given. */
  readonly page?: number | undefined
}

/** One page of the list of all chemicals. A later run that begins with the next page continues where this one ends. */
export type Page<P extends AllProjection = AllProjection> = Pages.Page<
  RawRecord.RawRecord<DetailCalls.AllForms[P]>
>

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
export const all = <P extends AllProjection = "standard-2">(
  options: AllOptions<P> = {}
): Stream.Stream<Page<P>, ChemError.ChemError | InvalidIdentifier.InvalidIdentifier, ChemClient.ChemClient> =>
  Pages.all({
    endpoint: "details.all",
    first: options.page,
    ask: (page) =>
      Effect.flatMap(ChemClient.ChemClient, (client) => {
        const query = options.projection === "all-ids" ? ({ projection: "all-ids" } as const) : {}
        return client.raw(
          "details.all",
          { query: { ...query, [Details.defaultPageParameter]: page } },
          sliceOf
        )
      }),
    toText: RawRecord.toText
  }) as Stream.Stream<
    Page<P>,
    ChemError.ChemError | InvalidIdentifier.InvalidIdentifier,
    ChemClient.ChemClient
  >

/** Reads a page: an array, or `{size, total, next, data}`, where `next` is the cursor of the next page. */
const sliceOf: BodyReader.BodyReader<Pages.Slice<RawRecord.RawRecord>> = (body) =>
  Result.flatMap(checked(body), (text): ReturnType<typeof sliceOf> => {
    const data = kindOf(text) === "object" ? RawRecord.value(text, "data") : text
    if (!RawRecord.isRawRecord(data)) return Result.fail(unexpected(kindOf(text)))
    const cut = Result.mapError(RawArray.cut(data.bytes.subarray(data.start, data.end)), problem)
    return Result.map(cut, (records) =>
      data === text
        ? { records }
        : {
            records,
            next: Pages.cursor(
              RawRecord.value(text, "next"),
              records.map((record) => RawRecord.value(record, "id"))
            )
          }
    )
  })
