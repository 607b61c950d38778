/** Reads a paged list until the first empty page. */
import { Effect, Option, Stream } from "effect"
import { MalformedResponse } from "../errors/ChemError.ts"
import { withRequestCount } from "../pipeline/CallObserver.ts"

/** One page of a list. */
export interface Page<A> {
  /** The number of the page, from 1, or its cursor if the service has cursors. */
  readonly page: number
  /** The number or cursor of the next page. A later run can continue from it. */
  readonly next: number
  readonly records: ReadonlyArray<A>
}

/** The response to a request for a page. */
export interface Slice<A> {
  readonly records: ReadonlyArray<A>
  /** The cursor of the next page. Default: pages have numbers. */
  readonly next?: number | undefined
  /** Whether the service says that this page is the last one. Default: an empty page is the last one. */
  readonly isLast?: boolean | undefined
}

/** Makes the page of a response. */
export const make = <A>(page: number, { next = page + 1, records }: Slice<A>): Page<A> => ({
  page,
  next: Math.max(next, page),
  records
})

/**
 * Returns whether a page object says that it is the last: its `pageNumber` is not below its `totalPages`. Undefined: it
 * does not say.
 *
 * @example
 * ```ts
 * import { Pages } from "@chemstream/client"
 *
 * Pages.isLast(2, 3) // => false
 * Pages.isLast(undefined, undefined) // => undefined
 * ```
 */
export const isLast = (page: unknown, totalPages: unknown): boolean | undefined =>
  typeof page === "number" && typeof totalPages === "number" ? page >= totalPages : undefined

/**
 * Returns the cursor after a page: the cursor of the response or the largest record identifier, whichever is larger.
 * Some services send the cursor 1 after the last page.
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

/** The options of a list. */
export interface Options<A, E, R> {
  readonly endpoint: string
  /** The first page. Default: 1. */
  readonly first?: number | undefined
  /** Requests a page by its number or cursor. */
  readonly request: (page: number) => Effect.Effect<Slice<A>, E, R>
  /** Returns a record as text, to recognise a repeated page. */
  readonly toText: (record: A) => string
}

/**
 * Streams the pages of a list. The next page is requested when this one is consumed. The list ends with an empty
 * page, or with a cursor that does not grow.
 *
 * Fails with `MalformedResponse` if two pages in a row begin with the same record, because the service ignores the
 * page number. Also fails if only some pages have a cursor, because pages would be missing.
 */
export const all = <A, E, R>({
  request,
  endpoint,
  first = 1,
  toText
}: Options<A, E, R>): Stream.Stream<Page<A>, E | MalformedResponse, R> =>
  Stream.paginate({ page: first } as Place, ({ before, hasCursors, page }) =>
    withRequestCount((attempts) =>
      Effect.gen(function* () {
        const slice = yield* request(page)
        const { next = page + 1, records } = slice
        const isCursor = slice.next !== undefined
        if (isCursor !== (hasCursors ?? isCursor))
          return yield* mixedPages(endpoint, page, isCursor, attempts())
        const [record] = records
        if (record === undefined) return [[], Option.none()] as const
        const beginning = toText(record)
        if (beginning === before) return yield* repeatedPage(endpoint, page, attempts())
        const place: Place = { page: next, before: beginning, hasCursors: isCursor }
        const more = next > page && slice.isLast !== true ? Option.some(place) : Option.none()
        return [[make(page, slice)], more] as const
      })
    )
  )

/** The place in a list: the next page, and what is known of the page before it. */
interface Place {
  readonly page: number
  /** The text of the first record of the page before. */
  readonly before?: string
  /** Whether the page before had a cursor. */
  readonly hasCursors?: boolean
}

const repeatedPage = (endpoint: string, page: number, attempts: number): MalformedResponse => {
  const problem = `page ${page} begins with the same record as page ${page - 1}: the service ignores the page number`
  const message = `${problem}. Set pageParameter to the name of its parameter`
  return new MalformedResponse({ endpoint, attempts, status: 200, path: "[0]", problem, message })
}

const mixedPages = (endpoint: string, page: number, isCursor: boolean, attempts: number): MalformedResponse =>
  new MalformedResponse({
    endpoint,
    attempts,
    status: 200,
    path: "",
    message: `page ${page} ${isCursor ? "has a cursor and the page before it has none" : "has no cursor and the page before it has one"}: services of both dialects respond at this address. Use the address of one service`
  })
