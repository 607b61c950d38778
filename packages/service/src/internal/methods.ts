/**
 * What a URL is, by the paths of the service: its endpoint's path, and the methods that it takes. The first names it in
 * logs and metrics, the second tells an unknown path (404) from a wrong method (405).
 *
 * The routing itself is the router's.
 */
import { FindMyWay, type HttpRouter } from "effect/http"

/** Paths are exact: case, slashes and all. How long a value may be is a matter of the whole URL. */
export const routing: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: Number.MAX_SAFE_INTEGER
}

/** As much of a contract as is needed here. */
export interface Endpoints {
  readonly groups: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, { method: string; path: string }>> }>
  >
}

/** The paths of a service. */
export interface Paths {
  /** The methods of the path of a URL; an empty path value does not count as one. */
  readonly allowed: (url: string) => ReadonlyArray<string>
  /** What the endpoint of a request is; undefined when there is none. HEAD counts as GET. */
  readonly find: (request: { readonly method: string; readonly url: string }) => Match | undefined
}

/** The endpoint of a request. */
export interface Match {
  /** Its path, e.g. `/chemical/search/equal/:word`. */
  readonly path: string
  /** The values of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly searchParams: Readonly<Record<string, string | ReadonlyArray<string>>>
}

/** The paths of a contract, and others. */
export const paths = (
  api: Endpoints,
  others: ReadonlyArray<{ readonly method: string; readonly path: HttpRouter.PathInput }>
): Paths => {
  const router = FindMyWay.make<string>(routing)
  const methods = new Set<string>()
  const add = (method: string, path: HttpRouter.PathInput) => {
    methods.add(method)
    router.on(method, path, path)
  }
  for (const group of Object.values(api.groups)) {
    for (const endpoint of Object.values(group.endpoints)) {
      add(endpoint.method, endpoint.path as HttpRouter.PathInput)
    }
  }
  for (const other of others) add(other.method, other.path)
  return {
    allowed: (url) =>
      [...methods].filter((method) => {
        const found = router.find(method, url)
        return found !== undefined && !Object.values(found.params).includes("")
      }),
    find: ({ method, url }) => {
      const found = router.find(method === "HEAD" ? "GET" : method, url)
      return found === undefined
        ? undefined
        : { path: found.handler, params: found.params, searchParams: found.searchParams }
    }
  }
}
