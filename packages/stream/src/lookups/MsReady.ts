/**
 * Looks up MS-ready chemicals by compound, formula and mass (docs/service.md, section 3.3).
 *
 * The service sends bare identifiers, which become records `{"query","dtxsid"}`.
 */
import { Endpoint, MsReadyResponse } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import * as kinds from "../identifiers/internal/kinds.ts"
import { lookup, single } from "./internal/lookup.ts"
import type { ResponseRecords } from "./internal/ResponseReader.ts"
import {
  dtxsidSchema,
  type ScalarRecord,
  scalarReader,
  scalarRecord,
  substanceReader
} from "./internal/scalarRecord.ts"
import type { Lookup } from "./Lookup.ts"

/** A substance that matches a requested value. */
export type Substance = ScalarRecord<"dtxsid", string>

type Lookups = Lookup<RawRecord.RawRecord<Substance>>

/** Finds the substances with the MS-ready form of this compound (DTXCID), up to 1000 compounds a call. */
export const byDtxcid = (): Lookups =>
  lookup({
    endpoint: "msready.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: scalarReader(
      "dtxsid",
      dtxsidSchema,
      (ids) => (body) => Result.map(MsReadyResponse.byDtxcid(ids)(body), keyed)
    )
  })

/** Finds the MS-ready substances with this formula, one formula a call. */
export const byFormula = (): Lookups =>
  lookup({
    endpoint: "msready.byFormula",
    kind: kinds.formula,
    multiplicity: "many",
    request: single((formula) => ({ params: { formula } })),
    reader: substanceReader
  })

/** The options of `byMass`. */
export interface MassOptions {
  /** The tolerance on both sides, in dalton. Default: that of the service, 0.005. */
  readonly tolerance?: number | undefined
}

/**
 * Finds the MS-ready substances with a monoisotopic mass in dalton, up to 1000 masses a call. Masses match as
 * numbers. With a tolerance, a call takes up to 999 masses. The client adds one mass, whose key shows how the service
 * reads the tolerance.
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
    reader: scalarReader(
      "dtxsid",
      dtxsidSchema,
      (ids) => (body) => Result.map(MsReadyResponse.byMass(ids.map(Number))(body), keyed)
    )
  })

/**
 * Finds the MS-ready substances in a range of monoisotopic masses in dalton, written `A,B` with both ends
 * included. One range a call.
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
    request: single((range) => {
      const [start = Number.NaN, end = Number.NaN] = range.split(",").map(Number)
      return { params: { start, end } }
    }),
    reader: substanceReader
  })

/** Makes the records of each value with substances. */
const keyed = (found: ReadonlyMap<string | number, ReadonlyArray<string>>): ResponseRecords => ({
  records: Array.from(found, ([value, dtxsids]) =>
    dtxsids.map((dtxsid) => ({
      key: String(value),
      record: scalarRecord(String(value), "dtxsid", RawRecord.fromText(JSON.stringify(dtxsid)))
    }))
  ).flat()
})
