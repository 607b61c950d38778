/**
 * Reads the wait that a response demands: the header `Retry-After` (RFC 9110, section 10.2.3).
 *
 * `responseErrors.ts` puts it into the error, and `RetryPolicy.nextDelay` and `retry.ts` obey it.
 */

/**
 * Returns the wait in milliseconds: the header has seconds, or a date, which is compared with `now` (milliseconds since 1970).
 *
 * Undefined: there is no header, or another text. A past date and a negative number are 0; the smallest delay of the policy then applies.
 */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim()
  if (text === undefined || text === "") return undefined
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
