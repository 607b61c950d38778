/** Typing errors in identifiers with a check digit: the error that names one, and its possible corrections (`neighbours`). */
import { Result } from "effect"
import { InvalidIdentifier } from "../InvalidIdentifier.ts"

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= "0" && char <= "9"

/**
 * Returns the identifiers that pass a check and differ from a text in one digit, or in the order of two adjacent
 * digits. These are the common typing errors. `from` is the position of the first digit.
 */
export const corrections = <A extends string>(
  text: string,
  from: number,
  check: (text: string) => Result.Result<A, unknown>
): ReadonlyArray<A> => {
  const found = new Set<A>()
  const add = (candidate: string): void => {
    const checked = check(candidate)
    if (Result.isSuccess(checked) && checked.success !== text) found.add(checked.success)
  }
  for (let at = from; at < text.length; at++) {
    if (!isDigit(text[at])) continue
    const [before, after] = [text.slice(0, at), text.slice(at + 1)]
    for (let digit = 0; digit <= 9; digit++) add(`${before}${digit}${after}`)
    const next = isDigit(text[at + 1]) ? at + 1 : at + 2
    if (!isDigit(text[next])) continue
    add(`${before}${text[next]}${text.slice(at + 1, next)}${text[at]}${text.slice(next + 1)}`)
  }
  return [...found]
}

/** Fails because the check digit of an identifier does not fit its other digits. */
export const wrongCheckDigit = (
  identifier: string,
  value: string,
  digit: string,
  expected: number
): Result.Result<never, InvalidIdentifier> => {
  const message = `${value} has the check digit ${digit}, but its other digits give ${expected}; any digit may be wrong`
  return Result.fail(new InvalidIdentifier({ identifier, value, reason: "check-digit", message }))
}
