/**
 * Which service a harvest asks, and in which dialect. All harvests of a database that have not ended ask alike.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as definition from "./definition.ts"
import { ServiceMismatch } from "./harvestErrors.ts"

/** Where a harvest or a client asks, and in which dialect. */
export type Target = Partial<Pick<definition.Definition, "service" | "dialect">>

/** Another target than that of a harvest. */
export interface TargetMismatch {
  readonly difference: "service" | "dialect"
  readonly before: string
  readonly now: string
}

/** In what the target of a harvest is another than this, where both were said. */
export const differing = ({ definition }: definition.Row, target: Target): TargetMismatch | undefined => {
  for (const difference of ["service", "dialect"] as const) {
    const [before, now] = [definition?.[difference], target[difference]]
    if (before !== undefined && now !== undefined && before !== now) return { difference, before, now }
  }
  return undefined
}

/** The value of a target, for people. */
export const targetName = (difference: TargetMismatch["difference"], value: string): string =>
  difference === "service" ? value : `in the dialect ${value}`

/** Fails where a harvest that has not ended asks another service than this, or in another dialect. */
export const refuseOtherTarget = (
  target: Target
): Effect.Effect<void, ServiceMismatch | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(definition.open, (rows) =>
    refuseOthers(rows, { ...target, service: serviceOf(target.service) })
  )

/** The same for some harvests. */
export const refuseOthers = (
  rows: ReadonlyArray<definition.Row>,
  target: Target
): Effect.Effect<void, ServiceMismatch> => {
  for (const row of rows) {
    const other = differing(row, target)
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

/** As a client has it: two spellings of one address are one service. */
export const serviceOf = (service: string | undefined): string | undefined =>
  service === undefined ? undefined : (URL.parse(service)?.href ?? service).replace(/\/+$/, "")
