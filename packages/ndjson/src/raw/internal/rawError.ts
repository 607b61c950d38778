/** Makes the errors of raw records and of arrays. The offset counts from the start of the record or of the body. */
import * as Result from "effect/Result"
import { RawJsonError, type RawJsonReason } from "../RawJsonError.ts"
import type { Fault } from "./jsonGrammar.ts"

/** Refuses a record: returns the failure about its fault. */
export const refuse = (
  record: { readonly start: number; readonly end: number },
  fault: Fault
): Result.Result<never, RawJsonError> => {
  const offset = fault.index - record.start
  return Result.fail(
    new RawJsonError({
      reason: fault.reason,
      offset,
      message: `The record is refused at byte ${offset} of ${record.end - record.start}: ${fault.detail}. Request it again, or pass it on unchanged`
    })
  )
}

const NEXT_STEP: Record<RawJsonReason, string> = {
  truncated: "Request the body again",
  unbalanced: "The elements before it are valid. Request the body again",
  "missing-comma": "The elements before it are valid. Request the body again",
  "trailing-data": "A body must be one array. Decode several arrays, or NDJSON, as lines",
  "not-an-array": "Read the body: it may be an error message or a single object",
  "not-an-object": "Read the body: it may be an error message",
  "unexpected-byte": "The elements before it are valid. Request the body again",
  "invalid-utf8": "Check the encoding of the body: JSON is UTF-8",
  "too-large": "Raise maxElementBytes if such elements are expected"
}

/** Makes the error of an array, with the next step. */
export const arrayError = (reason: RawJsonReason, offset: number, detail: string): RawJsonError => {
  const message = `The JSON array is refused at byte ${offset}: ${detail}. ${NEXT_STEP[reason]}`
  return new RawJsonError({ reason, offset, message })
}

/** Shows a byte in a message. */
export const showByte = (byte: number): string =>
  byte > 0x20 && byte < 0x7f
    ? JSON.stringify(String.fromCharCode(byte))
    : `byte 0x${byte.toString(16).padStart(2, "0")}`
