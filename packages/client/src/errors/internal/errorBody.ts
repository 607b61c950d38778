/**
 * What an error body says, whatever shape it has: RFC 9457 problem details, the older
 * `{timestamp, status, error, path}`, an HTML page of a gateway, plain text, or nothing.
 */
import { Predicate } from "effect"
import type { Redact } from "./redaction.ts"

/** The most characters of a body that an error message quotes. */
const longestExcerpt = 200

export interface ErrorBody {
  /** What the body says, in one line; empty when it says nothing. */
  readonly text: string
  /** What to ask for instead, from the `suggestions` of a search miss; absent when the body has no such member. */
  readonly suggestions?: ReadonlyArray<string>
  /** Whether it is no JSON object, as the service's own errors are: a page of a gateway, or nothing. */
  readonly isForeign: boolean
  /** Whether it is `{timestamp, status, error, path}`, which gives the name of the status and no reason. */
  readonly isBare: boolean
}

/** Reads the body of an error; what it says comes without the API key. */
export const parseErrorBody = (body: string, redact: Redact): ErrorBody => {
  const json = parseJson(body)
  if (!Predicate.isObject(json)) return { text: excerpt(body, redact), isForeign: true, isBare: false }
  const text = [json["detail"], json["title"], json["error"], json["message"]].find(
    (candidate) => Predicate.isString(candidate) && candidate !== ""
  )
  const suggestions = json["suggestions"]
  const said = [...(Predicate.isString(text) ? [text] : []), ...textsIn(json["violations"])]
  return {
    text: excerpt(said.length === 0 ? body : said.join(": "), redact),
    isForeign: false,
    isBare: json["timestamp"] !== undefined && json["detail"] === undefined && json["message"] === undefined,
    ...(Array.isArray(suggestions) ? { suggestions: suggestions.filter(Predicate.isString).map(redact) } : {})
  }
}

/** The texts of a list, or of an object of texts by field: services list violations in both shapes. */
const textsIn = (violations: unknown): ReadonlyArray<string> =>
  Predicate.isObjectOrArray(violations) ? Object.values(violations).filter(Predicate.isString) : []

/** The words of a body in one line: markup dropped, white space folded, cut to a readable length. */
const excerpt = (body: string, redact: Redact): string => {
  const text = redact(body)
  const words = (/^\s*</.test(text) ? textOfMarkup(text) : text).replace(/\s+/g, " ").trim()
  return words.length > longestExcerpt ? `${words.slice(0, longestExcerpt)}…` : words
}

const textOfMarkup = (html: string): string =>
  /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1] ??
  html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ")

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
