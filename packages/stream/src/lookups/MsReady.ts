/**
 * Lookups of MS-ready chemicals by compound, formula and mass (docs/service.md, section 3.3).
 *
 * The service answers bare identifiers: a record is `{"query","dtxsid"}`.
 */
import { Endpoint, MsReadyAnswer } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { type Bare, bare, barely, dtxsid, lookup, one, type Read, substances } from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

/** A substance that fits a value asked for. */
export type Substance = Bare<"dtxsid", string>

type Lookups = Lookup<RawRecord.RawRecord<Substance>>

/** The substances whose MS-ready form is that of this compound (DTXCID), up to 1000 compounds a call. */
export const byDtxcid = (): Lookups =>
  lookup({
    endpoint: "msready.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: barely("dtxsid", dtxsid, (ids) => (body) => Result.map(MsReadyAnswer.byDtxcid(ids)(body), keyed))
  })

/** The MS-ready substances with this formula, one formula a call. */
export const byFormula = (): Lookups =>
  lookup({
    endpoint: "msready.byFormula",
    kind: kinds.formula,
    multiplicity: "many",
    request: one((formula) => ({ params: { formula } })),
    answer: substances
  })

/** How close a mass must be. */
export interface MassOptions {
  /** The tolerance to both sides, in dalton; the service's default (0.005) when not given. */
  readonly tolerance?: number | undefined
}

/**
 * The MS-ready substances of a monoisotopic mass in dalton, up to 1000 masses a call; masses are matched as numbers. With a
 * tolerance there are up to 999: the client adds one mass, whose key shows how the service reads the tolerance.
 */
export const byMass = (options: MassOptions = {}): Lookups =>
  lookup({
    endpoint: "msready.byMassBatch",
    kind: kinds.mass,
    multiplicity: "many",
    ...(options.tolerance === undefined ? {} : { size: Endpoint.largestBatch("msready.byMassBatch") - 1 }),
    request: (ids) => ({
      payload: {
        masses: ids.map(Number),
        ...(options.tolerance === undefined ? {} : { error: options.tolerance })
      }
    }),
    parameters: options.tolerance === undefined ? undefined : { tolerance: options.tolerance },
    answer: barely(
      "dtxsid",
      dtxsid,
      (ids) => (body) => Result.map(MsReadyAnswer.byMass(ids.map(Number))(body), keyed)
    )
  })

/**
 * The MS-ready substances of a range of monoisotopic masses in dalton, written `A,B`, both included, one range a call.
 *
 * @example
 * ```ts
 * import { MsReady } from "@chemstream/stream"
 * import { Result } from "effect"
 *
 * const lookup = MsReady.byMassRange()
 * lookup.parse("200.90, 200.95") // => Result.succeed("200.9,200.95")
 * Result.isFailure(lookup.parse("200.95,200.9")) // => true
 * ```
 */
export const byMassRange = (): Lookups =>
  lookup({
    endpoint: "msready.byMass",
    kind: kinds.massRange,
    multiplicity: "many",
    request: one((range) => {
      const [start = Number.NaN, end = Number.NaN] = range.split(",").map(Number)
      return { params: { start, end } }
    }),
    answer: substances
  })

/** The records of each value that has substances. */
const keyed = (found: ReadonlyMap<string | number, ReadonlyArray<string>>): Read => ({
  records: Array.from(found, ([value, dtxsids]) =>
    dtxsids.map((dtxsid) => ({
      key: String(value),
      record: bare(String(value), "dtxsid", RawRecord.fromText(JSON.stringify(dtxsid)))
    }))
  ).flat()
})
