/**
 * Splits a JSON array into the texts of its elements, unchanged.
 *
 * It imports no other package, so that tests do not depend on the code they test. Expects well-formed JSON.
 */

/** Returns the elements, or `undefined` if the text is not an array. */
export const split = (text: string): ReadonlyArray<string> | undefined => {
  const whole = text.trim()
  if (!whole.startsWith("[") || !whole.endsWith("]")) return undefined
  const elements: Array<string> = []
  let depth = 0
  let isString = false
  let start = 1
  for (let at = 1; at < whole.length - 1; at++) {
    const character = whole[at]
    if (isString) {
      if (character === "\\") at++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    else if (character === "," && depth === 0) {
      elements.push(whole.slice(start, at).trim())
      start = at + 1
    }
  }
  const last = whole.slice(start, -1).trim()
  return last === "" && elements.length === 0 ? [] : [...elements, last]
}

export const join = (elements: ReadonlyArray<string>): string => `[${elements.join(",")}]`
