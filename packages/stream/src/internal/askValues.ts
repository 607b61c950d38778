/**
 * Answers read as values in one go, which is faster than to cut them into records and to read those: for `Lookup.decode`,
 * where all of an answer fits.
 *
 * Kept by the way of asking, not by the lookup: a lookup that was made of another with an `ask` of its own is asked so.
 */
import type { BodyReader, ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import { type Effect, Result } from "effect"
import type { Answer } from "./batchCall.ts"
import type { Inspection } from "./inspection.ts"

type Raw = RawRecord.RawRecord

/** Asks for a batch: with success where `parse` takes all of the answer, else with its records as `ask` gives them. */
export type AskValues = <V>(
  parse: BodyReader.BodyReader<ReadonlyArray<V>>,
  ids: ReadonlyArray<string>,
  inspection: Inspection
) => Effect.Effect<
  Result.Result<Answer<V, ChemError.ChemError>, Answer<Raw, ChemError.ChemError>>,
  ChemError.ChemError,
  ChemClient.ChemClient
>

/** How a lookup asks for records. */
type Ask = (
  ids: ReadonlyArray<string>,
  inspection: Inspection
) => Effect.Effect<Answer<Raw, ChemError.ChemError>, ChemError.ChemError, ChemClient.ChemClient>

const ways = new WeakMap<Ask, AskValues>()

/** Says how what `ask` asks for is asked for as values. */
export const enableValues = (ask: Ask, askValues: AskValues): void => {
  ways.set(ask, askValues)
}

/** How a lookup is asked for values, where it can be. */
export const askValuesOf = ({ ask }: { readonly ask: Ask }): AskValues | undefined => ways.get(ask)

/** Reads values and sorts them where `parse` takes all of the body, else what `read` does. */
export const either =
  <V, A, B>(
    parse: BodyReader.BodyReader<ReadonlyArray<V>>,
    sort: (values: ReadonlyArray<V>) => Result.Result<A, BodyReader.BodyProblem>,
    read: BodyReader.BodyReader<B>
  ): BodyReader.BodyReader<Result.Result<A, B>> =>
  (body) => {
    const parsed = parse(body)
    return Result.isSuccess(parsed)
      ? Result.map(sort(parsed.success), Result.succeed)
      : Result.map(read(body), Result.fail)
  }
