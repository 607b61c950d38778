/**
 * The detail calls over the client that derives from the contract.
 */
import { AllRecord, DetailProjection, DetailRecord, Dtxcid, Dtxsid, InvalidIdentifier } from "@chemstream/api"
import { Effect, Result, Schema, Stream } from "effect"
import type { MakeGet } from "../../pipeline/internal/batching.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type { AllForms, AllOptions, DetailCalls, DetailOptions } from "../DetailCalls.ts"
import * as Pages from "../Pages.ts"
import { dtxcidOf, dtxsidOf, refine } from "./readers.ts"
import { type CallEndpoint, type Failure, withValid } from "./request.ts"

type Projection = DetailProjection.DetailProjection

export const make = (callEndpoint: CallEndpoint, makeGet: MakeGet): DetailCalls => ({
  ...dtxsidCalls(callEndpoint),
  ...dtxcidCalls(callEndpoint),
  ...listCalls(callEndpoint),
  get: makeGetCall(callEndpoint, makeGet)
})

/** The calls by DTXSID. */
const dtxsidCalls = (callEndpoint: CallEndpoint): Pick<DetailCalls, "byDtxsid" | "byDtxsidBatch"> => ({
  byDtxsid: (dtxsid, options) =>
    withValid(Dtxsid.parse(dtxsid), (parsed) =>
      callEndpoint(
        "details.byDtxsid",
        { params: { dtxsid: parsed }, query: queryOf(options) },
        readersOf(options).one
      )
    ),
  byDtxsidBatch: (dtxsids, options) =>
    withValid(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
      callEndpoint("details.byDtxsidBatch", { payload, query: queryOf(options) }, readersOf(options).many)
    )
})

/** The calls by DTXCID. */
const dtxcidCalls = (callEndpoint: CallEndpoint): Pick<DetailCalls, "byDtxcid" | "byDtxcidBatch"> => ({
  byDtxcid: (dtxcid, options) =>
    withValid(Dtxcid.parse(dtxcid), (parsed) =>
      callEndpoint(
        "details.byDtxcid",
        { params: { dtxcid: parsed }, query: queryOf(options) },
        readersOf(options).one
      )
    ),
  byDtxcidBatch: (dtxcids, options) =>
    withValid(Result.all(dtxcids.map(Dtxcid.parse)), (payload) =>
      callEndpoint("details.byDtxcidBatch", { payload, query: queryOf(options) }, readersOf(options).many)
    )
})

/** The calls of the list of all chemicals. */
const listCalls = (callEndpoint: CallEndpoint): Pick<DetailCalls, "all" | "allPages"> => {
  const page = <P extends keyof AllForms>(options: AllOptions<P> | undefined) =>
    withValid(pageOf(options), (number) => requestPage(callEndpoint, number, options))
  return {
    all: (options) => Effect.map(page(options), ({ records }) => records),
    allPages: (options) =>
      Pages.all({
        endpoint: "details.all",
        first: options?.page,
        request: (next) => page({ ...options, page: next }),
        toText: JSON.stringify
      }).pipe(
        Stream.map(({ records }) => records),
        Stream.flattenIterable
      )
  }
}

/** Makes `get`. A batch has one projection, so its records have it. */
const makeGetCall = (callEndpoint: CallEndpoint, makeGet: MakeGet): DetailCalls["get"] => {
  const getByDtxsid = makeGet({
    ...anyProjection,
    endpoint: "details.byDtxsidBatch",
    call: (payload: ReadonlyArray<Dtxsid.Dtxsid>, projection, read) =>
      callEndpoint("details.byDtxsidBatch", { payload, query: { projection } }, read),
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  const getByDtxcid = makeGet({
    ...anyProjection,
    endpoint: "details.byDtxcidBatch",
    call: (payload: ReadonlyArray<Dtxcid.Dtxcid>, projection, read) =>
      callEndpoint("details.byDtxcidBatch", { payload, query: { projection } }, read),
    keyOf: (record) => dtxcidOf(record.dtxcid)
  })
  const get = (id: string, options?: DetailOptions<Projection>): Effect.Effect<AnyRecord, Failure> => {
    const projection = options?.projection ?? DetailProjection.defaultProjection
    const records = /^\s*DTXCID/i.test(id)
      ? withValid(Dtxcid.parse(id), (dtxcid) => getByDtxcid(dtxcid, projection))
      : withValid(Dtxsid.parse(id), (dtxsid) => getByDtxsid(dtxsid, projection))
    return Effect.map(records, ([record]) => record)
  }
  return get as DetailCalls["get"]
}

type AnyRecord = DetailRecord.DetailRecord<Projection>

const anyProjection = {
  multiplicity: "one" as const,
  read: (projection: Projection): BodyReader<ReadonlyArray<AnyRecord>> => readers[projection].many
}

const queryOf = (options: DetailOptions<Projection> | undefined): { readonly projection?: Projection } =>
  options?.projection === undefined ? {} : { projection: options.projection }

interface Readers<P extends Projection> {
  readonly one: BodyReader<DetailRecord.DetailRecord<P>>
  readonly many: BodyReader<ReadonlyArray<DetailRecord.DetailRecord<P>>>
}

const readers = Object.fromEntries(
  DetailProjection.names.map((name) => {
    const schema = DetailRecord.schemas[name] as Schema.ConstraintDecoder<unknown>
    return [name, { one: json(schema), many: json(Schema.Array(schema)) }]
  })
) as unknown as { readonly [P in Projection]: Readers<P> }

const readersOf = <P extends Projection>(options: DetailOptions<P> | undefined): Readers<P> =>
  readers[options?.projection ?? (DetailProjection.defaultProjection as P)]

/** Reads a page: an array, or `{size, total, next, data}`, where `next` is the cursor of the next page. */
const pageOfRecords = <A extends { readonly id?: unknown }>(
  schema: Schema.ConstraintDecoder<A>
): BodyReader<Pages.Slice<A>> => {
  const records = Schema.Array(schema)
  const envelope = Schema.Struct({ data: records, next: Schema.Unknown })
  return refine(json(Schema.Union([records, envelope])), (page) =>
    Result.succeed(
      isEnvelope(page)
        ? {
            records: page.data,
            next: Pages.cursor(
              page.next,
              page.data.map(({ id }) => id)
            )
          }
        : { records: page }
    )
  )
}

const isEnvelope = <A, E extends object>(page: ReadonlyArray<A> | E): page is E => !Array.isArray(page)

const pageReaders: { readonly [P in keyof AllForms]: BodyReader<Pages.Slice<AllForms[P]>> } = {
  "standard-2": pageOfRecords(AllRecord.StandardRecord),
  "all-ids": pageOfRecords(AllRecord.IdRecord)
}

const requestPage = <P extends keyof AllForms>(
  callEndpoint: CallEndpoint,
  next: number,
  options: AllOptions<P> | undefined
): Effect.Effect<Pages.Slice<AllForms[P]>, Failure> => {
  const form = options?.projection ?? ("standard-2" as P)
  const query = form === "all-ids" ? { next, projection: "all-ids" as const } : { next }
  return callEndpoint("details.all", { query }, pageReaders[form])
}

const pageOf = (
  options: AllOptions<keyof AllForms> | undefined
): Result.Result<number, InvalidIdentifier.InvalidIdentifier> => {
  const page = options?.page ?? 1
  return Number.isInteger(page) && page >= 1 && page < 2 ** 31
    ? Result.succeed(page)
    : Result.fail(
        new InvalidIdentifier.InvalidIdentifier({
          identifier: "page",
          value: String(page),
          reason: "malformed",
          message: `${page} is not a page: it must be a whole number from 1 to ${2 ** 31 - 1}`
        })
      )
}
