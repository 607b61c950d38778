/**
 * Makes the calls of a paged endpoint: every record, one page, and all pages.
 *
 * A page is an array, or an object with the records in `data`: `next` is the cursor of the next page, or `pageNumber` and
 * `totalPages` say which page it is.
 */
import { type InvalidIdentifier, Operation, type Row } from "@chemstream/api"
import { Effect, Result, Schema, Stream } from "effect"
import { type BodyReader, json } from "../../BodyReader.ts"
import * as Pages from "../Pages.ts"
import { type CallOperation, type Failure, withValid } from "./callOperation.ts"
import { checkOptions, optionSet, refuse } from "./checkArguments.ts"
import { parseKey } from "./requestArguments.ts"
import { refine } from "./shapeReaders.ts"

interface Options {
  readonly projection?: string | undefined
  /** The first page. */
  readonly page?: number | undefined
}

type Request = (
  page: number | undefined,
  options: Options | undefined
) => Effect.Effect<Pages.Slice<unknown>, Failure>

/** The calls of a paged endpoint whose key is given, if it has one. */
export interface PagedCalls {
  readonly all: (options?: Options) => Stream.Stream<unknown, Failure>
  readonly page: (page?: number, options?: Options) => Effect.Effect<Pages.Page<unknown>, Failure>
  readonly pages: (options?: Options) => Stream.Stream<Pages.Page<unknown>, Failure>
}

/**
 * The calls of an endpoint by their names in its group: `details.all` gives `all`, `page` and `pages`, and an endpoint `samples` gives
 * `samples`, `samplesPage` and `samplesPages`.
 */
export const make = (callOperation: CallOperation, row: Row.Row): Readonly<Record<string, unknown>> => {
  const name = Operation.methodOf(row.name)
  const prefix = name === "all" ? "" : name
  const withKey =
    <K extends keyof PagedCalls>(method: K) =>
    (...args: ReadonlyArray<unknown>) => {
      const count = Object.keys(row.key?.fields ?? {}).length
      const calls = callsOf(callOperation, row, args.slice(0, count))
      return (calls[method] as (...rest: ReadonlyArray<unknown>) => unknown)(...args.slice(count))
    }
  return {
    [name]: withKey("all"),
    [prefix === "" ? "page" : `${prefix}Page`]: withKey("page"),
    [prefix === "" ? "pages" : `${prefix}Pages`]: withKey("pages")
  }
}

/** The calls for the values of a key. */
export const callsOf = (
  callOperation: CallOperation,
  row: Row.Row,
  key: ReadonlyArray<unknown>
): PagedCalls => {
  const operation = Operation.single(row)
  const declared = optionSet({ ...Operation.optionFields(row), page: Schema.optional(Schema.Unknown) })
  const request: Request = (page, options) => {
    const projection = options?.projection
    const call = withValid(
      Result.all({ fields: parseKey(row.key, key), page: pageOf(page) }),
      ({ fields, page }) => {
        const isSent = projection !== undefined && Object.hasOwn(row.forms ?? {}, projection)
        const query = { [row.page ?? "page"]: page, ...(isSent ? { projection } : {}) }
        return callOperation(operation, Operation.partsOf(row, fields, query), readerOf(row, projection))
      }
    )
    return Effect.andThen(checkOptions(declared, options), call)
  }
  const pages: PagedCalls["pages"] = (options) =>
    Pages.all({
      endpoint: row.name,
      first: options?.page,
      request: (page) => request(page, options),
      toText: JSON.stringify
    })
  return {
    all: (options) =>
      pages(options).pipe(
        Stream.map(({ records }) => records),
        Stream.flattenIterable
      ),
    page: (page, options) => Effect.map(request(page, options), (slice) => Pages.make(page ?? 1, slice)),
    pages
  }
}

const readers = new WeakMap<Row.Row, Map<string, BodyReader<Pages.Slice<unknown>>>>()

/** Returns the reader of a page in a form, which is made once. */
const readerOf = (row: Row.Row, form = ""): BodyReader<Pages.Slice<unknown>> => {
  const forms = readers.get(row) ?? new Map<string, BodyReader<Pages.Slice<unknown>>>()
  readers.set(row, forms)
  const { record = row.record } = row.forms?.[form] ?? {}
  const reader = forms.get(form) ?? sliceReader(record() as unknown as Decoder)
  forms.set(form, reader)
  return reader
}

type Decoder = Schema.ConstraintDecoder<unknown>

/** Makes the reader of a page: a list of records, or an object with the list in `data`. */
const sliceReader = (record: Decoder): BodyReader<Pages.Slice<unknown>> => {
  const records = Schema.Array(record)
  const envelope = Schema.Struct({
    data: records,
    next: Schema.optionalKey(Schema.Unknown),
    pageNumber: Schema.optionalKey(Schema.Unknown),
    totalPages: Schema.optionalKey(Schema.Unknown)
  })
  return refine(json(Schema.Union([records, envelope])), (page) =>
    Result.succeed("data" in page ? Pages.ofObject(page, page.data, idOf) : { records: page })
  )
}

const idOf = (record: unknown): unknown => (record as { readonly id?: unknown }).id

const pageOf = (page = 1): Result.Result<number, InvalidIdentifier.InvalidIdentifier> =>
  Number.isInteger(page) && page >= 1 && page < 2 ** 31
    ? Result.succeed(page)
    : refuse("page", page, `it must be a whole number from 1 to ${2 ** 31 - 1}`)
