/**
 * Reads lists: the pages of a paged endpoint, and the only response of a catalogue, which is an endpoint without key and pages. A slice is
 * the content of a page without its number. Lookups of values with several pages use `pageReader` and `collect` at the end.
 */
import { type InvalidIdentifier, Operation, type Row } from "@chemstream/api"
import { type BodyReader, ChemClient, ChemError, Endpoint, Pages } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Schema, Stream } from "effect"
import { elements, jsonText, kindOf, unexpected } from "./jsonBody.ts"

/** The options of a paged list. `P` is the projection of its records. */
export interface PagesOptions<P extends string = string> {
  /** The projection of the records. Default: that of the service. */
  readonly projection?: P | undefined
  /** The first page to read, from 1. Default: 1. */
  readonly page?: number | undefined
}

/**
 * A page of a list. To resume a run, begin with the page after the last one that you processed.
 */
export type PageOf<R extends Row.Row, P> = Pages.Page<RawRecord.RawRecord<ValueOf<R, P>>>

type Failure = ChemError.ChemError | InvalidIdentifier.InvalidIdentifier

type RecordOf<R extends Row.Row, P> = RawRecord.RawRecord<ValueOf<R, P>>

type ValueOf<R extends Row.Row, P> = R extends { readonly scalar: infer N extends string }
  ? { readonly [F in N]: Row.RecordIn<R, P> }
  : Row.RecordIn<R, P>

/** The readers of a paged endpoint. */
export interface PagesOf<R extends Row.Row> {
  readonly all: <P extends Row.FormName<R> = R["form"] & string>(
    options?: PagesOptions<P>
  ) => Stream.Stream<RecordOf<R, P>, Failure, ChemClient.ChemClient>
  readonly page: <P extends Row.FormName<R> = R["form"] & string>(
    page?: number,
    options?: Pick<PagesOptions<P>, "projection">
  ) => Effect.Effect<PageOf<R, P>, Failure, ChemClient.ChemClient>
  readonly pages: <P extends Row.FormName<R> = R["form"] & string>(
    options?: PagesOptions<P>
  ) => Stream.Stream<PageOf<R, P>, Failure, ChemClient.ChemClient>
}

/** Makes the readers of an endpoint without a key: of its pages, or of its only response. */
export const pagesOf = <const R extends Row.Row>(row: R): PagesOf<R> => {
  const operation = Operation.single(row)
  const declared = Endpoint.optionSet({
    ...Operation.optionFields(row),
    page: Schema.optional(Schema.Unknown)
  })
  const request = (
    page: number,
    options: PagesOptions = {}
  ): Effect.Effect<Pages.Slice<RawRecord.RawRecord>, Failure, ChemClient.ChemClient> =>
    Effect.gen(function* () {
      yield* Endpoint.checkOptions(declared, options)
      const client = yield* ChemClient.ChemClient
      const { page: _, projection, ...parameters } = options ?? {}
      const isSent = projection !== undefined && Object.hasOwn(row.forms ?? {}, projection)
      const query = {
        ...parameters,
        ...(isSent ? { projection } : {}),
        ...(row.page === undefined ? {} : { [row.page]: page })
      }
      return yield* client.raw(operation, { query }, readerOf(row))
    })
  const pages = (options: PagesOptions = {}) =>
    Pages.all({
      endpoint: row.name,
      first: options?.page,
      request: (page) => request(page, options),
      toText: RawRecord.toText
    })
  const readers = {
    all: (options?: PagesOptions) =>
      pages(options).pipe(
        Stream.map(({ records }) => records),
        Stream.flattenIterable
      ),
    page: (page = 1, options?: PagesOptions) =>
      Effect.map(request(page, options), (slice) => Pages.make(page, slice)),
    pages
  }
  return readers as unknown as PagesOf<R>
}

/** Returns the schema of the records of an endpoint without a key. Scalar values become records with one field. */
export const recordSchemaOf = ({ scalar }: Row.Row, record: Schema.Top): Schema.Top =>
  scalar === undefined ? record : Schema.Struct({ [scalar]: record })

const readerOf = (row: Row.Row): BodyReader.BodyReader<Pages.Slice<RawRecord.RawRecord>> => {
  const { get, page, scalar } = row
  if (page !== undefined) return pageReader(elements, (record) => record)
  const read = scalar === undefined ? recordsIn : get.answer === "one" ? onlyValue : elements
  return (body) =>
    Result.map(read(body), (values) => ({
      records: scalar === undefined ? values : values.map((value) => objectOf(scalar, value)),
      isLast: true
    }))
}

/** Reads a response that is one value. */
const onlyValue: BodyReader.BodyReader<ReadonlyArray<RawRecord.RawRecord>> = (body) =>
  Result.map(jsonText(body), (value) => [value])

/** Reads the objects of an array, or one object. */
const recordsIn: BodyReader.BodyReader<ReadonlyArray<RawRecord.RawRecord>> = (body) =>
  Result.flatMap(jsonText(body), (text) => {
    const kind = kindOf(text)
    return kind === "object"
      ? Result.succeed([text])
      : kind === "array"
        ? elements(body)
        : Result.fail(unexpected(kind))
  })

const objectOf = (name: string, value: RawRecord.RawRecord): RawRecord.RawRecord =>
  RawRecord.fromText(`{${JSON.stringify(name)}:${RawRecord.toText(value).trim()}}`)

/**
 * Reads a page: an array, or an object with the records in `data`, as `Pages.ofObject` reads it. `read` reads the
 * array.
 */
export const pageReader =
  <A>(
    read: BodyReader.BodyReader<ReadonlyArray<A>>,
    recordOf: (element: A) => RawRecord.RawRecord
  ): BodyReader.BodyReader<Pages.Slice<A>> =>
  (body) =>
    Result.flatMap(jsonText(body), (text): Result.Result<Pages.Slice<A>, BodyReader.BodyFault> => {
      const data = kindOf(text) === "object" ? RawRecord.value(text, "data") : text
      if (!RawRecord.isRawRecord(data)) return Result.fail(unexpected(kindOf(text)))
      // Before the records, because their reader may change the bytes.
      const fields = data === text ? undefined : pageFieldsOf(text)
      return Result.map(read(data.bytes.subarray(data.start, data.end)), (records) =>
        fields === undefined
          ? { records }
          : Pages.ofObject(fields, records, (element) => RawRecord.value(recordOf(element), "id"))
      )
    })

const pageFieldsOf = (page: RawRecord.RawRecord): Pages.PageFields => ({
  next: RawRecord.value(page, "next"),
  pageNumber: RawRecord.value(page, "pageNumber"),
  totalPages: RawRecord.value(page, "totalPages")
})

/** The largest size of the records of one value, in bytes: that of a response of the client. */
export const largestValue: number = 256 * 1024 * 1024

/** Collects the pages of one value. Fails if they are larger than `largestValue`. */
export const collect = <A, E, R>(
  pages: Stream.Stream<Pages.Page<A>, E, R>,
  endpoint: string,
  recordOf: (element: A) => RawRecord.RawRecord
): Effect.Effect<ReadonlyArray<A>, E | ChemError.MalformedResponse, R> =>
  Effect.suspend(() => {
    const all: Array<A> = []
    let size = 0
    return Effect.as(
      Stream.runForEach(pages, ({ page, records }) => {
        for (const element of records) {
          all.push(element)
          const { end, start } = recordOf(element)
          size += end - start
        }
        return size <= largestValue
          ? Effect.void
          : Effect.fail(
              ChemError.malformed(
                endpoint,
                1,
                `up to page ${page}, the records exceed the limit of ${largestValue} bytes`
              )
            )
      }),
      all
    )
  })
