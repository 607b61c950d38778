/**
 * Reads the wait that a response demands: the header `Retry-After` (RFC 9110, section 10.2.3).
 *
 * `responseErrors.ts` puts it into the error, and `RetryPolicy.nextDelay` and `retry.ts` obey it.
 */

/**
 * Returns the wait in milliseconds: the header has seconds, or a date, which is compared with `now`, the time of
 * the service (its header `Date`) in milliseconds since 1970.
 *
 * Of several headers, which are joined by commas, the longest wait counts. Undefined: there is no header, or another text. A past date
 * and a negative number are 0; the smallest delay of the policy then applies.
 */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim()
  if (text === undefined || text === "") return undefined
  // An engine reads digits alone as a date of some year.
  const wait = /[a-z]/i.test(text) ? Date.parse(text) - now : Math.max(...text.split(",").map(Number)) * 1000
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.min(wait, lastDate - now))
}

/** A longer wait ends here: a service may name a time that no date can have. */
const lastDate = Date.UTC(9999, 11, 31)
