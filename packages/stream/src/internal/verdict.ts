/**
 * What a failed call to a chemical-information service means for its batch. The client has tried again where that
 * could help.
 */
import type { ChemError } from "@chemstream/client"
import type { Ledger } from "../Ledger.ts"
import type { Verdict } from "./batchCall.ts"

export const verdict = (error: ChemError.ChemError, ledger: Ledger): Verdict => {
  switch (error._tag) {
    case "Unauthorized":
    // The service has been down for longer than the client waits: later batches would only fail the same way.
    case "CircuitOpen":
      return "end"
    case "BatchTooLarge":
      return "halve"
    case "RequestTimeout":
      return error.phase === "connect" ? unreached(ledger) : "halve"
    case "NotFound":
      // Without a document the word of a gateway, which knows nothing of identifiers.
      return error.gateway === true ? "isolate" : "missing"
    case "InvalidRequest":
    case "MalformedResponse":
      return "isolate"
    case "ServiceFailure":
      return error.status === 500 ? "isolate" : "fail"
    case "ConnectionFailed":
      return error.phase === "connect" ? unreached(ledger) : "halve"
    case "RateLimited":
      return "fail"
  }
}

/** No connection came about: at the very beginning nothing else can be expected of the rest of the run. */
const unreached = (ledger: Ledger): Verdict => (ledger.answers === 0 ? "end" : "fail")
