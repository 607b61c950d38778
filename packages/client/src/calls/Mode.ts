/**
 * The mode of a client: its calls return effects and streams, or promises and async iterables.
 *
 * `DetailCalls` and its siblings declare each call once, with the mode as parameter `F`. The errors are the same.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import type { Effect, Stream } from "effect"
import type { ChemError } from "../errors/ChemError.ts"

/**
 * A mode: the types of `one` result and of `many`. They refer to `this["A"]` and `this["E"]`, the types of a value and of an error, which
 * a call adds: in `(F & { A: string; E: never })["one"]`, `this["A"]` is `string`. So a mode is a type with two parameters.
 */
export interface Mode {
  readonly A: unknown
  readonly E: unknown
  readonly one: unknown
  readonly many: unknown
}

/** Effects and streams: the client as a service, `ChemClient`. */
export interface Effects extends Mode {
  readonly one: Effect.Effect<this["A"], this["E"]>
  readonly many: Stream.Stream<this["A"], this["E"]>
}

/** Promises and async iterables: the client of `createClient`. */
export interface Promises extends Mode {
  readonly one: Promise<this["A"]>
  readonly many: AsyncIterable<this["A"]>
}

/** The failures of a call. */
export type Failure = ChemError | InvalidIdentifier.InvalidIdentifier

/** One result. */
export type One<F extends Mode, A, E = Failure> = (F & { readonly A: A; readonly E: E })["one"]

/** The records of one response. */
export type Records<F extends Mode, A> = One<F, ReadonlyArray<A>>

/** A sequence of results. */
export type Many<F extends Mode, A, E = Failure> = (F & { readonly A: A; readonly E: E })["many"]
