/**
 * Searches for masses: many in one call where the service takes the tolerance as it is, else one range a call.
 */
import { Adduct, MassRange } from "@chemstream/api"
import type { Outcome } from "@chemstream/batch"
import { type ChemClient, type ChemError, Dialect } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Effect } from "effect"
import type { Inspection } from "../../lookups/internal/inspection.ts"
import * as Part from "../../lookups/internal/part.ts"
import type * as Lookup from "../../lookups/Lookup.ts"
import * as MsReady from "../../lookups/MsReady.ts"

/** A mass to search for. */
interface Search {
  /** The search that it belongs to: the tolerance of a batch, or undefined for a range. */
  readonly tolerance: number | undefined
  /** What it is asked for with. */
  readonly text: string
}

/** The searches of a run. */
export interface Searches {
  readonly ranges: Part.Part
  /** A batch for each tolerance, made when it is first needed. */
  readonly batches: Map<number, Part.Part>
}

/** What masses led to. */
export interface Answer {
  /** The substances of a feature as an ion. An error says why they are not known. */
  readonly of: (adduct: Adduct.Adduct, mz: number) => ReadonlyArray<string> | ChemError.ChemError
  readonly surplus: ReadonlyArray<Outcome.Surplus>
}

type Options = Pick<Lookup.Options, "concurrency" | "onFailure">

export const start = (options: Options): Searches => ({
  ranges: Part.start("masses", MsReady.byMassRange(), options),
  batches: new Map()
})

/** Without the noise of binary fractions. */
const rounded = (mass: number): number => Number(mass.toFixed(9))

const searchOf = (
  adduct: Adduct.Adduct,
  mz: number,
  tolerance: Adduct.Tolerance,
  dialect: Dialect.Dialect
): Search => {
  const width = rounded(Adduct.massTolerance(adduct, mz, tolerance))
  const mass = rounded(Adduct.neutralMass(adduct, mz))
  const isBatch =
    "da" in tolerance &&
    width <= MassRange.largestTolerance &&
    dialect.endpoints["msready.byMassBatch"]?.single === undefined
  if (isBatch) return { tolerance: width, text: String(mass) }
  const end = Math.min(MassRange.largestMass, rounded(mass + width))
  return { tolerance: undefined, text: `${Math.max(0, rounded(mass - width))},${end}` }
}

/** Searches for features as ions. Fails where the service could not be reached, and with what ends a run. */
export const ask = Effect.fnUntraced(function* (
  searches: Searches,
  ions: ReadonlyArray<{ readonly adduct: Adduct.Adduct; readonly mz: number }>,
  within: Adduct.Tolerance,
  dialect: Dialect.Name,
  inspection: Inspection,
  options: Options
): Effect.fn.Return<Answer, ChemError.ChemError, ChemClient.ChemClient> {
  const table = Dialect.dialects[dialect]
  const wanted = ions.map(({ adduct, mz }) => searchOf(adduct, mz, within, table))
  const asking = Array.from(
    Map.groupBy(wanted, ({ tolerance }) => tolerance),
    ([tolerance, own]) => {
      const part = partOf(searches, tolerance, options)
      const texts = [...new Set(own.map(({ text }) => text))]
      return Effect.map(
        Part.ask(part, texts, inspection, options.onFailure),
        (answer) => [tolerance, answer] as const
      )
    }
  )
  const answers = new Map(yield* Effect.all(asking, { concurrency: "unbounded" }))
  const [unreachable, ...others] = Array.from(answers.values(), ({ ended }) => ended)
  if (unreachable !== undefined && !others.includes(undefined)) return yield* Effect.fail(unreachable)
  return {
    of: (adduct, mz) => {
      const { text, tolerance } = searchOf(adduct, mz, within, table)
      const answer = answers.get(tolerance)
      if (answer === undefined) return []
      const key = answer.keyOf(text)
      const error = answer.settled.errors.get(key)
      return error ?? (answer.settled.records.get(key) ?? []).flatMap(dtxsidOf)
    },
    surplus: Array.from(answers.values()).flatMap(({ settled }) => settled.surplus)
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
