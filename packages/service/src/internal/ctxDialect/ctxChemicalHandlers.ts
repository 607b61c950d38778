/**
 * Handles chemical details, the list of all chemicals, MS-ready chemicals and synonyms as the public service does.
 */
import {
  DetailProjection,
  Details,
  Dialect,
  type MassRange,
  MolecularFormula,
  MsReady,
  SynonymRecord,
  Synonyms
} from "@chemstream/api"
import { Effect, Option, Predicate, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { StoredDetail, StoredRecord } from "../../Store.ts"
import * as flatSynonyms from "../records/flatSynonyms.ts"
import { joinDetail } from "../records/joinDetail.ts"
import { pagesResponse } from "../records/jsonResponses.ts"
import * as recordSource from "../records/recordSource.ts"
import { batch, type Context, type Handler, orDie, parseJson, wholeNumber } from "./ctxHandler.ts"
import * as identifiers from "./ctxIdentifierList.ts"
import * as records from "./ctxRecords.ts"
import {
  conversionFailed,
  type HandlerResponse,
  json,
  list,
  notFound,
  unreadable,
  violations
} from "./ctxResponses.ts"
import { textOf } from "./reshapeRecord.ts"

/** Returns the handlers of details by endpoint. */
export const details = (context: Context) => {
  const { pageSize = Dialect.ctxPageSize, store, variants } = context
  const shapes = records.details(variants)
  const withProjection = (
    query: URLSearchParams,
    respond: (shape: (stored: StoredDetail) => string) => HandlerResponse
  ): HandlerResponse => {
    const name = query.get("projection") ?? DetailProjection.defaultProjection
    return records.isProjection(name)
      ? respond((stored) => shapes[name](joinDetail(stored)))
      : Effect.succeed(conversionFailed("projection", name))
  }
  const one =
    (kind: "dtxsid" | "dtxcid", find: typeof store.detail): Handler =>
    ({ params, query }) =>
      withProjection(query, (shape) =>
        Effect.map(
          orDie(find(params[kind] ?? "")),
          Option.match({
            onNone: () => notFound(variants.misses, kind, params[kind] ?? ""),
            onSome: (stored) => json(shape(stored))
          })
        )
      )
  const many =
    (kind: string, limit: number, find: typeof store.details): Handler =>
    (request) =>
      withProjection(request.query, (shape) =>
        batch(context, { values: limit, kind }, (values) =>
          Effect.map(orDie(find(values)), (found) => list(inOrder(found, ({ record }) => record).map(shape)))
        )(request)
      )
  return {
    byDtxsid: one("dtxsid", store.detail),
    byDtxcid: one("dtxcid", store.detailByDtxcid),
    byDtxsidBatch: many("dtxsid", Details.byDtxsid.batch.limit, store.details),
    byDtxcidBatch: many("dtxcid", Details.byDtxcid.batch.limit, store.detailsByDtxcid),
    // The `id` of a record is its number in the store, because the cursor must be the sort key of the list.
    all: ({ query }: { readonly query: URLSearchParams }) =>
      wholeNumber("next", query.get("next") ?? "1", (after) =>
        Effect.gen(function* () {
          const fields = (query.get("projection") ?? "") === "" ? "all" : "projected"
          const page = yield* orDie(store.detailsAfter(after, pageSize, records.listFields[fields]))
          const counts = yield* orDie(store.counts)
          const next = page.last ?? (variants.listEnd === "restart" ? 1 : after)
          const data = new TextDecoder().decode(page.json)
          // The total of the public service includes rows without an identifier, which it never sends. This total
          // includes one.
          return json(`{"size":${pageSize},"total":${counts.details + 1},"next":${next},"data":${data}}`)
        })
      )
  } satisfies Record<string, Handler>
}

/** Sorts items by the identifiers of their records. */
const inOrder = <A>(found: ReadonlyArray<A>, recordOf: (one: A) => StoredRecord): ReadonlyArray<A> =>
  found
    .map((one) => ({ one, dtxsid: textOf(recordOf(one), "dtxsid") }))
    .sort((a, b) => (a.dtxsid < b.dtxsid ? -1 : 1))
    .map(({ one }) => one)

/** Returns the handlers of MS-ready chemicals by endpoint. */
export const msready = (context: Context) => {
  const { store, variants } = context
  return {
    byDtxcid: ({ params }) =>
      Effect.map(orDie(store.msreadyByDtxcid([params["dtxcid"] ?? ""])), (found) =>
        identifiers.joined(found)
      ),
    byDtxcidBatch: batch(context, { values: MsReady.byDtxcid.batch.limit, kind: "dtxcid" }, (dtxcids) =>
      Effect.map(orDie(store.msreadyByDtxcid(dtxcids)), (found) => identifiers.joined(found))
    ),
    byFormula: byFormula(store.msreadyByFormula),
    byMass: ({ params: { end = "", start = "" } }) => {
      const malformed = Object.entries({ start, end }).find(([, value]) => !isNumber(value))
      if (malformed !== undefined) return Effect.succeed(conversionFailed(...malformed))
      const range = { start: Number(start), end: Number(end) }
      return Effect.map(orDie(store.msreadyByMass([range])), (found) => identifiers.joined(found))
    },
    byMassBatch: ({ body }) => {
      const form = massForm(parseJson(body), variants)
      return "error" in form
        ? Effect.map(
            orDie(store.msreadyByMass(form.masses.map((mass) => rangeAround(mass, form.error)))),
            (found) => identifiers.byMass(form.masses, found)
          )
        : Effect.succeed(form)
    }
  } satisfies Record<string, Handler>
}

/** Makes the handler of a formula. A malformed formula has no substances. */
export const byFormula =
  (find: Context["store"]["byExactFormula"], suffix: ReadonlyArray<null> = []): Handler =>
  ({ params }) =>
    Result.match(MolecularFormula.parse(params["formula"] ?? ""), {
      onFailure: () => Effect.succeed(list([])),
      onSuccess: (formula) => Effect.map(orDie(find(formula)), (found) => identifiers.joined([found], suffix))
    })

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text))

/** Returns the range of a mass with a tolerance in ppm. */
const rangeAround = (mass: number, ppm: number): MassRange.MassRange => ({
  start: mass - (mass * ppm) / 1e6,
  end: mass + (mass * ppm) / 1e6
})

interface MassForm {
  readonly masses: ReadonlyArray<number>
  /** The tolerance, in whole ppm. */
  readonly error: number
}

const massForm = (
  form: unknown,
  { ppm }: Context["variants"]
): MassForm | HttpServerResponse.HttpServerResponse => {
  if (!Predicate.isObject(form) || Array.isArray(form)) return unreadable
  const { error = null, masses } = form as Readonly<Record<string, unknown>>
  const isEmpty = !Array.isArray(masses) || masses.length === 0
  if (error === null || isEmpty) {
    return violations({
      ...(error === null && { error: "error value couldn't be null" }),
      ...(isEmpty && { masses: "Array of Masses couldn't be empty" })
    })
  }
  const values = [...new Set(masses.map(Number))]
  const tolerance = Number(error)
  if (![...values, tolerance].every(Number.isFinite)) return unreadable
  if (ppm === "refused" && !Number.isInteger(tolerance)) return unreadable
  return { masses: values, error: Math.trunc(tolerance) }
}

/** Returns the handlers of synonyms by endpoint. */
export const synonyms = (context: Context) => {
  const { store, variants } = context
  const shape = records.synonyms(variants)
  return {
    byDtxsid: ({ params: { dtxsid = "" }, query }) => {
      const projection = query.get("projection") ?? SynonymRecord.defaultProjection
      const isFlat = projection === "ccd-synonyms"
      if (!isFlat && projection !== SynonymRecord.defaultProjection) {
        return Effect.succeed(conversionFailed("projection", projection))
      }
      return Effect.map(
        recordSource.first((from) => store.records(Synonyms.byDtxsid.name, [dtxsid], from)),
        Option.match({
          onNone: () => (isFlat ? list([]) : notFound(variants.misses, "DTXSID", dtxsid)),
          onSome: (stored) =>
            json(
              isFlat ? JSON.stringify(records.flatSynonyms(flatSynonyms.fromRecord(stored))) : shape(stored)
            )
        })
      )
    },
    byDtxsidBatch: batch(context, { values: Synonyms.byDtxsid.batch.limit, kind: "dtxsid" }, (dtxsids) =>
      Effect.map(
        pagesResponse(
          (from) => store.records(Synonyms.byDtxsid.name, [...new Set(dtxsids)].sort(), from),
          (stored) => new TextEncoder().encode(shape(stored))
        ),
        Option.getOrElse(() => list([]))
      )
    )
  } satisfies Record<string, Handler>
}
