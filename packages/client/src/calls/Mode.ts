/**
 * How the calls of a client hand over their answers: as effects and streams, or as promises and async iterables.
 *
 * The calls are declared once, in `DetailCalls` and its siblings, for any face; which one is the parameter `F`. Errors
 * are the same in all.
 */
import type { Effect, Stream } from "effect"

/** A face: what `one` answer and `many` are, of values `A` and errors `E`. */
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

/** One answer. */
export type One<F extends Mode, A, E> = (F & { readonly A: A; readonly E: E })["one"]

/** A sequence of answers. */
export type Many<F extends Mode, A, E> = (F & { readonly A: A; readonly E: E })["many"]
