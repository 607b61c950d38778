/**
 * Finds MS-ready substances by compound and mass (docs/service.md, section 3.3), in batches whose response is a map of
 * lists.
 *
 * The service sends bare identifiers, which become records `{"query","dtxsid"}`.
 */
import { type Dialect, MassRange, MsReady, Operation } from "@chemstream/api"
import { Options, type Reconcile } from "@chemstream/batch"
import { ChemClient, type ChemError, MsReadyResponse } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Effect, Result } from "effect"
import type { Inspection } from "../inspection.ts"
import * as Part from "../lookupPart.ts"
import type { LookupOfMany } from "../lookupType.ts"
import { lookup } from "../makeLookup.ts"
import * as Cost from "../requestCost.ts"
import { dtxsidRecords, dtxsidSchema, type ScalarRecord, scalarReader } from "../scalarRecord.ts"
import { requestsOf, windowAround } from "./massWindowBatch.ts"
import * as WindowSearch from "./massWindowSearch.ts"

export { byMassRange } from "./massWindowBatch.ts"

type Lookups = LookupOfMany<ScalarRecord<"dtxsid", string>>

const masses = /* @__PURE__ */ Operation.batch(MsReady.byMass) as Operation.Operation

/** Finds the substances with the MS-ready form of this compound (DTXCID), up to 1000 compounds a call. */
export const byDtxcid = (): Lookups =>
  lookup({
    operation: Operation.batch(MsReady.byDtxcid) as Operation.Operation,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    reader: () =>
      scalarReader(
        "dtxsid",
        dtxsidSchema,
        (ids) => (body) => Result.map(MsReadyResponse.byDtxcid(ids)(body), dtxsidRecords)
      )
  })

/** The options of `byMass`. */
export interface MassOptions {
  /** The tolerance on both sides, in dalton. Default: that of the service, 0.005. */
  readonly tolerance?: number | undefined
  /** The tolerance on both sides, in parts per million of the mass, instead of `tolerance`. */
  readonly ppm?: number | undefined
}

const optionSet = /* @__PURE__ */ Options.set<MassOptions>()({
  tolerance: Options.amount,
  ppm: Options.amount
})

/**
 * Finds the MS-ready substances with a monoisotopic mass in dalton, up to 1000 masses a call. Masses match as
 * numbers. With a tolerance, a call takes up to 999 masses. The client adds one mass, whose key shows how the service
 * reads the tolerance.
 *
 * A tolerance that the batch of the service cannot have, in ppm or in dalton for the public service, is made of two
 * ranges for each mass, in as many requests as needed.
 */
export const byMass = (options: MassOptions = {}): Lookups => {
  Options.refuse(optionSet, options)
  const { ppm, tolerance } = options
  const made = lookup({
    operation: masses,
    multiplicity: "many",
    ...(tolerance === undefined ? {} : { size: MsReady.byMass.batch.limit - 1 }),
    request: (ids) => ({
      payload: { masses: ids.map(Number), ...(tolerance === undefined ? {} : { error: tolerance }) }
    }),
    parameters: ppm !== undefined ? { ppm } : tolerance !== undefined ? { tolerance } : undefined,
    reader: () =>
      scalarReader(
        "dtxsid",
        dtxsidSchema,
        (ids) => (body) => Result.map(MsReadyResponse.byMass(ids.map(Number))(body), dtxsidRecords)
      )
  })
  const windowOf = (mass: number): string =>
    windowAround(mass, ppm === undefined ? (tolerance ?? MassRange.defaultTolerance) : (mass * ppm) / 1e6)
  const start = (): WindowSearch.WindowSearch => WindowSearch.make(Part.makeGroup())
  const isInWindows = (dialect: Dialect.Name): boolean =>
    ppm !== undefined || Operation.difference(masses, dialect).single !== undefined
  return {
    ...made,
    cost: (dialect) => (ids) =>
      Cost.exactly(
        { masses: ids.length },
        isInWindows(dialect)
          ? requestsOf(
              ids.map((id) => windowOf(Number(id))),
              dialect
            )
          : 1
      ),
    requestBatch: (ids, inspection) =>
      Effect.flatMap(ChemClient.ChemClient, ({ dialect }) =>
        isInWindows(dialect)
          ? Part.inRun(inspection, start, (windows) => inWindows(ids, windowOf, windows, inspection))
          : made.requestBatch(ids, inspection)
      )
  }
}

/** Requests masses as windows. */
const inWindows = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  windowOf: (mass: number) => string,
  { search }: WindowSearch.WindowSearch,
  inspection: Inspection
) {
  const windows = ids.map((id) => [id, windowOf(Number(id))] as const)
  const found = yield* search([...new Set(windows.map(([, window]) => window))], inspection)
  const lists: Array<readonly [string, ReadonlyArray<string>]> = []
  const errors = new Map<string, ChemError.ChemError>()
  for (const [id, window] of windows) {
    const dtxsids = found.of(window)
    if (WindowSearch.isList(dtxsids)) lists.push([id, dtxsids])
    else errors.set(id, dtxsids)
  }
  const { records } = dtxsidRecords(lists)
  const bytes = records.reduce((sum, { record }) => sum + record.end - record.start, 0)
  return { records: records as Records, errors, surplus: found.surplus, bytes }
})

/** Records are bytes: only the contract knows their type. */
type Records = ReadonlyArray<Reconcile.Keyed<RawRecord.RawRecord<ScalarRecord<"dtxsid", string>>>>
