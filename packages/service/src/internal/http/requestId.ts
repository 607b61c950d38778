/** The id of a request in the access log and in the response. */
import { randomUUID } from "node:crypto"

/** The header of the id, in requests and responses. */
export const header = "x-request-id"

// The form that common proxies and tracers send. Any other text could forge or flood the log.
const acceptable = /^[\w.:+/=-]{1,128}$/

/** Returns the received id if its form is acceptable, or a new id. */
export const requestId = (received: string | undefined): string =>
  received !== undefined && acceptable.test(received) ? received : randomUUID()
