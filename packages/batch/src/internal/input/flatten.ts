/**
 * Flattens a stream of arrays, and passes each array on as it is.
 *
 * `Stream.flattenIterable` copies element by element, and links the elements in a chain. Once one element is in
 * the old generation of the heap, V8 keeps all later ones, and frees their records many responses later.
 */
import { Array as Arr, Stream } from "effect"

/** Emits the elements of arrays, without empty arrays. */
export const flatten = <A, E, R>(arrays: Stream.Stream<ReadonlyArray<A>, E, R>): Stream.Stream<A, E, R> =>
  Stream.flattenArray(Stream.filter(arrays, Arr.isReadonlyArrayNonEmpty))
