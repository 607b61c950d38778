/** Finds the bytes in the result of a search thread, which are transferred instead of copied. */

// The empty result, `[]`, is shared, so it must not be transferred.
const sharedLength = 2

/** Returns the bytes that belong to a result alone. */
export const bytesOf = (result: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  (Array.isArray(result) ? result : [result])
    .map((part) => (part instanceof Uint8Array ? part : (part as { readonly json?: unknown } | null)?.json))
    .filter((bytes) => bytes instanceof Uint8Array)
    .filter((bytes): bytes is Uint8Array<ArrayBuffer> => bytes.length > sharedLength)
