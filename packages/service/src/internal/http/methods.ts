/**
 * What a URL is, by the paths of the service: its endpoint's path, and the methods that it takes. The first names it in
 * logs and metrics, the second tells an unknown path (404) from a wrong method (405).
 *
 * The routing itself is the router's.
 */
import { FindMyWay, type HttpRouter } from "effect/http"
import { pathOf } from "./requestPath.ts"

/** Paths are exact: case, slashes and all. How long a value may be is a matter of the whole URL. */
export const routing: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/** As much of a contract as is needed here. */
export interface Contract {
  readonly groups: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, { method: string; path: string }>> }>
  >
}

/** A path and its method, by group and name, e.g. `search.equal`. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: HttpRouter.PathInput
}

/** The endpoints of a contract. */
export const endpointsOf = (contract: Contract): ReadonlyArray<Endpoint> =>
  Object.entries(contract.groups).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints).map(([name, { method, path }]) => ({
      name: `${group}.${name}`,
      method,
      path: path as HttpRouter.PathInput
    }))
  )

/** The paths of a service. */
export interface Paths {
  /** The methods of the path of a URL; an empty path value does not count as one. */
  readonly allowed: (url: string) => ReadonlyArray<string>
  /** The path of a request's endpoint, e.g. `/chemical/search/equal/:word`; HEAD counts as GET. */
  readonly find: (request: { readonly method: string; readonly url: string }) => string | undefined
}

/**
 * A URL for the router, which takes `;` for the start of a query: a semicolon of the path is percent-encoded.
 */
export const forRouter = (url: string): string => {
  if (!url.includes(";")) return url
  const path = pathOf({ url })
  return path.replaceAll(";", "%3B") + url.slice(path.length)
}

/** The paths of endpoints. */
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
