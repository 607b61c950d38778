/**
 * The records of a generated data set, in memory, for the tests of the generator. Not a test itself.
 */
import { Generate } from "@chemstream/service"
import { Effect, Stream } from "effect"

export type Json = Readonly<Record<string, unknown>>

const decoder = new TextDecoder()

/** All batches of a data set. */
export const collect = (options: Generate.Options): Promise<ReadonlyArray<Generate.Batch>> =>
  Effect.runPromise(Stream.runCollect(Generate.batches(options)))

/** The texts of all records of a kind. */
export const lines = (
  batches: ReadonlyArray<Generate.Batch>,
  kind: keyof Generate.Batch
): ReadonlyArray<string> =>
  batches.flatMap((batch) => batch[kind].map(({ record }) => decoder.decode(record)))

/** All records of a kind. */
export const records = (
  batches: ReadonlyArray<Generate.Batch>,
  kind: keyof Generate.Batch
): ReadonlyArray<Json> => lines(batches, kind).map((line) => JSON.parse(line))
