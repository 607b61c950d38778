/**
 * A stream of arrays as a stream of what is in them, each array handed on as it is.
 *
 * What `Stream.flattenIterable` makes of the arrays hangs together like a chain: once a part of it is in the old generation
 * of the heap, the later ones follow, and what they held is freed many answers later. It also copies element by element.
 */
import { Array as Arr, Stream } from "effect"

/** Drops empty arrays. */
export const flatten = <A, E, R>(arrays: Stream.Stream<ReadonlyArray<A>, E, R>): Stream.Stream<A, E, R> =>
  Stream.flattenArray(Stream.filter(arrays, Arr.isReadonlyArrayNonEmpty))
