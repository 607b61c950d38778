import { Data } from "effect"

/**
 * A file cannot be imported: the file, the place in it, and the reason.
 *
 * - `reason`: `"unreadable"`: the file cannot be read; `"malformed"`: it is not valid JSON; `"identifier"`: an
 *   identifier of a record is missing or malformed; `"kind"`: a record does not have the fields of its kind.
 * - `line`: the line of an NDJSON file, from 1. `element`: the element of an array, from 1. `offset`: the byte of the
 *   uncompressed text at which an array is malformed.
 * - `message`: the place and the reason in words.
 */
export class ImportError extends Data.TaggedError("ImportError")<{
  readonly file: string
  readonly reason: "unreadable" | "malformed" | "identifier" | "kind"
  readonly message: string
  readonly line?: number | undefined
  readonly element?: number | undefined
  readonly offset?: number | undefined
  readonly cause?: unknown
}> {}
