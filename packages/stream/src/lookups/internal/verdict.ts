/**
 * Decides what a failed call means for its batch. The client has retried the call where that could help.
 */
import type { Batch } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import type { Ledger } from "../../runs/Ledger.ts"

/** Returns the verdict on a failed call. `waits`: whether calls wait while the service is unavailable. */
export const verdict = (error: ChemError.ChemError, ledger: Ledger, waits: boolean): Batch.Verdict => {
  // A call that waited fails only if other calls succeed, so one of its identifiers may be the cause.
  const asUnavailable = waits ? "isolate" : "fail"
  switch (error._tag) {
    case "Unauthorized":
    // Every later batch would fail in the same way.
    case "ServiceUnavailable":
      return "stop"
    case "BatchTooLarge":
      return "halve"
    case "RequestTimeout":
      return error.phase === "connect" ? (wasNeverReached(ledger) ? "stop" : asUnavailable) : "halve"
    case "NotFound":
      // A gateway sends a 404 without a problem document. It knows no identifiers.
      return error.gateway === true ? "isolate" : "missing"
    case "InvalidRequest":
      // The dialect has no such request, or the service has another dialect. Every request fails in the same
      // way.
      return error.status === undefined || error.dialect !== undefined ? "stop" : "isolate"
    case "MalformedResponse":
      // With the wrong dialect, every request fails in the same way.
      return error.dialect === undefined ? "isolate" : "stop"
    case "ServiceFailure":
      if (error.status === 500) return "isolate"
      return error.status >= 502 && error.status <= 504 ? asUnavailable : "fail"
    case "ConnectionFailed":
      return error.phase === "connect" ? (wasNeverReached(ledger) ? "stop" : asUnavailable) : "halve"
    case "RateLimited":
      return "fail"
  }
}

/** A run that never got a response has a wrong address. */
const wasNeverReached = ({ responses }: Ledger): boolean => responses === 0
