/**
 * Runs a lookup with one result for each row, for `Resolve` and `Suspects`.
 */
import type { InvalidOption } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import { Effect, Stream } from "effect"
import type { Identifier } from "../../identifiers/Identifiers.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import type { Outcome, Surplus } from "../Outcome.ts"

/**
 * Returns the results of rows in the order of the input, with repeated rows. Logs each record that belongs to
 * no row.
 */
export const rowResults = <A, B, E, R>(
  rows: Stream.Stream<Identifier, E, R>,
  lookup: Lookup.Lookup<A>,
  result: (outcome: Exclude<Outcome<A, ChemError.ChemError>, Surplus>) => B,
  options: Lookup.Options
): Stream.Stream<B, E | ChemError.ChemError | InvalidOption.InvalidOption, R | ChemClient.ChemClient> =>
  Lookup.outcomes(rows, lookup, { ...options, dedupe: options.dedupe ?? false }).pipe(
    Stream.mapEffect((outcome) =>
      outcome._tag === "Surplus"
        ? Effect.as(
            Effect.logWarning(`a response has a record that belongs to no row (${outcome.reason})`),
            []
          )
        : Effect.succeed([result(outcome)])
    ),
    Stream.flattenIterable
  )
