/**
 * The error of a record that is not usable, with the place of the first thing that is wrong, counted from its start.
 */
import * as Result from "effect/Result"
import { RawJsonError } from "../RawJsonError.ts"
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
