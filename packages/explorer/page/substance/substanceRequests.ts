/**
 * Requests the records of a substance, in the shape of the cards of `@chemstream/figures`.
 */
import { Dtxcid } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import type { Chemical } from "@chemstream/figures/Chemical"
import { Effect, Result } from "effect"

/** Succeeds with undefined if the service does not know the value. */
const orUndefined = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    call,
    ({ _tag }) => _tag === "NotFound",
    () => Effect.undefined
  )

/** Requests the records of a substance, by its DTXSID or the DTXCID of its compound. */
export const chemicalOf = (id: string) =>
  Effect.gen(function* () {
    const { bioactivity, details, synonyms } = yield* ChemClient.ChemClient
    const isCompound = Result.isSuccess(Dtxcid.parse(id))
    const projection = "ccdchemicaldetails"
    const record = yield* isCompound
      ? details.byDtxcid(id, { projection })
      : details.byDtxsid(id, { projection })
    const dtxsid = record.dtxsid ?? id
    const more = yield* Effect.all(
      {
        synonyms: orUndefined(synonyms.byDtxsid(dtxsid)),
        summary: orUndefined(bioactivity.summaryByDtxsid(dtxsid))
      },
      { concurrency: 2 }
    )
    return { id: dtxsid, details: record, ...more } satisfies Chemical
  })

/** Requests the substances with the same MS-ready form as a compound. */
export const sameMsReadyForm = (dtxcid: string) =>
  Effect.gen(function* () {
    const { details, msready } = yield* ChemClient.ChemClient
    const ids = yield* msready.byDtxcid(dtxcid)
    const records = yield* details.byDtxsidBatch(ids.slice(0, maxForms), { projection: "compact" })
    return { records, more: Math.max(0, ids.length - maxForms) }
  })

/** The maximum number of substances of one MS-ready form that are shown. */
const maxForms = 100

/** Requests the points of the bioactivity plot. Without data there are none. */
export const points = (dtxsid: string) =>
  Effect.gen(function* () {
    const { bioactivity } = yield* ChemClient.ChemClient
    return yield* bioactivity.byDtxsid(dtxsid, { projection: "assay-summary-plot" })
  }).pipe(Effect.catchTag("NotFound", () => Effect.succeed([])))

/** Requests one data record, for its curve. */
export const record = (m4id: number) =>
  Effect.flatMap(ChemClient.ChemClient, ({ bioactivity }) => bioactivity.byM4id(m4id))
