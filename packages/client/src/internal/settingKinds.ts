/**
 * The kinds of the settings that address the service, and of its API key. `ChemClient` declares all settings.
 */
import { Dialect } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import { Redacted } from "effect"

/** The address of the service. The error never shows it: it may have a password, or be a key. */
export const baseUrl: Options.Kind<string | URL> = Options.kind(
  "an http:// or https:// address",
  (value) => {
    const text = value instanceof URL ? value.href : value
    const url = typeof text === "string" ? URL.parse(text) : null
    if (url === null || !/^https?:$/.test(url.protocol)) {
      const proposal = typeof text === "string" ? withScheme(text) : undefined
      const example = proposal === undefined ? "" : `, e.g. ${proposal}`
      return `an http:// or https:// address with a valid host and port${example}`
    }
    const hasMore = url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== ""
    return !hasMore || "an address without a user name, a query and a fragment"
  },
  "secret"
)

/** Returns a checked address without slashes at its end. */
export const addressOf = (checked: string | URL): string => new URL(checked).href.replace(/\/+$/, "")

/** Returns an address without a scheme as a URL. Undefined if the text may be something else, e.g. a key. */
const withScheme = (text: string): string | undefined => {
  if (!/^(localhost|[\w-]+(\.[\w-]+)+|[\w-]+(?=:))(:\d+)?(\/[\w./~-]*)?$/.test(text)) return undefined
  return `${/^localhost|:\d|^[\d.]+$/.test(text) ? "http" : "https"}://${text}`
}

/** The name of a dialect. */
export const dialect: Options.Kind<Dialect.Name> = Options.kind(
  Dialect.names.join(" or "),
  (value) => typeof value === "string" && Dialect.isName(value)
)

/** The API key. The HTTP layer would quote an invalid header, and so the key, in its error. */
export const apiKey: Options.Kind<Redacted.Redacted> = Options.kind(
  "the API key of the service",
  (value) => {
    if (typeof value === "string") return "the key as a secret: Redacted.make(key)"
    const key = Redacted.isRedacted(value) ? Redacted.value(value) : undefined
    return (
      typeof key === "string" &&
      (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key) ||
        "a key that is not empty, has no white space at its ends and only characters that an HTTP header can carry")
    )
  },
  "secret"
)

/** The name of the header with the API key. */
export const keyHeader: Options.Kind<string> = Options.kind(
  "an HTTP header name",
  (value) => typeof value === "string" && /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(value)
)

/** The name of the query parameter with the page. The projection has its own. */
export const pageParameter: Options.Kind<string> = Options.kind(
  "a name of letters, digits and - . _ ~ that is not projection",
  (value) => typeof value === "string" && /^[\w.~-]+$/.test(value) && value !== "projection"
)
