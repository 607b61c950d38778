/**
 * Makes substance identifiers of one length, with valid check digits.
 */

/** Returns this many distinct identifiers. */
export const dtxsids = function* (count: number): Generator<string> {
  for (let n = 0; n < count; n++) yield dtxsid(10_000_000 + n)
}

/** Returns whether this identifier is the unknown one of ten. */
export const isUnknown = (dtxsid: string): boolean => dtxsid.endsWith("7")

const dtxsid = (number: number): string => {
  const digits = String(number)
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += (i + 1) * Number(digits[i])
  return `DTXSID${sum % 10}0${digits}`
}
