/**
 * Streams a paged list until its last page: one that is empty, that the service calls the last, or whose cursor does not grow.
 *
 * A service numbers its pages from 1, or sends with each page a cursor: the number from which the next page continues.
 */
import { Options as Declared } from "@chemstream/batch"
import { Effect, Option, Stream } from "effect"
import { MalformedResponse, malformed } from "../errors/ChemError.ts"
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

const recordList = /* @__PURE__ */ Declared.list(Declared.kind("a record", () => true))
const sliceKind = /* @__PURE__ */ Declared.objectWith("a slice, e.g. { records: [] }", {
  records: recordList
})
const fieldsKind = /* @__PURE__ */ Declared.object<PageFields>()

/** Makes the page of a response. */
export const make = <A>(page: number, slice: Slice<A>): Page<A> => {
  const { next = page + 1, records } = Declared.argument("slice", sliceKind, slice)
  return { page: Declared.argument("page", Declared.amount, page), next: Math.max(next, page), records }
}

/** The fields of a page object that say where the page is in the list. */
export interface PageFields {
  readonly next?: unknown
  readonly pageNumber?: unknown
  readonly totalPages?: unknown
}

/**
 * Returns the slice of a page object. It is the last if its `pageNumber` is not below its `totalPages`. Without them it
 * has a cursor: `next` or the largest identifier of its records, whichever is larger. Some services send the cursor 1
 * after the last page.
 *
 * @example
 * ```ts
 * import { Pages } from "@chemstream/client"
 *
 * Pages.ofObject({ pageNumber: 1, totalPages: 2 }, ["a"], () => 7) // => { records: ["a"], isLast: false }
 * Pages.ofObject({ next: 1 }, ["a"], () => 7) // => { records: ["a"], next: 7 }
 * ```
 */
export const ofObject = <A>(
  fields: PageFields,
  records: ReadonlyArray<A>,
  idOf: (record: A) => unknown
): Slice<A> => {
  const { next, pageNumber, totalPages } = Declared.argument("fields", fieldsKind, fields)
  Declared.argument("records", recordList, records)
  Declared.argument("idOf", Declared.func, idOf)
  const isLast = isLastOf(pageNumber, totalPages)
  return isLast === undefined ? { records, next: cursorOf(next, records.map(idOf)) } : { records, isLast }
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

const optionSet = /* @__PURE__ */ Declared.set<Options<never, never, never>>()({
  endpoint: Declared.required(Declared.text),
  // The request checks it.
  first: Declared.kind("a number", (value) => typeof value === "number"),
  request: Declared.required(Declared.func),
  toText: Declared.required(Declared.func)
})

/**
 * Streams the pages of a list. The next page is requested when this one is consumed. The list ends with an empty
 * page, or with a cursor that does not grow.
 *
 * Fails with `MalformedResponse` if two pages in a row begin with the same record, because the service ignores the
 * page number. Also fails if only some pages have a cursor, because pages would be missing.
 */
export const all = <A, E, R>(options: Options<A, E, R>): Stream.Stream<Page<A>, E | MalformedResponse, R> => {
  const { request, endpoint, first = 1, toText } = Declared.argument("options", optionSet, options)
  return Stream.paginate({ page: first } as Place, ({ before, hasCursors, page }) =>
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
}

/** The place in a list: the next page, and what is known of the page before it. */
interface Place {
  readonly page: number
  /** The text of the first record of the page before. */
  readonly before?: string
  /** Whether the page before had a cursor. */
  readonly hasCursors?: boolean
}

/** Whether a page object says that it is the last. Undefined: it does not say. */
const isLastOf = (page: unknown, totalPages: unknown): boolean | undefined =>
  typeof page === "number" && typeof totalPages === "number" ? page >= totalPages : undefined

/** Returns the cursor of the next page: the larger of `next` and the identifiers of the records. */
const cursorOf = (next: unknown, ids: Iterable<unknown>): number => {
  let largest = Number(next)
  if (!Number.isSafeInteger(largest)) largest = 0
  for (const id of ids) {
    const value = typeof id === "string" ? Number(id) : id
    if (typeof value === "number" && Number.isSafeInteger(value) && value > largest) largest = value
  }
  return largest
}

const repeatedPage = (endpoint: string, page: number, attempts: number): MalformedResponse => {
  const problem = `page ${page} begins with the same record as page ${page - 1}: the service ignores the page number`
  const message = `${problem}. Set pageParameter to the name of its parameter`
  return new MalformedResponse({ endpoint, attempts, status: 200, path: "[0]", problem, message })
}

const mixedPages = (endpoint: string, page: number, isCursor: boolean, attempts: number): MalformedResponse =>
  malformed(
    endpoint,
    attempts,
    `page ${page} ${isCursor ? "has a cursor and the page before it has none" : "has no cursor and the page before it has one"}: services of both dialects respond at this address. Use the address of one service`
  )
