/**
 * Compares the service and dialect of harvests and clients. The pair is called a target here. All unfinished harvests of a database
 * have the same.
 */
import { Quote } from "@chemstream/api"
import { Options } from "@chemstream/client"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { ServiceMismatch } from "./harvestErrors.ts"
import * as harvestRow from "./harvestRow.ts"

/** The service and dialect of a harvest or a client. */
export type Target = Partial<Pick<harvestRow.Definition, "service" | "dialect">>

/** The difference from the service or dialect of a harvest. */
export interface TargetMismatch {
  readonly difference: "service" | "dialect"
  readonly before: string
  readonly now: string
}

/** Returns the difference between a harvest and a target. A missing service or dialect is no difference. */
export const targetDifference = (
  { definition }: harvestRow.Row,
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
  difference === "service" ? value : `the dialect ${value}`

/** Fails if an unfinished harvest uses another service or dialect. */
export const refuseOtherTarget = (
  target: Target
): Effect.Effect<void, ServiceMismatch | SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(harvestRow.unfinished, (rows) =>
    refuseMismatches(rows, {
      ...Options.argument("target", Options.object(), target),
      service: normalizeAddress(target.service)
    })
  )

/** Fails if one of these harvests uses another service or dialect. */
export const refuseMismatches = (
  rows: ReadonlyArray<harvestRow.Row>,
  target: Target
): Effect.Effect<void, ServiceMismatch> => {
  for (const row of rows) {
    const other = targetDifference(row, target)
    if (other === undefined) continue
    const { before, difference, now } = other
    const { name, state } = row
    return new ServiceMismatch({
      name,
      service: before,
      message: `the ${difference} is ${now}, and the harvest ${Quote.value(name)} of this database (${state}) uses ${targetName(difference, before)}. Finish or cancel that harvest first, or use another database`
    })
  }
  return Effect.void
}

/** Normalizes an address like the client, so that two spellings of one address are equal. */
export const normalizeAddress = (service: string | undefined): string | undefined =>
  service === undefined ? undefined : (URL.parse(service)?.href ?? service).replace(/\/+$/, "")
