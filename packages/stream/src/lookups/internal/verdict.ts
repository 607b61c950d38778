/**
 * What a failed call to a chemical-information service means for its batch. The client has tried again where that
 * could help.
 */
import type { Batch } from "@chemstream/batch"
import type { ChemError } from "@chemstream/client"
import type { Ledger } from "../../runs/Ledger.ts"

/** `waits` says whether the call waited for the service as long as that was unavailable. */
export const verdict = (error: ChemError.ChemError, ledger: Ledger, waits: boolean): Batch.Verdict => {
  // A call that waited fails only while others are answered: an identifier in it may be the cause.
  const asUnavailable = waits ? "isolate" : "fail"
  switch (error._tag) {
    case "Unauthorized":
    // Later batches would only fail the same way.
    case "ServiceUnavailable":
      return "end"
    case "BatchTooLarge":
      return "halve"
    case "RequestTimeout":
      return error.phase === "connect" ? (isUnreached(ledger) ? "end" : asUnavailable) : "halve"
    case "NotFound":
      // Without a document the word of a gateway, which knows nothing of identifiers.
      return error.gateway === true ? "isolate" : "missing"
    case "InvalidRequest":
    case "MalformedResponse":
      // In the wrong dialect every request fails the same way.
      return error.dialect === undefined ? "isolate" : "end"
    case "ServiceFailure":
      if (error.status === 500) return "isolate"
      return error.status >= 502 && error.status <= 504 ? asUnavailable : "fail"
    case "ConnectionFailed":
      return error.phase === "connect" ? (isUnreached(ledger) ? "end" : asUnavailable) : "halve"
    case "RateLimited":
      return "fail"
  }
}

/** At the very beginning no connection means a wrong address: nothing else can be expected of the rest of the run. */
const isUnreached = ({ answers }: Ledger): boolean => answers === 0
