/**
 * Looks up chemical detail records, and reads the list of all chemicals (docs/service.md, section 3.1).
 */
import { DetailProjection, DetailRecord, Details, Dialect, type InvalidIdentifier } from "@chemstream/api"
import type { Reconcile } from "@chemstream/batch"
import { type BodyReader, ChemClient, type ChemError, type DetailCalls, Pages } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Schema, type Stream } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { bodyFault, jsonText, kindOf, unexpected } from "./internal/body.ts"
import { canonical, keyedReader } from "./internal/keyedReader.ts"
import { lookup } from "./internal/lookup.ts"
import type { Lookup } from "./Lookup.ts"

/** The options of the lookups. */
export interface Options<P extends DetailProjection.DetailProjection = DetailProjection.DetailProjection> {
  /** The named set of fields of the records. Default: `chemicaldetailall`. */
  readonly projection?: P | undefined
}

/** The lookup of a projection. */
type Lookups<P extends DetailProjection.DetailProjection> = Lookup<
  RawRecord.RawRecord<DetailRecord.DetailRecord<P>>
>

type Default = typeof DetailProjection.defaultProjection

/**
 * Looks up detail records by substance identifier (DTXSID), up to 1000 a call.
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
    refusal: refusalOf("dtxsid", options),
    reader: keyedReader("dtxsid", canonical(kinds.dtxsid.parse), schemaOf(options))
  })

/** Looks up detail records by compound identifier (DTXCID), up to 1000 a call. */
export const byDtxcid = <P extends DetailProjection.DetailProjection = Default>(
  options: Options<P> = {}
): Lookups<P> =>
  lookup({
    endpoint: "details.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: multiplicityOf(options),
    request: (payload) => ({ payload, query: queryOf(options) }),
    parameters: options.projection && { projection: options.projection },
    refusal: refusalOf("dtxcid", options),
    reader: keyedReader("dtxcid", canonical(kinds.dtxcid.parse), schemaOf(options))
  })

const refusalOf =
  (key: string, { projection = DetailProjection.defaultProjection }: Options): Lookup<unknown>["refusal"] =>
  (dialect) =>
    Dialect.withoutProjection(dialect, projection, key)

const queryOf = ({ projection }: Options): { readonly projection?: DetailProjection.DetailProjection } =>
  projection === undefined ? {} : { projection }

/** With this projection, services send one record for each assay of a substance. */
const multiplicityOf = ({ projection }: Options): Reconcile.Multiplicity =>
  projection === "ccdassaydetails" ? "many" : "one"

/** The projection of the list of all chemicals: `standard-2` records, or identifiers only. */
export type AllProjection = keyof DetailCalls.AllForms

const schemaOf = <P extends DetailProjection.DetailProjection>({
  projection
}: Options<P>): Schema.Schema<DetailRecord.DetailRecord<P>> =>
  DetailRecord.schemas[projection ?? DetailProjection.defaultProjection] as never

/** The options of the list of all chemicals. */
export interface AllOptions<P extends AllProjection = AllProjection> {
  /** The projection of the records. Default: `standard-2`. */
  readonly projection?: P | undefined
  /** The first page to read, from 1. Default: 1. */
  readonly page?: number | undefined
}

/**
 * A page of the list of all chemicals. To resume a run, begin with the page after the last one that you
 * processed.
 */
export type Page<P extends AllProjection = AllProjection> = Pages.Page<
  RawRecord.RawRecord<DetailCalls.AllForms[P]>
>

/**
 * Reads all chemicals page by page, until an empty page. A page is requested when the page before it has been
 * consumed.
 *
 * To resume a run, begin with the page after the last one that you processed. A `page` that is not a whole
 * number from 1 fails with `InvalidIdentifier` before the first request. A page that starts like the page
 * before it fails with `MalformedResponse`, because the service ignores the page number and would send the same
 * page forever.
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
    request: (page) =>
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
  Result.flatMap(jsonText(body), (text): ReturnType<typeof sliceOf> => {
    const data = kindOf(text) === "object" ? RawRecord.value(text, "data") : text
    if (!RawRecord.isRawRecord(data)) return Result.fail(unexpected(kindOf(text)))
    const cut = Result.mapError(RawArray.cut(data.bytes.subarray(data.start, data.end)), bodyFault)
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
