/**
 * Requests windows of mass, e.g. from 200.90 to 200.95 dalton, in batches, although all masses of a batch have one tolerance.
 *
 * Two ranges as wide as the tolerance make a window: one has its start, the other its end. Their union is the window if
 * it is wider than they are, otherwise their intersection is (docs/decisions/0055-mass-windows-from-two-ranges.md).
 *
 * Also groups windows for batches (`groupsOf`), counts their requests (`requestsOf`), and requests one window (`byMassRange`).
 * `massWindowSearch.ts` uses them in a run.
 */
import { Dialect, Key, MassRange, MsReady, Operation } from "@chemstream/api"
import { MsReadyResponse } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { Result, Schema } from "effect"
import type { Lookup } from "../lookupType.ts"
import { lookup, single } from "../makeLookup.ts"
import { dtxsidRecords, dtxsidSchema, listReader, type ScalarRecord, scalarReader } from "../scalarRecord.ts"

type Raw = RawRecord.RawRecord<ScalarRecord<"dtxsid", string>>

/**
 * How a service reads the tolerance of a batch. Masses are in dalton; a tolerance is in the unit of that name. A range is what the service
 * finds around one mass.
 */
interface Unit {
  readonly name: MsReadyResponse.ToleranceUnit
  readonly operation: Operation.Operation
  /** The largest number of windows in a batch. Each takes two masses, and the batch a control mass. */
  readonly size: number
  /** Returns the tolerance with which two ranges just cover a window. */
  readonly least: (window: MassRange.MassRange) => number
  /** Returns a tolerance that the service accepts, a little larger than any of `least`. */
  readonly accepted: (least: ReadonlyArray<number>) => number
  /** Returns the mass whose range has this start. */
  readonly startingAt: (start: number, tolerance: number) => number
  /** Returns the mass whose range has this end. */
  readonly endingAt: (end: number, tolerance: number) => number
  /** Returns the end of the range of a mass. */
  readonly endOf: (mass: number, tolerance: number) => number
}

const inDalton = /* @__PURE__ */ Operation.batch(MsReady.byMass) as Operation.Operation

/** The public service documents no limit. It may refuse this many masses: the batch size then shrinks. */
const ctxLimit = 200

/** Adds the mass whose response shows how the service reads the tolerance. */
const withControl = (payload: unknown): unknown => {
  const { masses, error } = payload as { readonly masses: ReadonlyArray<number>; readonly error: number }
  return { masses: [...masses, Dialect.controlMass], error }
}

const inPpm: Operation.Operation = {
  ...inDalton,
  batch: { ...MsReady.byMass.batch, limit: ctxLimit, differences: { ctx: { withControl } } },
  parts: () => ({
    payload: Schema.Struct({ masses: Schema.NonEmptyArray(MassRange.Mass), error: Schema.Int })
  })
}

/** Rounds a mass to ten decimals, one more than windows have. */
const round = (mass: number): number => Number(mass.toFixed(10))

/** Two ranges overlap a little, so that no mass is between them. */
const enough = (least: ReadonlyArray<number>): number => 1.01 * Math.max(...least)

/** The units by dialect: the specification reads a tolerance as dalton, and the public service (`ctx`) as ppm. */
const units: Readonly<Record<Dialect.Name, Unit>> = {
  specification: {
    name: "dalton",
    operation: inDalton,
    // One window takes only one mass.
    size: MsReady.byMass.batch.limit / 2,
    least: ({ end, start }) => (end - start) / 4,
    // The half of a window, which then takes only one mass.
    accepted: (least) => round(2 * Math.min(...least.filter((one) => 2 * one >= enough(least)))),
    startingAt: (start, tolerance) => start + tolerance,
    endingAt: (end, tolerance) => end - tolerance,
    endOf: (mass, tolerance) => mass + tolerance
  },
  ctx: {
    name: "ppm",
    operation: inPpm,
    size: Math.floor((ctxLimit - 1) / 2),
    least: ({ end, start }) => {
      const ratio = Math.sqrt(end / start)
      return (1e6 * (ratio - 1)) / (ratio + 1)
    },
    accepted: (least) => Math.ceil(enough(least)),
    startingAt: (start, tolerance) => start / (1 - tolerance / 1e6),
    endingAt: (end, tolerance) => end / (1 + tolerance / 1e6),
    endOf: (mass, tolerance) => mass * (1 + tolerance / 1e6)
  }
}

/** The ends of windows and the masses of records have at most 9 decimals: this is half of the last one. */
const slack = 5e-10

/** Returns a window that includes its ends, whatever a service rounds. */
const windowOf = (id: string): MassRange.MassRange => {
  const [start = Number.NaN, end = Number.NaN] = id.split(",").map(Number)
  return { start: start - slack, end: end + slack }
}

/** The two ranges of a window in a batch, by their masses. */
interface Ranges {
  readonly first: number
  readonly last: number
  readonly isUnion: boolean
}

/** What a batch requests. */
interface Plan {
  readonly tolerance: number
  readonly masses: ReadonlyArray<number>
  readonly ranges: ReadonlyArray<Ranges>
}

/** Returns the request for windows: a tolerance, and masses whose ranges make the windows. */
const planOf = (ids: ReadonlyArray<string>, unit: Unit): Plan => {
  const windows = ids.map(windowOf)
  const tolerance = unit.accepted(windows.map(unit.least))
  const ranges = windows.map(({ end, start }): Ranges => {
    const first = round(unit.startingAt(start, tolerance))
    return {
      first,
      last: round(unit.endingAt(end, tolerance)),
      isUnion: unit.endOf(first, tolerance) < end
    }
  })
  return { tolerance, ranges, masses: [...new Set(ranges.flatMap(({ first, last }) => [first, last]))] }
}

/** Returns the substances of a window from those of its two ranges. */
const substancesOf = (
  { first, isUnion, last }: Ranges,
  found: ReadonlyMap<number, ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const [fromStart = [], toEnd = []] = [found.get(first), found.get(last)]
  if (isUnion) return [...new Set([...fromStart, ...toEnd])]
  const kept = new Set(toEnd)
  return fromStart.filter((dtxsid) => kept.has(dtxsid))
}

/** Makes the lookup of windows in batches. The request and its reader plan the batch alike. */
const lookupOf = (unit: Unit): Lookup<Raw> =>
  lookup({
    operation: unit.operation,
    kind: Key.massRange,
    size: unit.size,
    multiplicity: "many",
    request: (ids) => {
      const { masses, tolerance } = planOf(ids, unit)
      return { payload: { masses, error: tolerance } }
    },
    reader: () =>
      scalarReader("dtxsid", dtxsidSchema, (ids) => (body) => {
        const { masses, ranges } = planOf(ids, unit)
        return Result.map(
          MsReadyResponse.byMass(masses, { unit: unit.name, isComplete: true })(body),
          (found) => dtxsidRecords(ids.map((id, at) => [id, substancesOf(ranges[at] as Ranges, found)]))
        )
      })
  })

const lookups: Readonly<Record<Dialect.Name, Lookup<Raw>>> = {
  specification: lookupOf(units.specification),
  ctx: lookupOf(units.ctx)
}

/** Returns the lookup of windows in batches. Its identifiers are those of `byMassRange`. */
export const byDialect = (dialect: Dialect.Name): Lookup<Raw> => lookups[dialect]

/** Rounds a mass to the nine decimals of windows. */
const atNine = (mass: number): number => Number(mass.toFixed(9))

/** Returns the window around a mass, without the rounding noise of binary fractions, as `byMassRange` takes it. */
export const windowAround = (mass: number, width: number): string => {
  const [centre, half] = [atNine(mass), atNine(width)]
  return `${Math.max(0, atNine(centre - half))},${Math.min(MassRange.largestMass, atNine(centre + half))}`
}

/** In a batch, a window is at most this many times as wide as another one, so that responses stay short. */
const mostUnequal = 32

/** Whether a batch can have this window: not too wide, and with masses that are valid and not too different. */
const isNarrow = ({ end, start }: MassRange.MassRange): boolean =>
  end - start <= 2 * MassRange.largestTolerance &&
  end >= MassRange.largestTolerance &&
  start >= 1e-3 &&
  end < MassRange.largestMass - 2

/**
 * Groups windows of similar width, the widest first, for the batches of a dialect. A window that no batch can have is
 * left out.
 */
export const groupsOf = (
  ids: ReadonlyArray<string>,
  dialect: Dialect.Name
): ReadonlyArray<ReadonlyArray<string>> => {
  const sorted = [...new Set(ids)]
    .map((id) => ({ id, window: windowOf(id) }))
    .filter(({ window }) => isNarrow(window))
    .map(({ id, window }) => ({ id, least: units[dialect].least(window) }))
    .sort((one, other) => other.least - one.least)
  const groups: Array<Array<string>> = []
  let widest = Number.POSITIVE_INFINITY
  for (const { id, least } of sorted) {
    if (least * mostUnequal < widest) {
      widest = least
      groups.push([])
    }
    groups.at(-1)?.push(id)
  }
  return groups
}

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
export const byMassRange = (): Lookup<Raw, never, "many"> =>
  lookup({
    operation: Operation.single(MsReady.byMass),
    multiplicity: "many",
    request: single((range) => ({ params: Key.massRange.toFields(range) })),
    reader: () => listReader("dtxsid", dtxsidSchema)
  })

/** Returns the requests of a service that accepts batches. A window that no batch can have is a request of its own. */
export const requestsOf = (windows: ReadonlyArray<string>, dialect: Dialect.Name): number => {
  const { size } = byDialect(dialect)
  const groups = groupsOf(windows, dialect)
  const alone = new Set(windows).size - groups.flat().length
  return groups.reduce((sum, { length }) => sum + Math.ceil(length / size), alone)
}
