/** Describes values of a caller, which may be of any type, in messages: errors and reasons (`messageOf`), and items (`shownItem`). */

/** Describes an error or a reason. Never returns an empty text. */
export const messageOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error).trim() || "no reason was given"
  const { _tag, code, errors, message, name } = error as Readonly<Record<string, unknown>>
  if (typeof message === "string" && message.trim() !== "") return message
  // The error of a host with several addresses has only the errors of each.
  if (Array.isArray(errors) && errors.length > 0) return messageOf(errors[0])
  const title = [_tag, code, name].find((one) => typeof one === "string" && one !== "")
  return typeof title === "string" ? title : (textOf(error) ?? "an error without a message")
}

/** Returns a value of a caller as a text, for people. */
export const shownItem = (item: unknown): string => {
  const isPlain = Object(item) === item && (item as object).toString === Object.prototype.toString
  return (isPlain ? textOf(item as object) : undefined) ?? String(item)
}

const textOf = (value: object): string | undefined => {
  try {
    return JSON.stringify(value)?.slice(0, longestText)
  } catch {
    return undefined
  }
}

/** The longest text of an object without a message. */
const longestText = 200
