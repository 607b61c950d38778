/**
 * The id that a request is known by, in the access log and in the answer.
 */
import { randomUUID } from "node:crypto"

/** The header that carries the id, in the request and in the answer. */
export const header = "x-request-id"

// What common proxies and tracers send. Anything else could forge a line of a log, or fill it.
const sane = /^[\w.:+/=-]{1,128}$/

/** The id that came with the request where it is a sane one, else a new one. */
export const requestId = (received: string | undefined): string =>
  received !== undefined && sane.test(received) ? received : randomUUID()
