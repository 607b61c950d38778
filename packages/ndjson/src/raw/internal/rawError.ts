/**
 * The error of a record that is not usable, with the place of the first thing that is wrong, counted from its start.
 */
import * as Result from "effect/Result"
import { RawJsonError, type RawJsonReason } from "../RawJsonError.ts"
import type { Fault } from "./grammar.ts"

export const refuse = (
  record: { readonly start: number; readonly end: number },
  fault: Fault
): Result.Result<never, RawJsonError> => {
  const offset = fault.index - record.start
  return Result.fail(
    new RawJsonError({
      reason: fault.reason,
      offset,
      message: `The record is not usable at byte ${offset} of ${record.end - record.start}: ${fault.detail}. Ask for it again, or pass it on as it came`
    })
  )
}

const NEXT_STEP: Record<RawJsonReason, string> = {
  truncated: "The body was cut short: ask for it again",
  unbalanced: "What came before it is usable; ask for the body again",
  "missing-comma": "What came before it is usable; ask for the body again",
  "trailing-data": "One body holds one array: for several, or for NDJSON, decode lines",
  "not-an-array": "Look at the body: it may be an error message or a single object",
  "not-an-object": "Look at the body: it may be an error message",
  "unexpected-byte": "What came before it is usable; ask for the body again",
  "invalid-utf8": "Look at the encoding of the body: JSON is UTF-8",
  "too-large": "Raise maxElementBytes if such elements are expected"
}

/** The error of an array, at an offset of its body. */
export const arrayError = (reason: RawJsonReason, offset: number, detail: string): RawJsonError => {
  const message = `The JSON array is not usable at byte ${offset}: ${detail}. ${NEXT_STEP[reason]}`
  return new RawJsonError({ reason, offset, message })
}

/** A byte in a message. */
export const showByte = (byte: number): string =>
  byte > 0x20 && byte < 0x7f
    ? JSON.stringify(String.fromCharCode(byte))
    : `byte 0x${byte.toString(16).padStart(2, "0")}`
