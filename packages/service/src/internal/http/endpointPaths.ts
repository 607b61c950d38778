/**
 * Finds the endpoint of a URL, and the methods that its path has, e.g. GET and POST.
 *
 * Logs and metrics name the endpoint. The methods distinguish an unknown path (404) from a wrong method (405).
 */
import { Operation, type Row } from "@chemstream/api"
import { FindMyWay, type HttpRouter } from "effect/http"
import { pathOf } from "./requestPath.ts"

/** Paths are case sensitive and exact. Path values have no length limit, because URLs have one. */
export const routing: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/** A path with its method, by group and name, e.g. `search.equal`. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: HttpRouter.PathInput
}

/** Returns the endpoints of rows. */
export const endpointsOf = (rows: ReadonlyArray<Row.Row>): ReadonlyArray<Endpoint> =>
  Operation.ofRows(rows).map(({ method, name, path }) => ({ name, method, path: forPattern(path) }))

/** Returns a path of an endpoint as a pattern of the router. */
export const forPattern = (path: string): HttpRouter.PathInput =>
  path.replace(/\{(\w+)\}/g, ":$1") as HttpRouter.PathInput

/** The paths of a service. */
export interface Paths {
  /** Returns the methods of the path of a URL. An empty path value does not match. */
  readonly allowed: (url: string) => ReadonlyArray<string>
  /** Returns the path of a request's endpoint, e.g. `/chemical/search/equal/:word`. HEAD counts as GET. */
  readonly find: (request: { readonly method: string; readonly url: string }) => string | undefined
}

/** Percent-encodes the semicolons of a path. The router would take them for the start of a query. */
export const forRouter = (url: string): string => {
  if (!url.includes(";")) return url
  const path = pathOf({ url })
  return path.replaceAll(";", "%3B") + url.slice(path.length)
}

/** Makes the paths of endpoints. */
export const paths = (endpoints: ReadonlyArray<Omit<Endpoint, "name">>): Paths => {
  const router = FindMyWay.make<string>(routing)
  const methods = new Set<string>()
  for (const { method, path } of endpoints) {
    methods.add(method)
    router.on(method, path, path)
  }
  return {
    allowed: (url) =>
      [...methods].filter((method) => {
        const found = router.find(method, forRouter(url))
        return found !== undefined && !Object.values(found.params).includes("")
      }),
    find: ({ method, url }) => router.find(method === "HEAD" ? "GET" : method, forRouter(url))?.handler
  }
}
