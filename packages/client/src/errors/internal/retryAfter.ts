/**
 * Reads the `Retry-After` header (RFC 9110, section 10.2.3), seconds or a date, as milliseconds from now.
 *
 * Any other text is ignored. A past date and a negative number are 0; the smallest delay of the policy then applies.
 */

export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim()
  if (text === undefined || text === "") return undefined
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
