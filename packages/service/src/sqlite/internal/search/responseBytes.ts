/** Finds the bytes in the result of a search thread, so that they are transferred and not copied. */

// The length of the empty result `[]`, which is shared and must not be transferred.
const sharedLength = 2

/** Returns the bytes of a result that are not shared. */
export const bytesOf = (result: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  (Array.isArray(result) ? result : [result])
    .map((part) => (part instanceof Uint8Array ? part : (part as { readonly json?: unknown } | null)?.json))
    .filter((bytes) => bytes instanceof Uint8Array)
    .filter((bytes): bytes is Uint8Array<ArrayBuffer> => bytes.length > sharedLength)
