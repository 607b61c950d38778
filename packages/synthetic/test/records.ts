/**
 * Reads the records of a data set into memory, for tests.
 */
import { Synthetic } from "@chemstream/synthetic"
import { Effect, Stream } from "effect"

export type Json = Readonly<Record<string, unknown>>

/** A kind of records. */
export type Kind = Exclude<keyof Synthetic.Batch, "rows">

const decoder = new TextDecoder()

/** Returns all batches of a data set. */
export const collect = (options: Synthetic.Options): Promise<ReadonlyArray<Synthetic.Batch>> =>
  Effect.runPromise(Stream.runCollect(Synthetic.batches(options)))

/** Returns the texts of all records of a kind. */
export const lines = (batches: ReadonlyArray<Synthetic.Batch>, kind: Kind): ReadonlyArray<string> =>
  batches.flatMap((batch) => batch[kind].map(({ record }) => decoder.decode(record)))

/** Returns all records of a kind. */
export const records = (batches: ReadonlyArray<Synthetic.Batch>, kind: Kind): ReadonlyArray<Json> =>
  lines(batches, kind).map((line) => JSON.parse(line))
