/**
 * Generators of records, as objects and as text, also with hostile keys, and of streams in any chunks.
 */
import { RawRecord } from "@chemstream/ndjson"
import { Cause, Effect, Exit, Stream } from "effect"
import fc from "fast-check"

/** Keys that a careless program misreads. */
export const key: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "c",
    "a.b",
    "a\\.b",
    "",
    ".",
    "\\",
    "__proto__",
    "constructor",
    "toString",
    "1",
    "é"
  ),
  fc.string({ unit: "binary", maxLength: 4 })
)

export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "binary", maxLength: 4 })
)

/** The text of an object with values of one kind and possibly duplicate keys. */
export const textOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(key, value), { maxLength: 5 })
    .map((fields) => `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`)

const { nested } = fc.letrec<{ nested: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar.map(written),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    tie("nested")
  ),
  nested: textOf(tie("value"))
}))

/** The text of any JSON object. */
export const anyText: fc.Arbitrary<string> = nested

/** Any JSON object, as `JSON.parse` returns it. */
export const anyRecord: fc.Arbitrary<Record<string, unknown>> = anyText.map((text) => JSON.parse(text))

/** The chunk sizes of a stream, repeated to its end. */
export const cuts: fc.Arbitrary<ReadonlyArray<number>> = fc.array(fc.integer({ min: 1, max: 5 }), {
  minLength: 1,
  maxLength: 4
})

/** Returns the items as a stream with the given chunk sizes. */
export const streamOf = <A>(
  items: ReadonlyArray<A>,
  sizes: ReadonlyArray<number> = [2]
): Stream.Stream<A> => {
  const chunks: Array<ReadonlyArray<A>> = []
  for (let at = 0; at < items.length; ) {
    const size = sizes[chunks.length % sizes.length] as number
    chunks.push(items.slice(at, at + size))
    at += size
  }
  return Stream.fromArrays(...chunks)
}

export const raws = (texts: ReadonlyArray<string>): ReadonlyArray<RawRecord.RawRecord> =>
  texts.map(RawRecord.fromText)

/** Returns everything that a stream emitted. */
export const all = <A, E>(stream: Stream.Stream<A, E>): Array<A> => Effect.runSync(Stream.runCollect(stream))

/** Returns the items of a stream before its failure, and the failure. */
export const failure = <A, E>(
  stream: Stream.Stream<A, E>
): { readonly items: ReadonlyArray<A>; readonly error: E } => {
  const items: Array<A> = []
  const exit = Effect.runSyncExit(Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))))
  if (Exit.isSuccess(exit)) throw new Error("the stream has not failed")
  const error = exit.cause.reasons.find(Cause.isFailReason)?.error
  if (error === undefined) throw new Error(`a defect: ${exit.cause}`)
  return { items, error }
}

/** Returns JSON text that distinguishes -0 from 0. */
export function written(value: unknown): string {
  return Object.is(value, -0) ? "-0" : JSON.stringify(value)
}
