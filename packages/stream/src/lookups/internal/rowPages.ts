/**
 * Reads the pages of a paged row.
 */
import { type InvalidIdentifier, Operation, type Row } from "@chemstream/api"
import { type BodyReader, ChemClient, type ChemError, Pages } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, type Stream } from "effect"
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

/** Reads a list page by page, until an empty page. A page is requested when the page before it has been consumed. */
export type RowPages<R extends Row.Row> = <P extends PagesProjection<R> = R["form"] & string>(
  options?: PagesOptions<P>
) => Stream.Stream<
  PageOf<R, P>,
  ChemError.ChemError | InvalidIdentifier.InvalidIdentifier,
  ChemClient.ChemClient
>

/** Makes the reader of the pages of a row. */
export const pagesOf = <const R extends Row.Row>(row: R): RowPages<R> => {
  const operation = Operation.single(row)
  const pages = ({ page, projection }: PagesOptions = {}) =>
    Pages.all({
      endpoint: row.name,
      first: page,
      request: (page) =>
        Effect.flatMap(ChemClient.ChemClient, (client) => {
          const isSent = projection !== undefined && Object.hasOwn(row.forms ?? {}, projection)
          const query = { ...(isSent ? { projection } : {}), [row.page ?? "page"]: page }
          return client.raw(operation, { query }, sliceOf)
        }),
      toText: RawRecord.toText
    })
  return pages as unknown as RowPages<R>
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
            next: Pages.cursor(
              RawRecord.value(text, "next"),
              records.map((record) => RawRecord.value(record, "id"))
            )
          }
    )
  })
