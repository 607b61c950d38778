/**
 * Makes the lookup of an endpoint: of its batch if it has one, else of one value a call.
 *
 * The modules of the families name the lookups, e.g. `Details.byDtxsid`. `endpointReader.ts` chooses how responses are read. Special
 * endpoints have lookups of their own.
 */
import { Key, Operation, type Row } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { ChemError, Endpoint, Pages } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Schema } from "effect"
import { collect, pageReader } from "./endpointPages.ts"
import { readerOf } from "./endpointReader.ts"
import type { Lookup, LookupOfMany, LookupOfOne } from "./lookupType.ts"
import { lookup, type Send } from "./makeLookup.ts"
import type { ScalarRecord } from "./scalarRecord.ts"
import { withSuggestions } from "./valueSuggestions.ts"

/** The record of a lookup, in a projection. The lookup adds the identifier to records that lack it. */
export type RecordOf<R extends Row.Row, P> = R extends { readonly scalar: infer N extends string }
  ? P extends ObjectForm<R>
    ? Identified<R, Row.RecordIn<R, P>>
    : ScalarRecord<N, Row.RecordOf<R>>
  : Identified<R, Row.RecordIn<R, P extends undefined ? R["form"] : P>>

/** The records of a lookup, by projection. */
export type FormsOf<R extends Row.Row> = { readonly [P in Row.FormName<R>]: RecordOf<R, P> }

/** The projections of an endpoint of scalar values whose records are objects. */
type ObjectForm<R extends Row.Row> = {
  readonly [N in keyof R["forms"]]: R["forms"][N] extends { readonly isObject: true } ? N : never
}[keyof R["forms"]]

type Identified<R extends Row.Row, A> =
  KeyName<R> extends keyof A ? A : A & { readonly [N in KeyName<R>]: string | number }

type KeyName<R extends Row.Row> = keyof Row.KeyFields<R> & string

/** The parameters of the query that a lookup needs. */
export type Parameters<R extends Row.Row> = R extends { readonly query: infer Q extends Schema.Struct.Fields }
  ? Schema.Struct<Q>["Type"]
  : unknown

/** The options of the lookup of an endpoint. */
export type OptionsOf<R extends Row.Row, P extends Row.FormName<R> | undefined = undefined> = Parameters<R> &
  (R extends { readonly forms: object }
    ? {
        /** The named set of fields of the records. Default: that of the service. */
        readonly projection?: P
      }
    : unknown)

/** The lookup of an endpoint, in a projection. */
export type LookupOf<R extends Row.Row, P = undefined> = {
  readonly one: LookupOfOne<RecordOf<R, P>>
  readonly many: LookupOfMany<RecordOf<R, P>>
}[Row.MultiplicityIn<R, P extends undefined ? R["form"] : P>]

/**
 * Makes the function that makes the lookup of an endpoint, with the type of the generated module. The value of the only
 * parameter of an endpoint may be given alone.
 */
export const lookupOf = <Make>(row: Row.Row): Make => {
  const [parameter] = Object.keys(row.query ?? {})
  const make = (given: unknown = {}): Lookup<RawRecord.RawRecord> => {
    const options = typeof given === "object" || parameter === undefined ? given : { [parameter]: given }
    Options.refuse(declarationOf(row), options)
    return of(row, options as object)
  }
  return make as Make
}

const declarationOf = (row: Row.Row) => Endpoint.optionSet(Operation.optionFields(row))

/** Makes the lookup of an endpoint. Throws `InvalidOption`. */
export const of = (row: Row.Row, options: object = {}): Lookup<RawRecord.RawRecord> => {
  // A lookup without its required parameters still describes its records.
  Options.refuse(Options.partial(declarationOf(row)), options)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const { projection, ...parameters } = Object.fromEntries(given) as { readonly projection?: string }
  const form: Partial<Row.Form> = row.forms?.[projection ?? row.form ?? ""] ?? {}
  // A form with a response of its own is requested for one value.
  const batch = form.answer === undefined ? Operation.batch(row) : undefined
  const operation = batch ?? Operation.single(row)
  const isSent =
    projection !== undefined &&
    Object.hasOwn(row.forms ?? {}, projection) &&
    (batch === undefined || batch.batch?.hasForms === true)
  const query = { ...(isSent ? { projection } : {}), ...parameters }
  const { key = Key.word } = operation
  const toFields = (id: string | undefined): Readonly<Record<string, unknown>> => key.toFields(id ?? "")
  const { refusal } = row
  const made = lookup({
    operation,
    kind: key,
    ...(batch?.batch?.suggested === undefined ? {} : { size: batch.batch.suggested }),
    multiplicity: form.multiplicity ?? row.multiplicity,
    request: (ids) => {
      if (batch !== undefined) return { payload: ids.map((id) => Object.values(toFields(id))[0]), query }
      return Operation.partsOf(row, toFields(ids[0]), query)
    },
    parameters: Object.keys(query).length === 0 ? undefined : (query as Lookup<unknown>["parameters"]),
    refusal: refusal && ((dialect) => refusal(dialect, projection ?? row.form ?? "")),
    reader: () => readerOf(row, key, projection, batch !== undefined),
    ...(batch === undefined && row.page !== undefined ? { send: sendPages(operation, row.page) } : {})
  })
  return withSuggestions(row, made as Lookup<RawRecord.RawRecord>)
}

/** Requests the pages of one value, one after another. */
const sendPages =
  (operation: Operation.Operation, parameter: string): Send =>
  (client, { query, ...parts }, read) => {
    const readPage = pageReader(
      (body) => Result.map(read(body), ({ records }) => records),
      ({ record }) => record
    )
    const pages = Pages.all({
      endpoint: operation.name,
      request: (page) =>
        client.raw(operation, { ...parts, query: { ...query, [parameter]: page } }, readPage).pipe(
          Effect.catchIf(
            (error): error is ChemError.NotFound => error._tag === "NotFound" && page > 1,
            () =>
              Effect.fail(
                ChemError.malformed(
                  operation.name,
                  1,
                  `page ${page} was not found, and page ${page - 1} is not the last`
                )
              )
          )
        ),
      toText: ({ record }) => RawRecord.toText(record)
    })
    return Effect.map(
      collect(pages, operation.name, ({ record }) => record),
      (records) => ({ records })
    )
  }
