/**
 * Finds the most potent active assay endpoint of each substance.
 *
 * The rule is that of the summaries (`BioactivityData.isActive`), for screening at several concentrations: a record is
 * active if its hit call is at least 0.9. Records of one concentration are not counted. The active record with the
 * lowest AC50 is the most potent one. An endpoint is tested if it has a record, and active if one of them is.
 */
import { BioactivityData } from "@chemstream/api"
import type { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import * as Bioactivity from "../lookups/Bioactivity.ts"
import * as Enrich from "../lookups/Enrich.ts"
import * as Cost from "../lookups/internal/cost.ts"
import type * as Lookup from "../lookups/Lookup.ts"
import * as AssayNames from "./AssayNames.ts"

/** The activity of a substance. The endpoint is null if none is active. */
export interface TopActivity {
  readonly dtxsid: string
  /** The number of the most potent active assay endpoint, its name, and the genes of its target. */
  readonly aeid: number | null
  readonly endpoint: string | null
  readonly gene: string | null
  readonly ac50: number | null
  readonly ac50Unit: "µM" | null
  readonly hitCall: number | null
  readonly activeEndpoints: number
  readonly testedEndpoints: number
  /** Whether the AC50 is below or above the lower bound of cytotoxicity. Null: one of them is unknown. */
  readonly cytotoxicity: "below" | "above" | null
  readonly cytotoxLowerUm: number | null
}

/** The fields of a `TopActivity`, in order. */
export const fields = [
  ...(["dtxsid", "aeid", "endpoint", "gene", "ac50", "ac50Unit", "hitCall"] as const),
  ...(["activeEndpoints", "testedEndpoints", "cytotoxicity", "cytotoxLowerUm"] as const)
] satisfies ReadonlyArray<keyof TopActivity>

/** The records of a substance. */
export interface Records {
  readonly data: ReadonlyArray<BioactivityData.BioactivityData>
  readonly cytotoxLowerUm?: number | null | undefined
}

/**
 * Returns the activity of a substance from its records.
 *
 * @example
 * ```ts
 * import { TopActivity } from "@chemstream/stream"
 *
 * const data = [
 *   { aeid: 1, hitc: 0.99, nconc: 8, mc5Param: { ac50: 12 } },
 *   { aeid: 2, hitc: 0.95, nconc: 8, mc5Param: { ac50: 0.4 } },
 *   { aeid: 3, hitc: 0.2, nconc: 8, mc5Param: { ac50: 0.01 } }
 * ]
 * const names = new Map([[2, { name: "ATG_ERa_TRANS_up", genes: ["ESR1"] }]])
 * const { ac50, activeEndpoints, cytotoxicity, endpoint } = TopActivity.of("DTXSID7020182", { data, cytotoxLowerUm: 9.5 }, names)
 * endpoint // => "ATG_ERa_TRANS_up"
 * ac50 // => 0.4
 * activeEndpoints // => 2
 * cytotoxicity // => "below"
 * ```
 */
export const of = (
  dtxsid: string,
  { cytotoxLowerUm = null, data }: Records,
  names: AssayNames.AssayNames = new Map()
): TopActivity => {
  const tested = data.filter((record) => !BioactivityData.isSingle(record))
  const active = tested.filter(BioactivityData.isActive)
  const [top] = BioactivityData.byPotency(data)
  const assay = names.get(Number(top?.record.aeid))
  const lower = typeof cytotoxLowerUm === "number" && cytotoxLowerUm > 0 ? cytotoxLowerUm : null
  return {
    dtxsid,
    aeid: top?.record.aeid ?? null,
    endpoint: assay?.name ?? null,
    gene: assay === undefined || assay.genes.length === 0 ? null : assay.genes.join("; "),
    ac50: top?.ac50 ?? null,
    ac50Unit: top === undefined ? null : "µM",
    hitCall: top?.record.hitc ?? null,
    activeEndpoints: endpointsOf(active),
    testedEndpoints: endpointsOf(tested),
    cytotoxicity: top === undefined || lower === null ? null : top.ac50 < lower ? "below" : "above",
    cytotoxLowerUm: lower
  }
}

const endpointsOf = (records: ReadonlyArray<BioactivityData.BioactivityData>): number =>
  new Set(records.map(({ aeid }) => aeid)).size

/** The most substances in one batch: all their data are in memory at once. */
const largestBatch = 20

/**
 * Looks up the activity of substances (`TopActivity`): their data records, their summary, and once the names of all assay
 * endpoints. A substance without data is missing.
 */
export const lookup = (): Lookup.LookupOfOne<TopActivity> => {
  const parts = Enrich.lookup({ data: Bioactivity.byDtxsid(), summary: Bioactivity.summaryByDtxsid() })
  return {
    ...parts,
    size: largestBatch,
    doubtOf: undefined,
    cost: (dialect) => {
      const cost = parts.cost?.(dialect) ?? (() => Cost.none)
      let names = 1
      return (ids) => {
        const { least, most, ...own } = cost(ids)
        const all = { ...own, least: least + names, most: most === undefined ? undefined : most + names }
        names = 0
        return all
      }
    },
    restoreSpelling: undefined,
    requestBatch: (ids, inspection) =>
      Effect.flatMap(
        parts.requestBatch(ids, inspection),
        ({ doubt: _, errors = new Map(), records, ...rest }) =>
          Effect.map(namesFor(records), (names) => ({
            ...rest,
            records: records.map(({ key, record }) => ({ key, record: activityOf(record, names) })),
            errors: new Map(Array.from(errors, ([id, error]) => [id, causeOf(error)] as const))
          }))
      )
  }
}

/** Requests the names, if a substance has records. */
const namesFor = (records: ReadonlyArray<unknown>) =>
  records.length === 0 ? Effect.succeed<AssayNames.AssayNames>(new Map()) : AssayNames.all

const activityOf = (
  record: RawRecord.RawRecord,
  names: AssayNames.AssayNames
): RawRecord.RawRecord<TopActivity> => {
  const { data, query, summary } = JSON.parse(RawRecord.toText(record)) as {
    readonly query: string
    readonly data?: Records["data"] | null
    readonly summary?: Pick<Records, "cytotoxLowerUm"> | null
  }
  const { cytotoxLowerUm } = summary ?? {}
  return RawRecord.fromText(JSON.stringify(of(query, { data: data ?? [], cytotoxLowerUm }, names)))
}

/** Returns why a substance failed: the reason of its first part. */
const causeOf = (error: Enrich.Incomplete | ChemError.ChemError): ChemError.ChemError =>
  error._tag === "Incomplete" ? (Object.values(error.errors)[0] as ChemError.ChemError) : error
