/** Counts the requests of `resolve` for rows of the input before any is sent. */
import { type Dialect, IdentifierKind } from "@chemstream/api"
import { Result } from "effect"
import type * as Part from "../../lookups/internal/lookupPart.ts"
import type { Cost as RequestCost } from "../../lookups/internal/lookupType.ts"
import * as Cost from "../../lookups/internal/requestCost.ts"
import * as Readings from "./readingLookups.ts"
import type { Options } from "./resolveRows.ts"
import * as RowEncoding from "./rowEncoding.ts"

/** Starts to count the requests of a part. */
type Count = (part: Part.Part) => ReturnType<typeof Cost.of>

/**
 * Starts to count the requests of rows: at least those of the first readings. At most, every other reading, every synonym, and the details
 * of `maxCandidates` substances for each row are requested, too.
 */
export const of = (
  parts: Readings.Parts,
  dialect: Dialect.Name,
  options: Options
): ((ids: ReadonlyArray<string>) => RequestCost) => {
  const requests = (readings: ReadonlyArray<IdentifierKind.Reading>, count: Count): number =>
    Cost.sum(
      Array.from(
        Map.groupBy(readings, ({ kind }) => parts[Readings.partNameOf(kind)]),
        ([part, own]) => count(part)(distinct(own))
      )
    ).least
  const gathered = new Map(parts.group.parts.map((part) => [part, Cost.gathered(part.lookup, dialect)]))
  const together: Count = (part) => gathered.get(part) as ReturnType<Count>
  const apart: Count = ({ lookup }) => Cost.of(lookup, dialect)
  const isNew = Cost.newOnly()
  return (ids) => {
    const rows = ids.map((id) =>
      RowEncoding.cells(id, options).flatMap(({ classified }) =>
        Result.isSuccess(classified) ? [classified.success] : []
      )
    )
    const first = rows.flat().flatMap((one) => one.first)
    const others = rows.flat().flatMap(({ otherwise }) => otherwise)
    const names = [...first, ...others].filter(({ kind }) => kind === "name")
    const isIncomplete = ({ kind }: IdentifierKind.Reading): boolean =>
      // Detail records are complete. A hit by formula is only an identifier.
      kind === "formula" || (options.projection !== undefined && kind !== "dtxsid")
    const incomplete = rows.filter((row) =>
      row.some((one) => [...one.first, ...one.otherwise].some(isIncomplete))
    )
    const details = Math.ceil((incomplete.length * options.maxCandidates) / parts.details.lookup.size)
    // An unknown structure is followed by a search for its skeleton.
    const skeletons = Math.min(
      distinct([...first, ...others].filter(Readings.isStructure)).length,
      options.match === "skeleton" ? Number.POSITIVE_INFINITY : Readings.mostNearMisses
    )
    const checks = Readings.checksSynonyms(options, dialect) ? distinct(names).length : 0
    return {
      kinds: kindsOf(first),
      least: requests(
        first.filter((reading) => isNew(Readings.keyOf(reading))),
        together
      ),
      most: requests(first, apart) + requests(others, apart) + checks + skeletons + details
    }
  }
}

const distinct = (readings: ReadonlyArray<IdentifierKind.Reading>): ReadonlyArray<string> => [
  ...new Set(readings.map(({ value }) => value))
]

const kindsOf = (readings: ReadonlyArray<IdentifierKind.Reading>): RequestCost["kinds"] =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(readings, ({ kind }) => kind),
      ([kind, own]) => [IdentifierKind.kinds[kind].label.replace(/(?<!S)$/, "s"), own.length]
    )
  )
