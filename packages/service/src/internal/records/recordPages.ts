/**
 * The records of a batch as one JSON array, page by page: a short answer as bytes with its length, a long one as a
 * stream that holds one page at a time.
 *
 * Records pass as bytes. Where the store fails after the first page, the answer breaks off: its status is sent already,
 * and a client sees that the array is not complete.
 */
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Cursor, type Page, type StoredRecord, type StoreError, start } from "../../Store.ts"

const OPEN = 0x5b // [
const CLOSE = 0x5d // ]
const COMMA = 0x2c // ,

const empty = Uint8Array.of(OPEN, CLOSE)

/** Reads the page of a batch that begins at a cursor. */
export type Pages = (from: Cursor) => Effect.Effect<Page, StoreError>

/** What is answered of a record: its bytes, or others. */
export type Project = (record: StoredRecord) => Uint8Array

/** The answer with all records of the pages; none when there are none. */
export const answer = (
  pages: Pages,
  project: Project = (record) => record
): Effect.Effect<Option.Option<HttpServerResponse.HttpServerResponse>> =>
  Effect.map(Effect.orDie(pages(start)), (first) => {
    if (first.records.length === 0) return Option.none()
    const opening = part(first, project, true)
    if (first.next === undefined) return Option.some(json(opening))
    const rest = Stream.unfold<Cursor | undefined, Uint8Array, never, never>(first.next, (from) =>
      from === undefined
        ? Effect.undefined
        : inTurn(
            Effect.map(Effect.orDie(pages(from)), (page) => [part(page, project, false), page.next] as const)
          )
    )
    return Option.some(
      HttpServerResponse.stream(Stream.concat(Stream.make(opening), rest), {
        contentType: "application/json"
      })
    )
  })

/** The answer to a batch: that of `answer`, or an empty array. */
export const batchAnswer = (pages: Pages): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(
    answer(pages),
    Option.getOrElse(() => json(empty))
  )

/** The answer of some records, all at once. */
export const recordsAnswer = (records: ReadonlyArray<StoredRecord>): HttpServerResponse.HttpServerResponse =>
  json(records.length === 0 ? empty : part({ records, next: undefined }, (record) => record, true))

/** The answer of the bytes of one JSON text. */
export const json = (text: Uint8Array): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(text, { contentType: "application/json" })

// A client that reads as fast as the pages are written would hold the event loop from the first page to the last:
// requests of others then waited 80 ms (median, 4 such clients), and 2 ms with a turn of the loop between two pages.
const inTurn = <A>(page: Effect.Effect<A>): Effect.Effect<A> => Effect.andThen(Effect.yieldNow, page)

// The part of the array that a page is, with the brackets that it opens or closes.
const part = ({ records, next }: Page, project: Project, isFirst: boolean): Uint8Array => {
  const texts = records.map(project)
  let size = 1
  for (const text of texts) size += text.length + 1
  const bytes = new Uint8Array(size)
  let end = 0
  for (const [i, text] of texts.entries()) {
    bytes[end++] = isFirst && i === 0 ? OPEN : COMMA
    bytes.set(text, end)
    end += text.length
  }
  if (next === undefined) bytes[end++] = CLOSE
  return bytes.subarray(0, end)
}
