/**
 * Which methods a path of the contract takes: what tells an unknown path (404) from a wrong method (405).
 *
 * Asked only when no endpoint has answered; the routing itself is the router's.
 */
import { FindMyWay, type HttpRouter } from "effect/http"

/**
 * Paths are exact: case, slashes and all. The longest value of a path is that of a long chemical name, percent-encoded
 * or not; Node refuses longer requests by itself.
 */
export const routing: FindMyWay.RouterConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 16 * 1024
}

/** As much of a contract as is needed here. */
export interface Endpoints {
  readonly groups: Readonly<
    Record<string, { readonly endpoints: Readonly<Record<string, { method: string; path: string }>> }>
  >
}

/** Makes a function that lists the methods of the path of a URL; an empty path value does not count as one. */
export const allowed = (
  api: Endpoints,
  others: ReadonlyArray<{ readonly method: string; readonly path: HttpRouter.PathInput }>
): ((url: string) => ReadonlyArray<string>) => {
  const router = FindMyWay.make<true>(routing)
  const methods = new Set<string>()
  const add = (method: string, path: HttpRouter.PathInput) => {
    methods.add(method)
    router.on(method, path, true)
  }
  for (const group of Object.values(api.groups)) {
    for (const endpoint of Object.values(group.endpoints)) {
      add(endpoint.method, endpoint.path as HttpRouter.PathInput)
    }
  }
  for (const other of others) add(other.method, other.path)
  return (url) =>
    [...methods].filter((method) => {
      const found = router.find(method, url)
      return found !== undefined && !Object.values(found.params).includes("")
    })
}
