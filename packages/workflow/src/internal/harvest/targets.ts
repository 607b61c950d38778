/** The service and dialect of harvests. All unfinished harvests of a database share them. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as definition from "./definition.ts"
import { ServiceMismatch } from "./harvestErrors.ts"

/** The service and dialect of a harvest or a client. */
export type Target = Partial<Pick<definition.Definition, "service" | "dialect">>

/** The difference from the service or dialect of a harvest. */
export interface TargetMismatch {
  readonly difference: "service" | "dialect"
  readonly before: string
  readonly now: string
}

/** Returns how the service or dialect of a harvest differs from this one, if both are known. */
export const targetDifference = (
  { definition }: definition.Row,
  target: Target
): TargetMismatch | undefined => {
  for (const difference of ["service", "dialect"] as const) {
    const [before, now] = [definition?.[difference], target[difference]]
    if (before !== undefined && now !== undefined && before !== now) return { difference, before, now }
  }
  return undefined
}

/** Describes a service or dialect for people. */
export const targetName = (difference: TargetMismatch["difference"], value: string): string =>
  difference === "service" ? value : `in the dialect ${value}`

/** Fails if an unfinished harvest uses another service or dialect. */
export const refuseOtherTarget = (
  target: Target
): Effect.Effect<void, ServiceMismatch | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(definition.unfinished, (rows) =>
    refuseMismatches(rows, { ...target, service: normalizeAddress(target.service) })
  )

/** Fails as `refuse`, for some harvests. */
export const refuseMismatches = (
  rows: ReadonlyArray<definition.Row>,
  target: Target
): Effect.Effect<void, ServiceMismatch> => {
  for (const row of rows) {
    const other = targetDifference(row, target)
    if (other === undefined) continue
    const { before, difference, now } = other
    const { name, state } = row
    return Effect.fail(
      new ServiceMismatch({
        name,
        service: before,
        message: `the ${difference} is ${now}, and the harvest ${JSON.stringify(name)} of this database (${state}) asks ${targetName(difference, before)}: finish or cancel that one first, or use another database`
      })
    )
  }
  return Effect.void
}

/** Normalizes an address as a client does: two spellings of one address are one service. */
export const normalizeAddress = (service: string | undefined): string | undefined =>
  service === undefined ? undefined : (URL.parse(service)?.href ?? service).replace(/\/+$/, "")
