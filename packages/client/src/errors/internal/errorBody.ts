/**
 * Reads an error body of any shape: RFC 9457 problem details, the older `{timestamp, status, error, path}`, an HTML
 * page of a gateway, plain text, or nothing. `responseErrors.ts` makes the message of it, also with the suggestions ("Did you mean").
 */
import { Predicate } from "effect"
import { inOneLine, type Redact } from "./redaction.ts"

/** The longest excerpt of a body in a message, in characters. */
const longestExcerpt = 200

/** What an error body says. */
export interface ErrorBody {
  /** The text of the body in one line. Empty: it has none. */
  readonly text: string
  /** The `suggestions` of a search miss. Absent: the body has none. */
  readonly suggestions?: ReadonlyArray<string>
  /** Whether the body is not a JSON object, so not an error of the service: a page of a gateway, or nothing. */
  readonly isFromGateway: boolean
  /** Whether the body is `{timestamp, status, error, path}`, without a reason. */
  readonly lacksReason: boolean
}

/** Reads the body of an error, without the API key. */
export const parseErrorBody = (body: string, redact: Redact): ErrorBody => {
  const json = parseJson(body)
  if (!Predicate.isObject(json))
    return { text: excerpt(body, redact), isFromGateway: true, lacksReason: false }
  const text = [json["detail"], json["title"], json["error"], json["message"]].find(
    (candidate) => Predicate.isString(candidate) && candidate !== ""
  )
  const suggestions = json["suggestions"]
  const texts = [...(Predicate.isString(text) ? [text] : []), ...textsIn(json["violations"])]
  return {
    text: excerpt(texts.length === 0 ? body : texts.join(": "), redact),
    isFromGateway: false,
    lacksReason:
      json["timestamp"] !== undefined && json["detail"] === undefined && json["message"] === undefined,
    ...(Array.isArray(suggestions)
      ? { suggestions: suggestions.filter(Predicate.isString).map((one) => inOneLine(redact(one))) }
      : {})
  }
}

/** Returns the title of a web page, without the API key. Undefined: the body is no web page. */
export const pageTitle = (body: string, redact: Redact): string | undefined =>
  /^\s*<(!doctype|html|head|body|\?xml|!--)/i.test(body) ? excerpt(body, redact) : undefined

/** Returns the texts of violations: a list, or an object by field. */
const textsIn = (violations: unknown): ReadonlyArray<string> =>
  Predicate.isObjectOrArray(violations) ? Object.values(violations).filter(Predicate.isString) : []

/** Returns the text of a body in one line, without markup, at most `longestExcerpt` characters. */
const excerpt = (body: string, redact: Redact): string => {
  const text = redact(body)
  const words = inOneLine(/^\s*</.test(text) ? textOfMarkup(text) : text)
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
