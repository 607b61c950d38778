/**
 * One stream into several sinks: all of it into each (`tee`), or each part of it into its own (`partitionBy`).
 *
 * Made for the outcomes of a run, records here and problems there, but they take any stream. The sinks run side by side
 * and the slowest sets the pace: each holds at most two arrays of the stream, a batch of outcomes or so. A sink that
 * fails ends the run with its error. A sink that ends early takes no more, the others go on; the run ends with the last.
 * Where the stream fails, every sink first takes what came before. What sinks write is not undone.
 */
import type { Effect, Sink, Stream } from "effect"
import { distribute, type Failures, type Needs, type Results } from "./internal/distribute.ts"

/** A sink of `A`, whatever else it is. */
type Into<A> = Sink.Sink<unknown, A, unknown, unknown, unknown>

/**
 * Runs a stream into several sinks, all of it into each, and gives what each of them comes to, by its name.
 *
 * @example
 * ```ts
 * import { Outcomes } from "@chemstream/stream"
 * import { Effect, Sink, Stream } from "effect"
 *
 * const program = Outcomes.tee(Stream.make(3, 1, 2), { sum: Sink.sum, all: Sink.collect<number>() })
 * await Effect.runPromise(program) // => { sum: 6, all: [3, 1, 2] }
 * ```
 */
export const tee = <A, E, R, const S extends Readonly<Record<string, Into<A>>>>(
  stream: Stream.Stream<A, E, R>,
  sinks: S
): Effect.Effect<Results<S>, E | Failures<S>, R | Needs<S>> => {
  const names = Object.keys(sinks)
  return distribute(stream, sinks, (items) => names.map((name) => [name, items]))
}

/**
 * Runs each element of a stream into the sink that `nameOf` names, in order, and gives what each sink comes to. There
 * must be a sink for every name: the compiler sees to it, and a name without one is a defect that stops the run.
 *
 * @example
 * ```ts
 * import { Outcomes } from "@chemstream/stream"
 * import { Effect, Sink, Stream } from "effect"
 *
 * const program = Outcomes.partitionBy(
 *   Stream.make(1, 2, 3, 4, 5),
 *   (n) => (n % 2 === 0 ? "even" : "odd"),
 *   { even: Sink.collect<number>(), odd: Sink.count }
 * )
 * await Effect.runPromise(program) // => { even: [2, 4], odd: 3 }
 * ```
 */
export const partitionBy = <
  A,
  E,
  R,
  const Name extends string,
  const S extends { readonly [Key in Name]: Into<A> }
>(
  stream: Stream.Stream<A, E, R>,
  nameOf: (item: A) => Name,
  sinks: S
): Effect.Effect<Results<S>, E | Failures<S>, R | Needs<S>> =>
  distribute(stream, sinks, (items) => Map.groupBy(items, nameOf))

/**
 * As `partitionBy`, by the `_tag` of each element: a sink takes just the elements of its tag.
 *
 * @example
 * ```ts
 * import { BatchCalls, Identifiers, Ledger, Outcome, Outcomes } from "@chemstream/stream"
 * import { Effect, Result, Sink, Stream } from "effect"
 *
 * const outcomes = BatchCalls.outcomes(Identifiers.fromIterable(["a", "b", "c"]), {
 *   parse: Result.succeed,
 *   call: () => Effect.succeed({ records: [{ key: "b", record: 7 }] }),
 *   judge: () => "fail",
 *   size: 100,
 *   concurrency: 4,
 *   ordered: true,
 *   dedupe: true,
 *   ledger: Ledger.make()
 * })
 * const program = Outcomes.partitionByTag(outcomes, {
 *   Found: Sink.reduce(() => 0, (sum, outcome: Outcome.Found<number>) => sum + (outcome.records[0] ?? 0)),
 *   Missing: Sink.map(Sink.collect<Outcome.Missing>(), (missing) => missing.map(({ id }) => id)),
 *   Failed: Sink.count,
 *   Invalid: Sink.count
 * })
 * await Effect.runPromise(program) // => { Found: 7, Missing: ["a", "c"], Failed: 0, Invalid: 0 }
 * ```
 */
export const partitionByTag = <
  A extends { readonly _tag: string },
  E,
  R,
  const S extends { readonly [Tag in A["_tag"]]: Into<Extract<A, { readonly _tag: Tag }>> }
>(
  stream: Stream.Stream<A, E, R>,
  sinks: S
): Effect.Effect<Results<S>, E | Failures<S>, R | Needs<S>> =>
  distribute(stream, sinks, (items) => Map.groupBy(items, ({ _tag }) => _tag))
