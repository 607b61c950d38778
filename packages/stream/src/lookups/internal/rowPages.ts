/**
 * Reads the pages of a paged row.
 */
import { type InvalidIdentifier, Operation, type Row } from "@chemstream/api"
import { type BodyReader, ChemClient, type ChemError, Pages } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import { bodyFault, jsonText, kindOf, unexpected } from "./body.ts"

/** The options of a paged list. `P` is the projection of its records. */
export interface PagesOptions<P extends string = string> {
  /** The projection of the records. Default: that of the service. */
  readonly projection?: P | undefined
  /** The first page to read, from 1. Default: 1. */
  readonly page?: number | undefined
}

/** The projections of a paged row. */
export type PagesProjection<R extends Row.Row> = (keyof R["forms"] | R["form"]) & string

/**
 * A page of a list. To resume a run, begin with the page after the last one that you processed.
 */
export type PageOf<R extends Row.Row, P> = Pages.Page<RawRecord.RawRecord<Row.RecordIn<R, P>>>

type Failure = ChemError.ChemError | InvalidIdentifier.InvalidIdentifier

type RecordOf<R extends Row.Row, P> = RawRecord.RawRecord<Row.RecordIn<R, P>>

/** The readers of a paged row. */
export interface RowPages<R extends Row.Row> {
  readonly all: <P extends PagesProjection<R> = R["form"] & string>(
    options?: PagesOptions<P>
  ) => Stream.Stream<RecordOf<R, P>, Failure, ChemClient.ChemClient>
  readonly page: <P extends PagesProjection<R> = R["form"] & string>(
    page?: number,
    options?: Pick<PagesOptions<P>, "projection">
  ) => Effect.Effect<PageOf<R, P>, Failure, ChemClient.ChemClient>
  readonly pages: <P extends PagesProjection<R> = R["form"] & string>(
    options?: PagesOptions<P>
  ) => Stream.Stream<PageOf<R, P>, Failure, ChemClient.ChemClient>
}

/** Makes the readers of a paged row. */
export const pagesOf = <const R extends Row.Row>(row: R): RowPages<R> => {
  const operation = Operation.single(row)
  const request = (
    page: number,
    { projection }: PagesOptions = {}
  ): Effect.Effect<Pages.Slice<RawRecord.RawRecord>, Failure, ChemClient.ChemClient> =>
    Effect.flatMap(ChemClient.ChemClient, (client) => {
      const isSent = projection !== undefined && Object.hasOwn(row.forms ?? {}, projection)
      const query = { ...(isSent ? { projection } : {}), [row.page ?? "page"]: page }
      return client.raw(operation, { query }, sliceOf)
    })
  const pages = (options: PagesOptions = {}) =>
    Pages.all({
      endpoint: row.name,
      first: options.page,
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
  return readers as unknown as RowPages<R>
}

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
            isLast: Pages.isLast(RawRecord.value(text, "pageNumber"), RawRecord.value(text, "totalPages")),
            next: Pages.cursor(
              RawRecord.value(text, "next"),
              records.map((record) => RawRecord.value(record, "id"))
            )
          }
    )
  })
