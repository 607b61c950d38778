/**
 * A list that a service gives in pages, read until the first empty page.
 */
import { Effect, Option, Stream } from "effect"
import { MalformedResponse } from "../errors/ChemError.ts"
import { counted } from "../pipeline/CallObserver.ts"
import type * as Endpoint from "./Endpoint.ts"

/** One page of a list. */
export interface Page<A> {
  /** What it was asked by: its number, from 1, or where the service has cursors, the cursor. */
  readonly page: number
  /** What the next page is asked by. A later run that begins with it continues where this page ends. */
  readonly next: number
  readonly records: ReadonlyArray<A>
}

/** The response to a request for a page. */
export interface Slice<A> {
  readonly records: ReadonlyArray<A>
  /** The cursor of the next page, where the service gives one. Default: pages have numbers. */
  readonly next?: number | undefined
}

/**
 * The cursor after a page: the one of the response, or the largest record identifier where that is larger. Some services
 * start over at 1 after the last page.
 *
 * @example
 * ```ts
 * import { Pages } from "@chemstream/client"
 *
 * Pages.cursor(1, [7, "9", null]) // => 9
 * ```
 */
export const cursor = (next: unknown, ids: Iterable<unknown>): number => {
  let largest = Number(next)
  if (!Number.isSafeInteger(largest)) largest = 0
  for (const id of ids) {
    const value = typeof id === "string" ? Number(id) : id
    if (typeof value === "number" && Number.isSafeInteger(value) && value > largest) largest = value
  }
  return largest
}

/** How a list is read. */
export interface Options<A, E, R> {
  readonly endpoint: Endpoint.Name
  /** The page to begin with. Default: 1. */
  readonly first?: number | undefined
  /** Asks for a page by its number or cursor. */
  readonly ask: (page: number) => Effect.Effect<Slice<A>, E, R>
  /** A record as text, to recognise a page that comes twice. */
  readonly toText: (record: A) => string
}

/**
 * The pages of a list. The next page is asked for when this one has been used up. The list ends with the first page that is
 * empty, or whose cursor does not grow.
 *
 * Fails with `MalformedResponse` where a page begins with the same record as the one before it: the service then ignores
 * the page number, and would send the same page for ever. Fails as well where one page has a cursor and another has none:
 * the list would lack pages.
 */
export const all = <A, E, R>({
  ask,
  endpoint,
  first = 1,
  toText
}: Options<A, E, R>): Stream.Stream<Page<A>, E | MalformedResponse, R> =>
  Stream.paginate({ page: first } as Place, ({ before, hasCursors, page }) =>
    counted((attempts) =>
      Effect.gen(function* () {
        const slice = yield* ask(page)
        const { next = page + 1, records } = slice
        const isCursor = slice.next !== undefined
        if (isCursor !== (hasCursors ?? isCursor))
          return yield* bothKinds(endpoint, page, isCursor, attempts())
        const [record] = records
        if (record === undefined) return [[], Option.none()] as const
        const beginning = toText(record)
        if (beginning === before) return yield* samePage(endpoint, page, attempts())
        const place: Place = { page: next, before: beginning, hasCursors: isCursor }
        const more = next > page ? Option.some(place) : Option.none()
        return [[{ page, next: Math.max(next, page), records }], more] as const
      })
    )
  )

/** Where a list goes on, and what the page before it was. */
interface Place {
  readonly page: number
  /** The text of its first record. */
  readonly before?: string
  /** Whether the service gave a cursor with it. */
  readonly hasCursors?: boolean
}

const samePage = (endpoint: string, page: number, attempts: number): MalformedResponse =>
  new MalformedResponse({
    endpoint,
    attempts,
    status: 200,
    path: "[0]",
    message: `page ${page} begins with the same record as page ${page - 1}: the service ignores the page number. Set pageParameter of the client to the name it uses`
  })

const bothKinds = (endpoint: string, page: number, isCursor: boolean, attempts: number): MalformedResponse =>
  new MalformedResponse({
    endpoint,
    attempts,
    status: 200,
    path: "",
    message: `page ${page} ${isCursor ? "has a cursor and the page before it has none" : "has no cursor and the page before it has one"}: services of both dialects answer at this address. Use the address of one of them`
  })
