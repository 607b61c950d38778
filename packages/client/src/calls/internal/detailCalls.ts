/**
 * The detail calls over the client that derives from the contract.
 */
import { AllRecord, DetailProjection, DetailRecord, Dtxcid, Dtxsid, InvalidIdentifier } from "@chemstream/api"
import { Effect, Result, Schema, Stream } from "effect"
import type { Gather } from "../../pipeline/internal/batching.ts"
import { type BodyReader, json } from "../BodyReader.ts"
import type { AllForms, AllOptions, DetailCalls, DetailOptions } from "../DetailCalls.ts"
import * as Pages from "../Pages.ts"
import { dtxcidOf, dtxsidOf, refine } from "./readers.ts"
import { type Ask, type Failure, given } from "./request.ts"

type Projection = DetailProjection.DetailProjection

export const make = (ask: Ask, gather: Gather): DetailCalls => {
  const dtxsids = gather({
    ...anyProjection,
    endpoint: "details.byDtxsidBatch",
    ask: (payload: ReadonlyArray<Dtxsid.Dtxsid>, projection, read) =>
      ask("details.byDtxsidBatch", { payload, query: { projection } }, read),
    keyOf: (record) => dtxsidOf(record.dtxsid)
  })
  const dtxcids = gather({
    ...anyProjection,
    endpoint: "details.byDtxcidBatch",
    ask: (payload: ReadonlyArray<Dtxcid.Dtxcid>, projection, read) =>
      ask("details.byDtxcidBatch", { payload, query: { projection } }, read),
    keyOf: (record) => dtxcidOf(record.dtxcid)
  })

  const page = <P extends keyof AllForms>(options: AllOptions<P> | undefined) =>
    given(pageOf(options), (next) => askPage(ask, next, options))

  const calls: Omit<DetailCalls, "get"> = {
    byDtxsid: (dtxsid, options) =>
      given(Dtxsid.parse(dtxsid), (parsed) =>
        ask(
          "details.byDtxsid",
          { params: { dtxsid: parsed }, query: queryOf(options) },
          readersOf(options).one
        )
      ),
    byDtxsidBatch: (dtxsids, options) =>
      given(Result.all(dtxsids.map(Dtxsid.parse)), (payload) =>
        ask("details.byDtxsidBatch", { payload, query: queryOf(options) }, readersOf(options).many)
      ),
    byDtxcid: (dtxcid, options) =>
      given(Dtxcid.parse(dtxcid), (parsed) =>
        ask(
          "details.byDtxcid",
          { params: { dtxcid: parsed }, query: queryOf(options) },
          readersOf(options).one
        )
      ),
    byDtxcidBatch: (dtxcids, options) =>
      given(Result.all(dtxcids.map(Dtxcid.parse)), (payload) =>
        ask("details.byDtxcidBatch", { payload, query: queryOf(options) }, readersOf(options).many)
      ),
    all: (options) => Effect.map(page(options), ({ records }) => records),
    allPages: (options) =>
      Pages.all({
        endpoint: "details.all",
        first: options?.page,
        ask: (next) => page({ ...options, page: next }),
        toText: JSON.stringify
      }).pipe(
        Stream.map(({ records }) => records),
        Stream.flattenIterable
      )
  }
  /** A batch has one projection, so the records have it. */
  const get = (id: string, options?: DetailOptions<Projection>): Effect.Effect<AnyRecord, Failure> => {
    const projection = options?.projection ?? DetailProjection.defaultProjection
    const records = /^\s*DTXCID/i.test(id)
      ? given(Dtxcid.parse(id), (dtxcid) => dtxcids(dtxcid, projection))
      : given(Dtxsid.parse(id), (dtxsid) => dtxsids(dtxsid, projection))
    return Effect.map(records, ([record]) => record)
  }
  return { ...calls, get: get as DetailCalls["get"] }
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

const askPage = <P extends keyof AllForms>(
  ask: Ask,
  next: number,
  options: AllOptions<P> | undefined
): Effect.Effect<Pages.Slice<AllForms[P]>, Failure> => {
  const form = options?.projection ?? ("standard-2" as P)
  const query = form === "all-ids" ? { next, projection: "all-ids" as const } : { next }
  return ask("details.all", { query }, pageReaders[form])
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
