/**
 * Responds with JSON: the records of a batch as one array, a list of identifiers, or one text. A short array of records has a length, a
 * long one is a stream of pages.
 *
 * If the store fails after the first page, the response is cut off: the status is already sent, and the client sees
 * an incomplete array.
 */
import { ProblemDetails } from "@chemstream/api"
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Cursor, type Page, type StoredRecord, type StoreError, start } from "../../Store.ts"
import { Version } from "../storeVersions.ts"

const OPEN = 0x5b // [
const CLOSE = 0x5d // ]
const COMMA = 0x2c // ,

const empty = Uint8Array.of(OPEN, CLOSE)

/** Reads the page of a batch that starts at a cursor. */
export type Pages = (from: Cursor) => Effect.Effect<Page, StoreError>

/** Returns the bytes of a record, or of a projection of it. */
export type Project = (record: StoredRecord) => Uint8Array

/** Responds with all records of the pages. None without records. */
export const pagesResponse = (
  pages: Pages,
  project: Project = (record) => record
): Effect.Effect<Option.Option<HttpServerResponse.HttpServerResponse>> =>
  Effect.map(Effect.all([Version, Effect.orDie(pages(start))]), ([version, first]) => {
    if (first.records.length === 0) return Option.none()
    const opening = pageBytes(first, project, true)
    if (first.next === undefined) return Option.some(json(opening))
    const rest = Stream.unfold<Cursor | undefined, Uint8Array, never, never>(first.next, (from) =>
      from === undefined
        ? Effect.undefined
        : afterYield(
            Effect.map(
              // The stream runs outside of the handler, and must not continue in another version of
              // the database (`storeVersions.ts`).
              Effect.provideService(Effect.orDie(pages(from)), Version, version),
              (page) => [pageBytes(page, project, false), page.next] as const
            )
          )
    )
    return Option.some(
      HttpServerResponse.stream(Stream.concat(Stream.make(opening), rest), {
        contentType: "application/json"
      })
    )
  })

/** Responds to a batch as `pagesResponse` does, or with an empty array. */
export const batchResponse = (pages: Pages): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(
    pagesResponse(pages),
    Option.getOrElse(() => json(empty))
  )

/** Responds with some records at once. */
export const recordsResponse = (
  records: ReadonlyArray<StoredRecord>
): HttpServerResponse.HttpServerResponse =>
  json(records.length === 0 ? empty : pageBytes({ records, next: undefined }, (record) => record, true))

/** Responds with the bytes of one JSON text. */
export const json = (text: Uint8Array): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(text, { contentType: "application/json" })

/**
 * Responds with a list of identifiers, or with 400 if it is too long: a client would take an incomplete list for a complete one.
 */
export const listResponse = (found: {
  readonly isTooLong: boolean
  readonly json: Uint8Array
}): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemDetails.BadRequest> =>
  found.isTooLong ? Effect.fail(tooLong) : Effect.succeed(json(found.json))

const tooLong = new ProblemDetails.BadRequest({
  detail:
    "The result has more substances than a response may have. Request a narrower range, or only the count"
})

// Lets the event loop run between pages. Otherwise a client that reads as fast as pages are written would delay all
// other requests until its last page.
const afterYield = <A>(page: Effect.Effect<A>): Effect.Effect<A> => Effect.andThen(Effect.yieldNow, page)

// Returns a page as a part of the array. The first part has the opening bracket, the last one the closing bracket.
const pageBytes = ({ records, next }: Page, project: Project, isFirst: boolean): Uint8Array => {
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
