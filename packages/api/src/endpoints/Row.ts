/**
 * The row of an endpoint: one value from which everything else derives.
 *
 * A row says how one value is requested (GET), how a batch is (POST), and what the responses are. The contract
 * (`ChemicalApi`), the client, the lookups and the service read it. The rows of a family are one module, e.g. `Details`;
 * `Rows` has them by name. A row is data: schemas are made when they are first read. `Row` explains its properties; the types after `make`
 * derive the requests and responses of a row.
 */
import type { Schema } from "effect"
import type * as Dialect from "../dialect/Dialect.ts"
import type { Key } from "../identifiers/Key.ts"
import { argument } from "../internal/checkArgument.ts"

/**
 * The form of a response: `one` value, a `list`, `either`, or a `page` of a list, which `Row.page` numbers. Deployments wrap
 * single records, and a response of `either` is one value or a list of any number.
 */
export type Answer = "one" | "list" | "either" | "page"

/** A form of the records, which a request chooses by its `projection`. */
export interface Form {
  /** The schema of a record, in this form. */
  readonly record: () => Schema.Top
  /** The response of the GET, if it differs from that of the row. */
  readonly answer?: Answer
  /** How many records a value has, if not as in the row. */
  readonly multiplicity?: "one" | "many"
  /** Whether its records are objects, where those of the row are scalar values. */
  readonly isObject?: true
}

/** The differences of deployments from the contract, by dialect. */
export type Differences = { readonly [N in Dialect.Name]?: Dialect.Difference }

/** How one value is requested. */
export interface Get {
  /** The path, with the fields of the key in braces. A path without braces has them in its query, or in its body. */
  readonly path: `/${string}`
  /** `POST`: the body is the value, which is a list. The response does not tell apart its elements. Default: `GET`. */
  readonly method?: "POST"
  readonly answer: Answer
  /** Further forms of a response that some deployments send: a list of one record, or an empty body. */
  readonly alsoSent?: ReadonlyArray<"list" | "nothing">
  /** The media type of the response. Default: `application/json`. */
  readonly accept?: string
  /**
   * The response is not JSON, but the bytes of an image, or a text. Its record has `mediaType`, `size`, and `base64` or
   * `text`.
   */
  readonly body?: "bytes" | "text"
  /** The title of the operation, if the row's does not fit. */
  readonly title?: string
  /** The list in a record of the batch that is the response to one value, and the schema of its elements. */
  readonly part?: { readonly field: string; readonly record: () => Schema.Top }
  readonly differences?: Differences
}

/** How a batch of values is requested, with the list as body. */
export interface Batch {
  readonly path: `/${string}`
  /** The key of the batch, if it differs from that of a single value. */
  readonly key?: Key
  /** The maximum number of values in a request. */
  readonly limit: number
  /** Whether the limit is documented. If not, it is this project's own. */
  readonly documented: boolean
  /**
   * The number of values that a lookup requests, where the response to `limit` values is too large: it is at most 8 MiB
   * for values like the largest recorded ones. Default: `limit`.
   */
  readonly suggested?: number
  /** The status of the response to a larger batch. Default: 413. */
  readonly refusal?: 400 | 413
  /** The schema of the body, if it is not the list of values. The values are its only list. */
  readonly payload?: () => Schema.Top
  /** The schema of an element of the body, if a service accepts more than the key. */
  readonly element?: () => Schema.Top
  /** The schema of the response, if it is not a list of records. */
  readonly response?: () => Schema.Top
  /** Whether a batch has the forms of the row. Default: false. */
  readonly hasForms?: true
  /** The title of the operation, if the row's does not fit. */
  readonly title?: string
  readonly differences?: Differences
}

/**
 * The command of a row: its words, and the texts of its help. Rows with the same words are one command, whose `--part`
 * and `--by` choose the row.
 */
export interface Command {
  /**
   * The words that call it. Default: the group and the method without `By…`, e.g. `hazard toxval` for
   * `hazard.toxvalByDtxsid`.
   */
  readonly words?: readonly [string, ...Array<string>]
  /**
   * The value of `--part`, if rows with the same words have several kinds of records. The part of the first row is the
   * default.
   */
  readonly part?: string
  /** The switch that chooses this row, instead of the row with the same part and key. */
  readonly flag?: { readonly name: string; readonly description: string }
  /** What it writes. Default: made of `what`. */
  readonly description?: string
  /** The description of its values. Default: that of the key. */
  readonly values?: string
  /** The meaning of the values of `--by`. */
  readonly by?: string
  /** The meaning of `--projection`. Default: `formsNote`. */
  readonly projection?: string
  /** The name of the records without a projection. Default: `form`. */
  readonly form?: string
  readonly examples?: ReadonlyArray<{ readonly command: string; readonly description: string }>
}

/** Where a service has the records of a row from, if they are imported with those of another row. */
export interface From {
  /** The name of the other row. */
  readonly row: string
  /** The field of its records with the key, or with a list of keys. Default: the key's name. */
  readonly key?: string
  /** The field of its records with the scalar values of this row: one, or a list. */
  readonly value?: string
  /** What separates the texts of a list that is one text. Default: a text is one value. */
  readonly separator?: string
}

/** The known values of a key: a closed set, or the records of a catalogue. The nearest is suggested for an unknown value. */
export interface Vocabulary {
  readonly values?: ReadonlyArray<string>
  /** The catalogue: a row without a key. */
  readonly row?: () => Row
  /** The field of its records with the value. Default: a record is a text. */
  readonly field?: string
  /** The form of its records. Default: that of the service. */
  readonly projection?: string
  /** The field of the key with the value. Default: its only field. */
  readonly of?: string
}

/** The row of an endpoint. */
export interface Row {
  /** Its name: group and endpoint, e.g. `details.byDtxsid`. The contract names its batch `details.byDtxsidBatch`. */
  readonly name: `${string}.${string}`
  /** The section of docs/service.md that describes it. A row of one dialect has none: its family has a page. */
  readonly section?: string
  /**
   * The dialect of the row, if the contract does not have it. A service that has such a row responds to it as the
   * services of that dialect do, whatever its own. Default: the row is of the contract.
   */
  readonly dialect?: Dialect.Name
  /** What a response has, in the plural, e.g. `data records`. */
  readonly what: string
  /** The same of one record, where a value has one. Default: `what`. */
  readonly one?: string
  /** The records in a message about a value without any, e.g. `AED data`. Default: `what`. */
  readonly noun?: string
  /**
   * The field with a whole number that tells apart the records of one key, and sorts them in a store. Default: records
   * with the same text are one record, in the order of their import.
   */
  readonly order?: string
  /** A note on the records: order, units, special cases. One or more sentences. */
  readonly note?: string
  /** The key. Undefined: a catalogue, requested without a value. */
  readonly key?: Key
  /** The known values of the key. Default: the service has no list of them. */
  readonly vocabulary?: Vocabulary
  /** The field of a record that names its key. Null: none has one, so it is added. Default: the name of the key. */
  readonly recordKey?: string | null
  /** The name of the value in the records that are made of scalar values, e.g. `dtxsid`. Default: a record is an object. */
  readonly scalar?: string
  /**
   * The field of the response that has the scalar values: a list of texts, or one text with commas. Default: the
   * response is the list.
   */
  readonly members?: string
  /** How many records a value has. */
  readonly multiplicity: "one" | "many"
  /** The response to an unknown value: a 404 or 400, an empty list, a 400 with suggestions, or an empty body. */
  readonly miss: "404" | "400" | "empty" | "suggestions" | "nothing"
  /**
   * The fields of the record that an unknown value has, beside its key, in the response to one value. Default: an
   * unknown value has no record, and the response is that of `miss`.
   */
  readonly unknown?: Readonly<Record<string, unknown>>
  /** The schema of a record, or of a scalar value. */
  readonly record: () => Schema.Top
  /**
   * What the sources of the records write for an unknown value, by field: `"-"`, `-999`. The name `*` stands for all
   * fields. The records keep it; a table that is cleaned has empty cells.
   */
  readonly blank?: Readonly<Record<string, ReadonlyArray<string | number>>>
  /** Further forms of the records. The form without a name is that of the row. */
  readonly forms?: Readonly<Record<string, Form>>
  /** The name of the row's own form: one of `forms`, or a name that a request does not send. */
  readonly form?: string
  /** The meaning of the forms, in the description of `projection`. */
  readonly formsNote?: string
  /** Returns why a service of a dialect has no records of a form, and what to do. Default: it has them. */
  readonly refusal?: (dialect: Dialect.Name, form: string) => string | undefined
  /** Further parameters of the query. */
  readonly query?: Schema.Struct.Fields
  /** The fields of the records that a service compares with `query`. Default: fields of the same names. */
  readonly compared?: Readonly<Record<string, string>>
  /** Where a service has the records from. Default: they are imported by the name of the row. */
  readonly from?: From
  /** The query parameter with the page number. */
  readonly page?: string
  readonly get: Get
  readonly batch?: Batch
  /** The command. Default: made of the name and `what`. */
  readonly command?: Command
  /** Why code beside the row is needed. Undefined: the row is enough. */
  readonly special?: string
}

/**
 * Declares a row.
 *
 * @example
 * ```ts
 * import { AedRecord, Key, Row } from "@chemstream/api"
 *
 * const row = Row.make({
 *   name: "bioactivity.aedByDtxsid",
 *   section: "3.5",
 *   what: "AED data",
 *   key: Key.dtxsid,
 *   multiplicity: "many",
 *   miss: "404",
 *   record: () => AedRecord.AedRecord,
 *   get: { path: "/bioactivity/data/aed/search/by-dtxsid/{dtxsid}", answer: "list" }
 * })
 * row.key.name // => "dtxsid"
 * ```
 */
export const make = <const R extends Row>(row: R): R => row

/** Returns whether the response to one value is a list of records, in a form. */
export const isList = (row: Row, form = row?.form ?? ""): boolean => {
  if (argument("row", "a row", row).members !== undefined || row.get.part !== undefined) return true
  const { answer = row.get.answer, multiplicity = row.multiplicity } = row.forms?.[form] ?? {}
  return answer === "list" || (answer === "either" && multiplicity === "many")
}

/** Returns the name of the scalar value of a row in a form. Undefined: its records are objects. */
export const scalarOf = (row: Row, form = row?.form ?? ""): string | undefined =>
  argument("row", "a row", row).forms?.[form]?.isObject === true ? undefined : row.scalar

/** The group of a row, e.g. `details`. */
export type GroupOf<R extends Row> = R["name"] extends `${infer G}.${string}` ? G : never

/** The name of a row in its group, e.g. `byDtxsid`. */
export type MethodOf<R extends Row> = R["name"] extends `${string}.${infer M}` ? M : never

/** The schemas of the parts of the key of a row, by parameter, e.g. `dtxsid`. A catalogue has none. */
export type KeyFields<R extends Row> = R extends { readonly key: Key<infer F> } ? F : object

/** The fields of the key of a batch. */
type BatchKey<R extends Row> = R extends { readonly batch: { readonly key: Key<infer F> } } ? F : KeyFields<R>

/** Makes one object type of an intersection, so that editors show its properties. */
type Simplify<T> = { readonly [K in keyof T]: T[K] }

/** The values of fields that have schemas. */
type Fields<F> = F extends Schema.Struct.Fields ? Schema.Struct<F>["Type"] : object

/** The parameters of the query of a row, beside its key, projection and page. */
export type Parameters<R extends Row> = R extends { readonly query: infer Q } ? Fields<Q> : unknown

/** Whether the path of a row has its key. If not, the key is in the query. */
type HasParams<R extends Row> = R["get"]["path"] extends `${string}{${string}` ? true : false

type Projection<R extends Row> = R extends { readonly forms: infer F }
  ? { readonly projection?: keyof F & string }
  : object

/** The query of a request for one value: parameters, page, projection, and the key if the path does not have it. */
type QueryFields<R extends Row> = (R extends { readonly query: infer Q } ? Fields<Q> : object) &
  (R extends { readonly page: infer P extends string } ? { readonly [N in P]?: number } : object) &
  (HasParams<R> extends true ? object : Fields<KeyFields<R>>) &
  Projection<R>

/** A part of a request. Unknown: it has no fields, so it is left out. */
type Part<N extends string, T> = keyof T extends never ? unknown : { readonly [K in N]: Simplify<T> }

/** The `params` and `query` of a request for one value. */
export type GetRequest<R extends Row> = Simplify<
  (HasParams<R> extends true ? Part<"params", Fields<KeyFields<R>>> : unknown) & Part<"query", QueryFields<R>>
>

/** The body of a batch. */
type Values<R extends Row> = R extends {
  readonly batch: { readonly payload: () => infer S extends Schema.Top }
}
  ? S["Type"]
  : R extends { readonly batch: { readonly element: () => infer S extends Schema.Top } }
    ? readonly [S["Type"], ...Array<S["Type"]>]
    : ListOf<Fields<BatchKey<R>>>

type ListOf<F> = readonly [F[keyof F], ...Array<F[keyof F]>]

/** The `payload` and `query` of a request for a batch. */
export type BatchRequest<R extends Row> = Simplify<
  { readonly payload: Values<R> } & (R extends { readonly batch: { readonly hasForms: true } }
    ? Part<"query", Projection<R>>
    : unknown)
>

/** A record of a row in its own form. */
export type RecordOf<R extends Row> = ReturnType<R["record"]>["Type"]

/** A record of a row in a form. */
export type RecordIn<R extends Row, P> = P extends keyof R["forms"]
  ? R["forms"][P] extends { readonly record: () => infer S extends Schema.Top }
    ? S["Type"]
    : never
  : RecordOf<R>

/** The names of the forms of a row, with that of its own. */
export type FormName<R extends Row> = (keyof R["forms"] | R["form"]) & string

/** The records of a row, by form. */
export type RecordsByForm<R extends Row> = { readonly [P in FormName<R>]: RecordIn<R, P> }

/** Whether the response to one value is a list of records, in a form (`isList`). */
export type IsList<R extends Row, P> = R extends { readonly members: string }
  ? true
  : Facet<R, P, "answer", R["get"]["answer"]> extends "list"
    ? true
    : [Facet<R, P, "answer", R["get"]["answer"]>, Facet<R, P, "multiplicity", R["multiplicity"]>] extends [
          "either",
          "many"
        ]
      ? true
      : false

/** How many records a value has, in a form. */
export type MultiplicityIn<R extends Row, P> = Facet<R, P, "multiplicity", R["multiplicity"]>

/** A member of a form, or that of the row. */
type Facet<R extends Row, P, N extends keyof Form, Own> = P extends keyof R["forms"]
  ? R["forms"][P] extends { readonly [K in N]: infer A extends NonNullable<Form[N]> }
    ? A
    : Own
  : Own

/** The elements of the list in a record that is the response to one value. Never: the response has records. */
export type PartOf<R extends Row> = R["get"] extends {
  readonly part: { readonly record: () => infer S extends Schema.Top }
}
  ? S["Type"]
  : never

/** The response to a request for one value, as the contract defines it. */
export type Response<R extends Row> = R extends { readonly members: infer M extends string }
  ? { readonly [N in M]: string | ReadonlyArray<RecordOf<R>> }
  : Answered<R["get"]["answer"], RecordOf<R>> | OtherForms<R>

/** The responses of forms that have an answer of their own. */
type OtherForms<R extends Row> = R extends { readonly forms: infer F }
  ? {
      readonly [P in keyof F]: F[P] extends {
        readonly answer: infer A
        readonly record: () => infer S extends Schema.Top
      }
        ? Answered<A, S["Type"]>
        : never
    }[keyof F]
  : never

/** The response with records of a type, by the form of its answer. */
type Answered<A, T> = A extends "list" | "page"
  ? ReadonlyArray<T>
  : A extends "one"
    ? T
    : T | ReadonlyArray<T>

/** The response to a batch, as the contract defines it. */
export type BatchResponse<R extends Row> = R extends {
  readonly batch: { readonly response: () => infer S extends Schema.Top }
}
  ? S["Type"]
  : ReadonlyArray<RecordOf<R>>
