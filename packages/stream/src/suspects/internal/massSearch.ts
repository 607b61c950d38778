/**
 * Searches for masses: many in one call if the service takes the tolerance as it is, otherwise one range a
 * call.
 */
import { Adduct, MassRange, MsReady as MsReadyRows, Operation } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import type { ChemClient, ChemError, Dialect } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { Inspection } from "../../lookups/internal/inspection.ts"
import * as Part from "../../lookups/internal/part.ts"
import type * as Lookup from "../../lookups/Lookup.ts"
import * as MsReady from "../../lookups/MsReady.ts"

/** A mass to search for. */
interface Search {
  /** The tolerance of its batch. Undefined: it is a range. */
  readonly tolerance: number | undefined
  /** The text to look up. */
  readonly text: string
}

/** The searches of a run. */
export interface Searches {
  readonly ranges: Part.Part
  /** A batch for each tolerance, made at its first use. */
  readonly batches: Map<number, Part.Part>
}

/** The results of a search. */
export interface Results {
  /** Returns the substances of a feature as this ion, or the error of its search. */
  readonly of: (adduct: Adduct.Adduct, mz: number) => ReadonlyArray<string> | ChemError.ChemError
  readonly surplus: ReadonlyArray<Outcome.Surplus>
}

type Options = Pick<Lookup.Options, "concurrency" | "onFailure">

export const start = (options: Options): Searches => ({
  ranges: Part.start("masses", MsReady.byMassRange(), options),
  batches: new Map()
})

/** Removes the rounding noise of binary fractions. */
const round = (mass: number): number => Number(mass.toFixed(9))

const massBatch = Operation.batch(MsReadyRows.byMass) as Operation.Operation

const searchOf = (
  adduct: Adduct.Adduct,
  mz: number,
  tolerance: Adduct.Tolerance,
  dialect: Dialect.Name
): Search => {
  const width = round(Adduct.massTolerance(adduct, mz, tolerance))
  const mass = round(Adduct.neutralMass(adduct, mz))
  const isBatch =
    "da" in tolerance &&
    width <= MassRange.largestTolerance &&
    Operation.difference(massBatch, dialect).single === undefined
  if (isBatch) return { tolerance: width, text: String(mass) }
  const end = Math.min(MassRange.largestMass, round(mass + width))
  return { tolerance: undefined, text: `${Math.max(0, round(mass - width))},${end}` }
}

/** Searches for features as ions. Fails if the service could not be reached, and with errors that stop the run. */
export const search = Effect.fnUntraced(function* (
  searches: Searches,
  ions: ReadonlyArray<{ readonly adduct: Adduct.Adduct; readonly mz: number }>,
  within: Adduct.Tolerance,
  dialect: Dialect.Name,
  inspection: Inspection,
  options: Options
): Effect.fn.Return<Results, ChemError.ChemError, ChemClient.ChemClient> {
  const wanted = ions.map(({ adduct, mz }) => searchOf(adduct, mz, within, dialect))
  const requests = Array.from(
    Map.groupBy(wanted, ({ tolerance }) => tolerance),
    ([tolerance, own]) => {
      const part = partOf(searches, tolerance, options)
      const texts = [...new Set(own.map(({ text }) => text))]
      return Effect.map(
        Part.request(part, texts, inspection, options.onFailure),
        (result) => [tolerance, result] as const
      )
    }
  )
  const results = new Map(yield* Effect.all(requests, { concurrency: "unbounded" }))
  const [unreachable, ...others] = Array.from(results.values(), ({ failure }) => failure)
  if (unreachable !== undefined && !others.includes(undefined)) return yield* Effect.fail(unreachable)
  return {
    of: (adduct, mz) => {
      const { text, tolerance } = searchOf(adduct, mz, within, dialect)
      const result = results.get(tolerance)
      if (result === undefined) return []
      const key = result.keyOf(text)
      const error = result.settled.errors.get(key)
      return error ?? (result.settled.records.get(key) ?? []).flatMap(dtxsidOf)
    },
    surplus: Array.from(results.values()).flatMap(({ settled }) => settled.surplus)
  }
})

const partOf = (
  { batches, ranges }: Searches,
  tolerance: number | undefined,
  options: Options
): Part.Part => {
  if (tolerance === undefined) return ranges
  const known = batches.get(tolerance)
  if (known !== undefined) return known
  const part = Part.start("masses", MsReady.byMass({ tolerance }), options)
  batches.set(tolerance, part)
  return part
}

const dtxsidOf = (record: RawRecord.RawRecord): ReadonlyArray<string> => {
  const dtxsid = RawRecord.value(record, "dtxsid")
  return typeof dtxsid === "string" ? [dtxsid] : []
}
