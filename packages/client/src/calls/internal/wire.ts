/**
 * What the client that derives from the contract leaves to do on each request: the media type asked for, the last
 * characters of the path encoding, the service's own name of the page parameter, and what its dialect says.
 */
import { Details, type Dialect } from "@chemstream/api"
import { Context } from "effect"
import { HttpClientRequest, UrlParams } from "effect/http"

/** How the requests of a call are sent. */
export interface Sending {
  /** The media type asked for. */
  readonly accept: string
  readonly form: Dialect.Form
  /** The body in place of the contract's JSON, one value a line. */
  readonly lines: ReadonlyArray<string> | undefined
  /** The service's names of projections, by those of the contract. */
  readonly projections: Readonly<Record<string, string>>
}

/** How the calls in its scope are sent. */
export const Sending: Context.Reference<Sending> = Context.Reference("@chemstream/client/internal/Sending", {
  defaultValue: (): Sending => ({ accept: "application/json", form: {}, lines: undefined, projections: {} })
})

/** To be applied before the base URL is put in front: the path is still the contract's own. */
export const onTheWire = (
  request: HttpClientRequest.HttpClientRequest,
  context: Context.Context<never>,
  pageParameter: string
): HttpClientRequest.HttpClientRequest => {
  const { accept, form, lines, projections } = Context.get(context, Sending)
  const sent = request.pipe(
    HttpClientRequest.setUrl(encodeReserved(form.path ?? request.url)),
    HttpClientRequest.accept(accept),
    withQuery(pageParameter, projections, form)
  )
  // A word is one line, whatever white space it holds.
  return lines === undefined
    ? sent
    : HttpClientRequest.bodyText(
        sent,
        lines.map((word) => word.replace(/[\r\n]+/g, " ")).join("\n"),
        "text/plain"
      )
}

/**
 * `encodeURIComponent` leaves `! ' ( ) *`, which are no unreserved characters (RFC 3986, section 2.3): here they are
 * percent-encoded too. No path of the contract has one of its own.
 */
export const encodeReserved = (path: string): string =>
  path.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The name by which the service knows a query parameter of the contract. */
export const parameterName = (name: string, pageParameter: string): string =>
  name === Details.defaultPageParameter ? pageParameter : name

const withQuery =
  (pageParameter: string, projections: Sending["projections"], { firstPage = 1, query = {} }: Dialect.Form) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const own = request.urlParams.params.map(([key, value]): readonly [string, typeof value] => {
      if (key === "projection" && typeof value === "string") return [key, projections[value] ?? value]
      const isFirst = key === Details.defaultPageParameter && value === "1"
      return [parameterName(key, pageParameter), isFirst ? String(firstPage) : value]
    })
    const params = [...own, ...Object.entries(query)]
    return params.length === 0
      ? request
      : HttpClientRequest.makeWith(
          request.method,
          request.url,
          UrlParams.make(params),
          request.hash,
          request.headers,
          request.body
        )
  }
