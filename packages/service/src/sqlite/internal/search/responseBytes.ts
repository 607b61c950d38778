/** Finds the bytes in the result of a search thread, which are transferred instead of copied. */

// The empty result, `[]`, is shared, so it must not be transferred.
const shared = 2

/** Returns the bytes that belong to a result alone. */
export const bytesOf = (answer: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  (Array.isArray(answer) ? answer : [answer])
    .map((one) => (one instanceof Uint8Array ? one : (one as { readonly json?: unknown } | null)?.json))
    .filter((bytes) => bytes instanceof Uint8Array)
    .filter((bytes): bytes is Uint8Array<ArrayBuffer> => bytes.length > shared)
