/**
 * Encodes a request of the contract: path, query, body and media type, in the form of a dialect.
 */
import { Details, type Dialect, type Operation } from "@chemstream/api"
import { HttpClientRequest } from "effect/http"

/** The form of the requests of a call. */
export interface RequestEncoding {
  readonly form: Dialect.Form
  /** The body as one value a line, instead of JSON. */
  readonly lines: ReadonlyArray<string> | undefined
  /** The service's names of projections, by those of the contract. */
  readonly projections: Readonly<Record<string, string>>
}

/** Encodes a request, without the address of the service. */
export const encodeRequest = (
  { accept, method, parts, path }: Operation.Operation,
  { params = {}, payload, query = {} }: Operation.Values,
  { form, lines, projections }: RequestEncoding,
  pageParameter: string
): HttpClientRequest.HttpClientRequest => {
  const { firstPage = 1 } = form
  const names = Object.keys(parts().query ?? {}).filter((name) => query[name] !== undefined)
  const values = names.map((name): readonly [string, string] => {
    const value = String(query[name])
    if (name === "projection") return [name, projections[value] ?? value]
    const isFirst = name === Details.defaultPageParameter && value === "1"
    return [parameterName(name, pageParameter), isFirst ? String(firstPage) : value]
  })
  const request = HttpClientRequest.make(method)(form.path ?? pathOf(path, params)).pipe(
    HttpClientRequest.accept(accept),
    HttpClientRequest.setUrlParams([...values, ...Object.entries(form.query ?? {})])
  )
  if (payload === undefined) return request
  // Each word is one line, so its own line breaks become spaces.
  return lines === undefined
    ? HttpClientRequest.bodyJsonUnsafe(request, payload)
    : HttpClientRequest.bodyText(
        request,
        lines.map((word) => word.replace(/[\r\n]+/g, " ")).join("\n"),
        "text/plain"
      )
}

const pathOf = (path: string, params: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeReserved(encodeURIComponent(String(params[name]))))

/** Percent-encodes `! ' ( ) *`, which RFC 3986, section 2.2, reserves and `encodeURIComponent` leaves. */
export const encodeReserved = (text: string): string =>
  text.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the service's name of a query parameter. */
export const parameterName = (name: string, pageParameter: string): string =>
  name === Details.defaultPageParameter ? pageParameter : name
