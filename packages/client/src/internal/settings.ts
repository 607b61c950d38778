/**
 * Checks the settings of a client that address the service and its API key.
 *
 * `ChemClient` checks the numbers and durations.
 */
import { Dialect } from "@chemstream/api"
import { InvalidOption } from "@chemstream/batch"
import { Effect, Redacted } from "effect"

/** The checked value of a setting. The error never shows a key or a password. */
type Checked<A> = Effect.Effect<A, InvalidOption.InvalidOption>

const refuse = (
  option: "apiKey" | "baseUrl" | "dialect" | "keyHeader" | "pageParameter",
  wanted: string,
  value?: { readonly value: unknown }
): Checked<never> => Effect.fail(new InvalidOption.InvalidOption({ option, wanted, ...value }))

const missing = { value: undefined }

export const checkBaseUrl = (text: string | URL | undefined): Checked<string> => {
  if (text === undefined) return refuse("baseUrl", "an http:// or https:// address", missing)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const proposal = withScheme(String(text))
    const example = proposal === undefined ? "" : `, e.g. ${proposal}`
    return refuse("baseUrl", `an http:// or https:// address with a valid host and port${example}`)
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return refuse("baseUrl", "an address without a user name, a query and a fragment")
  }
  return Effect.succeed(url.href.replace(/\/+$/, ""))
}

/** Returns an address without a scheme as a URL. Undefined if the text may be something else, e.g. a key. */
const withScheme = (text: string): string | undefined => {
  if (!/^(localhost|[\w-]+(\.[\w-]+)+|[\w-]+(?=:))(:\d+)?(\/[\w./~-]*)?$/.test(text)) return undefined
  return `${/^localhost|:\d|^[\d.]+$/.test(text) ? "http" : "https"}://${text}`
}

export const checkDialect = (name: string): Checked<Dialect.Dialect> =>
  Dialect.isName(name)
    ? Effect.succeed(Dialect.dialects[name])
    : refuse("dialect", Dialect.names.join(" or "), { value: name })

/** The HTTP layer would quote an invalid header, and so the key, in its error. */
export const checkKey = (key: Redacted.Redacted | undefined): Checked<Redacted.Redacted> => {
  if (key === undefined) return refuse("apiKey", "the API key of the service", missing)
  const isSendable = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(Redacted.value(key))
  return isSendable
    ? Effect.succeed(key)
    : refuse(
        "apiKey",
        "a key that is not empty, has no white space at its ends and only characters that an HTTP header can carry"
      )
}

export const checkHeader = (name: string): Checked<string> =>
  /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name)
    ? Effect.succeed(name)
    : refuse("keyHeader", "an HTTP header name", { value: name })

export const checkPageParameter = (name: string): Checked<string> =>
  /^[\w.~-]+$/.test(name) && name !== "projection"
    ? Effect.succeed(name)
    : refuse("pageParameter", "a name of letters, digits and - . _ ~ that is not projection", {
        value: name
      })
