/**
 * The detail calls over the client that derives from the contract.
 */
import { AllRecord, DetailProjection, DetailRecord, Dtxcid, Dtxsid, InvalidIdentifier } from "@chemstream/api"
import { Effect, Option, Result, Schema, Stream } from "effect"
import { type BodyReader, json } from "../BodyReader.ts"
import { counted } from "../CallObserver.ts"
import { MalformedResponse } from "../ChemError.ts"
import type { AllForms, AllOptions, DetailCalls, DetailOptions } from "../DetailCalls.ts"
import { type Ask, type Failure, given } from "./ask.ts"
import type { Gather } from "./gather.ts"
import { dtxcidOf, dtxsidOf } from "./readers.ts"

type Projection = DetailProjection.DetailProjection

export const make = (ask: Ask, gather: Gather, pageParameter: string): DetailCalls => {
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

  const all: DetailCalls["all"] = (options) => given(pageOf(options), (page) => askPage(ask, page, options))

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
    all,
    allPages: (options) =>
      Stream.paginate(
        { page: options?.page ?? 1, before: undefined as string | undefined },
        ({ before, page }) =>
          counted((attempts) =>
            Effect.flatMap(all({ ...options, page }), (records) => {
              const [first] = records
              if (first === undefined) return Effect.succeed([records, Option.none()] as const)
              const beginning = JSON.stringify(first)
              return beginning === before
                ? Effect.fail(samePage(page, pageParameter, attempts()))
                : Effect.succeed([records, Option.some({ page: page + 1, before: beginning })] as const)
            })
          )
      )
  }
  /** The projection of the records is the one asked for: forms do not share a batch. */
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

const pageReaders: { readonly [P in keyof AllForms]: BodyReader<ReadonlyArray<AllForms[P]>> } = {
  "standard-2": json(Schema.Array(AllRecord.StandardRecord)),
  "all-ids": json(Schema.Array(AllRecord.IdRecord))
}

const askPage = <P extends keyof AllForms>(
  ask: Ask,
  next: number,
  options: AllOptions<P> | undefined
): Effect.Effect<ReadonlyArray<AllForms[P]>, Failure> => {
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

const samePage = (page: number, parameter: string, attempts: number): MalformedResponse =>
  new MalformedResponse({
    endpoint: "details.all",
    attempts,
    status: 200,
    path: "[0]",
    message: `page ${page} begins as page ${page - 1} did: the service does not heed the page parameter ${parameter}; set pageParameter to the name it uses`
  })
