/**
 * Splits the same bytes into chunks in many ways, and checks that a decoder returns the same for each.
 */
import { Effect, Exit, Stream } from "effect"
import { expect } from "vitest"

const encoder = new TextEncoder()

export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Returns bytes that count how often one of them is read. It tells, without a clock, how often a scan passes over them. */
export const countReads = (
  text: Uint8Array
): { readonly bytes: Uint8Array; readonly reads: () => number } => {
  let reads = 0
  const bytes = new Proxy(text, {
    get: (target, name) => {
      if (typeof name === "string" && /^\d/.test(name)) reads++
      const value = Reflect.get(target, name, target)
      return typeof value === "function" ? value.bind(target) : value
    }
  })
  return { bytes, reads: () => reads }
}

/** Returns the bytes whole, in chunks of 1 to 5 bytes, with empty chunks between bytes, and in two chunks at every position. */
export const everyCut = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<Uint8Array>> => {
  const cuts: Array<Array<Uint8Array>> = [[bytes]]
  for (let size = 1; size <= 5; size++) {
    const cut: Array<Uint8Array> = []
    for (let i = 0; i < bytes.length; i += size) cut.push(bytes.slice(i, i + size), new Uint8Array(0))
    cuts.push(cut)
  }
  for (let i = 1; i < bytes.length; i++) cuts.push([bytes.slice(0, i), bytes.slice(i)])
  return cuts
}

/** Returns everything that a stream emitted, and its error, if any. */
export const outcome = <A, E>(stream: Stream.Stream<A, E>): { items: Array<A>; error: E | undefined } => {
  const items: Array<A> = []
  const exit = Effect.runSyncExit(Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))))
  if (Exit.isSuccess(exit)) return { items, error: undefined }
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  if (error === undefined) throw new Error(`a defect: ${exit.cause}`)
  return { items, error }
}

/** Expects a decoder to return the same for all chunks of the bytes, and returns it. */
export const sameAtEveryCut = <A, E, B>(
  bytes: Uint8Array,
  decode: (stream: Stream.Stream<Uint8Array>) => Stream.Stream<A, E>,
  show: (item: A) => B
): { items: Array<B>; error: E | undefined } => {
  const run = (cut: ReadonlyArray<Uint8Array>) => {
    const { items, error } = outcome(decode(Stream.fromArray(cut)))
    return { items: items.map(show), error }
  }
  const whole = run([bytes])
  for (const cut of everyCut(bytes)) {
    const made = run(cut)
    expect(made.items).toEqual(whole.items)
    expect({ ...made.error }).toEqual({ ...whole.error })
  }
  return whole
}
