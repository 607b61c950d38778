/**
 * What the client that derives from the contract leaves to do on each request: the media type asked for, the last
 * characters of the path encoding, and the service's own name of the page parameter.
 */
import { Details } from "@chemstream/api"
import { Context } from "effect"
import { HttpClientRequest, UrlParams } from "effect/http"

/** The media type that the calls in its scope ask for. */
export const Accept: Context.Reference<string> = Context.Reference("@chemstream/client/internal/Accept", {
  defaultValue: () => "application/json"
})

/** To be applied before the base URL is put in front: the path is still the contract's own. */
export const onTheWire = (
  request: HttpClientRequest.HttpClientRequest,
  context: Context.Context<never>,
  pageParameter: string
): HttpClientRequest.HttpClientRequest =>
  request.pipe(
    HttpClientRequest.setUrl(encodeReserved(request.url)),
    HttpClientRequest.accept(Context.get(context, Accept)),
    renamePage(pageParameter)
  )

/**
 * `encodeURIComponent` leaves `! ' ( ) *`, which are no unreserved characters (RFC 3986, section 2.3): here they are
 * percent-encoded too. No path of the contract has one of its own.
 */
export const encodeReserved = (path: string): string =>
  path.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The name by which the service knows a query parameter of the contract. */
export const parameterName = (name: string, pageParameter: string): string =>
  name === Details.defaultPageParameter ? pageParameter : name

const renamePage =
  (name: string) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest =>
    name === Details.defaultPageParameter
      ? request
      : HttpClientRequest.makeWith(
          request.method,
          request.url,
          UrlParams.make(request.urlParams.params.map(([key, value]) => [parameterName(key, name), value])),
          request.hash,
          request.headers,
          request.body
        )
