/**
 * Finds MS-ready substances by compound and mass (docs/service.md, section 3.3), in batches whose response is a map of
 * lists.
 *
 * The service sends bare identifiers, which become records `{"query","dtxsid"}`.
 */
import { Key, MsReady, Operation } from "@chemstream/api"
import { MsReadyResponse } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import { lookup, single } from "../lookup.ts"
import type { Lookup } from "../lookupType.ts"
import { dtxsidSchema, keyed, type ScalarRecord, scalarReader, substanceReader } from "../scalarRecord.ts"

type Lookups = Lookup<RawRecord.RawRecord<ScalarRecord<"dtxsid", string>>>

const masses = Operation.batch(MsReady.byMass) as Operation.Operation

/** Finds the substances with the MS-ready form of this compound (DTXCID), up to 1000 compounds a call. */
export const byDtxcid = (): Lookups =>
  lookup({
    operation: Operation.batch(MsReady.byDtxcid) as Operation.Operation,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: scalarReader(
      "dtxsid",
      dtxsidSchema,
      (ids) => (body) => Result.map(MsReadyResponse.byDtxcid(ids)(body), keyed)
    )
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
    operation: masses,
    multiplicity: "many",
    ...(options.tolerance === undefined ? {} : { size: MsReady.byMass.batch.limit - 1 }),
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
    operation: Operation.single(MsReady.byMass),
    multiplicity: "many",
    request: single((range) => ({ params: Key.massRange.toFields(range) })),
    reader: substanceReader
  })
