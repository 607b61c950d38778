/**
 * Runs lookups with one result for each row of the input, for `Resolve` and `Suspects`.
 */
import { Options as Declared } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import { Effect, identity, Stream } from "effect"
import type { Identifier } from "../../identifiers/Identifiers.ts"
import type { RunStream } from "../../lookups/internal/lookupType.ts"
import * as Lookup from "../../lookups/Lookup.ts"
import type { Outcome, Surplus } from "../Outcome.ts"

/** A run over rows, with its options. */
export interface InputRowRun<Options, A> {
  <E, R>(rows: Stream.Stream<Identifier, E, R>, options?: Options): RunStream<A, E, R>
  (options?: Options): <E, R>(rows: Stream.Stream<Identifier, E, R>) => RunStream<A, E, R>
}

/** The steps of a run: rows are read, looked up, and each outcome becomes a result. */
interface RunSteps<A, B> {
  readonly lookup: Lookup.Lookup<A>
  readonly read?: <E, R>(rows: Stream.Stream<Identifier, E, R>) => Stream.Stream<Identifier, E, R>
  readonly result: (outcome: Exclude<Outcome<A, ChemError.ChemError>, Surplus>) => B
}

/**
 * Makes a run over rows, with a result for each row, also for repeated rows. It logs each record that belongs to no row.
 */
export const inputRowRun = <O extends Lookup.Options, A, B>(
  optionSet: Declared.Set<O>,
  make: (options: O) => RunSteps<A, B>
): InputRowRun<O, B> =>
  Declared.streamFrom("rows", { options: optionSet })(
    <E, R>(rows: Stream.Stream<Identifier, E, R>, options: O = {} as O): RunStream<B, E, R> => {
      const { lookup, read = identity, result } = make(options)
      const own = Declared.pick(Lookup.optionSet, options)
      return Lookup.outcomes(read(rows), lookup, { ...own, dedupe: own.dedupe ?? false }).pipe(
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
    }
  )
