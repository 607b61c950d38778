/**
 * The bytes in the response of a search thread: posted as a transfer, not copied.
 */

// An answer without hits, `[]`, is shared by all such answers.
const shared = 2

/** The bytes of an answer, of whatever job, that belong to it alone. */
export const bytesOf = (answer: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  (Array.isArray(answer) ? answer : [answer])
    .map((one) => (one instanceof Uint8Array ? one : (one as { readonly json?: unknown } | null)?.json))
    .filter((bytes) => bytes instanceof Uint8Array)
    .filter((bytes): bytes is Uint8Array<ArrayBuffer> => bytes.length > shared)
