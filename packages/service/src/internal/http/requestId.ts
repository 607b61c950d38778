/** The id of a request in the access log and in the response. */
import { randomUUID } from "node:crypto"

/** The header of the id, in requests and responses. */
export const header = "x-request-id"

// The form that common proxies and tracers send. Other texts could forge a line of the log, or fill it.
const acceptable = /^[\w.:+/=-]{1,128}$/

/** Returns the id of the request if it has an acceptable form, else a new one. */
export const requestId = (received: string | undefined): string =>
  received !== undefined && acceptable.test(received) ? received : randomUUID()
