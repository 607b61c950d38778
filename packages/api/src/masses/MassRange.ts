/**
 * Mass ranges of MS-ready searches: two masses in dalton, both included (docs/service.md, section 3.3).
 *
 * The public service has tolerances in ppm and refuses no range: `ctxChemicalHandlers.ts` of the service package imitates it.
 */
import { Result, Schema } from "effect"
import { type InvalidIdentifier, malformed } from "../identifiers/InvalidIdentifier.ts"

/** The maximum mass, in dalton. Small molecules are far lighter, so a larger number is a mistake. */
export const largestMass = 1_000_000

/** The default tolerance of a search by masses, in dalton (docs/service.md, section 3.3). */
export const defaultTolerance = 0.005

/**
 * The maximum tolerance of a search by masses, in dalton. The limit is this project's own. For a wider range, search
 * by range.
 */
export const largestTolerance = 1

/** The schema of a mass in dalton. */
export const Mass: Schema.Finite = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: largestMass })
).annotate({ description: "Mass, in dalton" })

/** A range of masses in dalton, `start` not above `end`. */
export interface MassRange {
  readonly start: number
  readonly end: number
}

/**
 * Makes a range. Fails with `InvalidIdentifier` if a mass is out of bounds or the range is reversed.
 *
 * @example
 * ```ts
 * import { MassRange } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(MassRange.make(200.9, 200.95)) // => { start: 200.9, end: 200.95 }
 * ```
 */
export const make = (start: number, end: number): Result.Result<MassRange, InvalidIdentifier> => {
  const is = Schema.is(Mass)
  const value = `${String(start)}-${String(end)}`
  if (!is(start) || !is(end)) return refuse(value, `masses must be numbers from 0 to ${largestMass}`)
  if (start > end) return refuse(value, "its start is above its end")
  return Result.succeed({ start, end })
}

/** Makes the range around a mass, with a tolerance to both sides. */
export const around = (
  mass: number,
  tolerance: number = defaultTolerance
): Result.Result<MassRange, InvalidIdentifier> =>
  tolerance >= 0
    ? make(Math.max(0, mass - tolerance), mass + tolerance)
    : refuse(String(mass), `its tolerance ${tolerance} is negative`)

const refuse = (value: string, reason: string): Result.Result<never, InvalidIdentifier> =>
  malformed("mass range", "a mass range", value, reason)
