/** The errors of calls, values and settings. */
import type { InvalidIdentifier } from "@chemstream/api"
import type { ChemError, InvalidOption, PromiseClient, ResponseCache } from "@chemstream/client"
import type { Entry } from "./errorEntry.ts"

export const calls = {
  Unauthorized: {
    meaning:
      "The service rejected the API key (401), or the key lacks the permission (403 with a JSON body). The run stops at once.",
    action:
      "Check where the key comes from with chemstream config get, and set the right one. chemstream doctor shows whether the service accepts it."
  },
  NotFound: {
    meaning: "The service has no record for this value. A run counts the value as missing, not as failed.",
    action:
      "Look at the suggestions in the error, if it has any. chemstream validate finds misspelt identifiers."
  },
  InvalidRequest: {
    meaning:
      "The service, or a gateway in front of it, rejected the request (another 4xx). A retry does not help.",
    action:
      "Read the message of the service or gateway. A gateway may block a word (403 with an HTML page). If every request fails, the base URL may lack a part of its path, or the service differs from the contract. A service without the endpoint of a command stops the run after its first response."
  },
  BatchTooLarge: {
    meaning:
      "The request has more values than the endpoint accepts. A run halves the batch and continues with smaller batches.",
    action:
      "In a run: nothing. In a program: send fewer values in one call, or use a stream, which splits them."
  },
  RateLimited: {
    meaning:
      "Too many requests (429). A run waits as long as the service asks, then sends requests more slowly, and no identifier fails. This error means that a single call was throttled at its last attempt, too.",
    action:
      "Lower the rate (--rate 5/s, or a smaller --concurrency). Then run chemstream retry for the failed identifiers."
  },
  ServiceFailure: {
    meaning:
      "The service, or a gateway in front of it, failed at every attempt (5xx). A run bisects the batch until it has isolated the values that cause the failure.",
    action:
      "Wait, then run chemstream retry. If the same identifiers fail again, report them to the operator of the service."
  },
  RequestTimeout: {
    meaning: "No attempt received a complete response within the timeout.",
    action:
      "Set a longer timeout (--timeout 2m) or smaller batches (--batch-size 100). Then run chemstream retry."
  },
  ConnectionFailed: {
    meaning:
      "The connection to the service failed or was cut off. The code comes from the operating system: ENOTFOUND (unknown host), ECONNREFUSED (nothing listens there), CERT… (untrusted certificate) or HPE… (the response is not HTTP).",
    action:
      "Check the base URL and the network with chemstream doctor. If there is a proxy, check HTTPS_PROXY and NO_PROXY. If you trust the authority of an untrusted certificate, name its file in NODE_EXTRA_CA_CERTS."
  },
  MalformedResponse: {
    meaning:
      "The response has a success status, but its body or a record in it is not the expected data: an error page, truncated or invalid JSON, or another shape. The path names the place in the body.",
    action:
      "Run chemstream retry later. If the error stays, the service has changed. --validate warn or off writes records of another shape unchanged. The errors file has a record that is not valid JSON as text."
  },
  ServiceUnavailable: {
    meaning:
      "The service was unavailable for longer than --wait, or asked to wait longer (429, Retry-After); the message says until when. It is unavailable if connections fail, a gateway responds with 502, 503 or 504, a page or a redirect comes instead of the data, a gateway rejects request after request with an HTML page, or no request of a run has succeeded. No identifier fails for it.",
    action:
      "Wait until the time in the message, or until chemstream doctor reports that the service is available. Then run the same command again: it continues a run into a file or a database. --wait 1h waits longer."
  }
} satisfies Record<ChemError.ChemError["_tag"], Entry>

export const values = {
  InvalidIdentifier: {
    meaning:
      "The value is not an identifier of the expected kind. Its form is wrong (malformed), its check digit is wrong (check-digit, an error under --strict-ids only), or it stands for no value, e.g. NA (placeholder). It was not requested.",
    action:
      "Correct the value. chemstream validate repairs a damaged one; --lookup shows similar ones that exist. --fail-on invalid makes it exit code 1."
  }
} satisfies Record<InvalidIdentifier.InvalidIdentifier["_tag"], Entry>

export const settings = {
  ClientClosed: {
    meaning: "A program closed the client before or during the call.",
    action: "Close a client when all of its calls have ended, or make another one."
  },
  InvalidOption: {
    meaning:
      "An option has a value that cannot be used, e.g. a base URL without http:// or https://, or a concurrency of 0.",
    action:
      "Change the option named in the message. chemstream config get shows where each setting comes from."
  },
  CacheFailure: {
    meaning: "The cache of responses cannot be used. During a run, the run continues without the cache.",
    action: "Free disk space or choose another file. The file can be deleted at any time."
  }
} satisfies Record<
  (InvalidOption.InvalidOption | PromiseClient.ClientClosed | ResponseCache.CacheFailure)["_tag"],
  Entry
>
