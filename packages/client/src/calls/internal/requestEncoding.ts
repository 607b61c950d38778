/**
 * Completes each request of the client derived from the contract: media type, path encoding, page parameter, dialect.
 */
import { Details, type Dialect } from "@chemstream/api"
import { Context } from "effect"
import { HttpClientRequest, UrlParams } from "effect/http"

/** The form of the requests of a call. */
export interface RequestEncoding {
  /** The media type of the response. */
  readonly accept: string
  readonly form: Dialect.Form
  /** The body as one value a line, instead of JSON. */
  readonly lines: ReadonlyArray<string> | undefined
  /** The service's names of projections, by those of the contract. */
  readonly projections: Readonly<Record<string, string>>
}

/** The form of the calls in its scope. */
export const RequestEncoding: Context.Reference<RequestEncoding> = Context.Reference(
  "@chemstream/client/internal/RequestEncoding",
  {
    defaultValue: (): RequestEncoding => ({
      accept: "application/json",
      form: {},
      lines: undefined,
      projections: {}
    })
  }
)

/** Encodes a request. Apply it before the base URL is added: the path must be the contract's. */
export const encodeRequest = (
  request: HttpClientRequest.HttpClientRequest,
  context: Context.Context<never>,
  pageParameter: string
): HttpClientRequest.HttpClientRequest => {
  const { accept, form, lines, projections } = Context.get(context, RequestEncoding)
  const encoded = request.pipe(
    HttpClientRequest.setUrl(encodeReserved(form.path ?? request.url)),
    HttpClientRequest.accept(accept),
    withQuery(pageParameter, projections, form)
  )
  // Each word is one line, so its own line breaks become spaces.
  return lines === undefined
    ? encoded
    : HttpClientRequest.bodyText(
        encoded,
        lines.map((word) => word.replace(/[\r\n]+/g, " ")).join("\n"),
        "text/plain"
      )
}

/**
 * Percent-encodes `! ' ( ) *`, which RFC 3986, section 2.2, reserves and `encodeURIComponent` leaves. No path of the
 * contract has them.
 */
export const encodeReserved = (path: string): string =>
  path.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Returns the service's name of a query parameter. */
export const parameterName = (name: string, pageParameter: string): string =>
  name === Details.defaultPageParameter ? pageParameter : name

const withQuery =
  (
    pageParameter: string,
    projections: RequestEncoding["projections"],
    { firstPage = 1, query = {} }: Dialect.Form
  ) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest => {
    const contractParams = request.urlParams.params.map(([key, value]): readonly [string, typeof value] => {
      if (key === "projection" && typeof value === "string") return [key, projections[value] ?? value]
      const isFirst = key === Details.defaultPageParameter && value === "1"
      return [parameterName(key, pageParameter), isFirst ? String(firstPage) : value]
    })
    const params = [...contractParams, ...Object.entries(query)]
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
