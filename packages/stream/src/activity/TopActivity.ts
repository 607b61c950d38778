/**
 * Finds the most potent active assay endpoint of each substance.
 *
 * The rule is that of the summaries (`BioactivityData.isActive`), for screening at several concentrations: a record is
 * active if its hit call is at least 0.9. Records of one concentration are not counted. The active record with the
 * lowest AC50 is the most potent one. An endpoint is tested if it has a record, and active if one of them is.
 */
import { BioactivityData } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import * as Bioactivity from "../lookups/Bioactivity.ts"
import type * as Lookup from "../lookups/Lookup.ts"
import type * as ActivityRows from "../tables/ActivityRows.ts"
import * as AssayNames from "./AssayNames.ts"
import * as SubstanceFacts from "./internal/substanceFacts.ts"

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

/** The facts as columns of a table. */
export const facts: ActivityRows.Facts = {
  fields: [
    ...(["dtxsid", "aeid", "endpoint", "gene", "ac50", "ac50Unit", "hitCall"] as const),
    ...(["activeEndpoints", "testedEndpoints", "cytotoxicity", "cytotoxLowerUm"] as const)
  ] satisfies ReadonlyArray<keyof TopActivity>,
  types: {
    aeid: "integer",
    ac50: "number",
    hitCall: "number",
    activeEndpoints: "integer",
    testedEndpoints: "integer",
    cytotoxLowerUm: "number"
  },
  note: "activityNote",
  absent: (id) => `the service has no bioactivity data of ${id}`,
  noteOf: (record) => {
    if (RawRecord.value(record, "aeid") !== null) return null
    if (RawRecord.value(record, "testedEndpoints") === 0) return "not tested at several concentrations"
    return RawRecord.value(record, "activeEndpoints") === 0
      ? "no active endpoint"
      : "no active endpoint has an AC50"
  }
}

/** The records of a substance. */
export interface Records {
  readonly data: ReadonlyArray<BioactivityData.BioactivityData>
  readonly cytotoxLowerUm?: number | null | undefined
}

const recordsKind = /* @__PURE__ */ Options.objectWith("an object with data", {
  data: /* @__PURE__ */ Options.list(/* @__PURE__ */ Options.object())
})

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
  records: Records,
  names: AssayNames.AssayNames = new Map()
): TopActivity => {
  const { cytotoxLowerUm = null, data } = Options.argument("records", recordsKind, records)
  const endpoints = BioactivityData.endpoints(data)
  const [top] = BioactivityData.byPotency(data)
  const assay = Options.argument("names", AssayNames.kind, names).get(Number(top?.record.aeid))
  const lower = typeof cytotoxLowerUm === "number" && cytotoxLowerUm > 0 ? cytotoxLowerUm : null
  return {
    dtxsid,
    aeid: top?.record.aeid ?? null,
    endpoint: assay?.name ?? null,
    gene: assay === undefined || assay.genes.length === 0 ? null : assay.genes.join("; "),
    ac50: top?.ac50 ?? null,
    ac50Unit: top === undefined ? null : "µM",
    hitCall: top?.record.hitc ?? null,
    activeEndpoints: endpoints.filter(({ isActive }) => isActive).length,
    testedEndpoints: endpoints.length,
    cytotoxicity: top === undefined || lower === null ? null : top.ac50 < lower ? "below" : "above",
    cytotoxLowerUm: lower
  }
}

/**
 * Looks up the activity of substances (`TopActivity`): their data records, their summary, and the names of the assay
 * endpoints. A substance without data is missing.
 */
export const lookup = (): Lookup.LookupOfOne<TopActivity> =>
  SubstanceFacts.lookup({
    parts: { data: Bioactivity.byDtxsid(), summary: Bioactivity.summaryByDtxsid() },
    requests: 1,
    factsOf: (all: ReadonlyArray<Parts>) => {
      const substances = all.map(({ data, query, summary }) => {
        const { cytotoxLowerUm } = summary ?? {}
        return { query, records: { data: data ?? [], cytotoxLowerUm } }
      })
      const aeids = substances.flatMap(({ records: { data } }) =>
        BioactivityData.byPotency(data)
          .slice(0, 1)
          .map(({ record }) => Number(record.aeid))
      )
      return Effect.map(AssayNames.of(aeids), (names) =>
        substances.map(({ query, records }) => of(query, records, names))
      )
    }
  })

/** The records of a substance, by the names of their lookups. */
interface Parts {
  readonly query: string
  readonly data?: Records["data"] | null
  readonly summary?: Pick<Records, "cytotoxLowerUm"> | null
}
