/**
 * The views of the page by the fragment of its address: the server has one page, and links can be kept.
 */
import { useEffect, useState } from "preact/hooks"

/** What is shown. */
export type Route =
  | { readonly view: "search"; readonly query: string }
  | { readonly view: "substance"; readonly id: string }
  | { readonly view: "list" }
  | { readonly view: "harvests" }

/** The route of a fragment; the search where it names none. */
export const parse = (hash: string): Route => {
  const [path = "", parameters = ""] = hash.replace(/^#\/?/, "").split("?", 2)
  const [view, id] = path.split("/")
  if (view === "substance" && id !== undefined) return { view, id: decoded(id) }
  if (view === "list" || view === "harvests") return { view }
  return { view: "search", query: new URLSearchParams(parameters).get("q") ?? "" }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of a route within the page. */
export const href = (route: Route): string => {
  if (route.view === "substance") return `#/substance/${encodeURIComponent(route.id)}`
  if (route.view !== "search") return `#/${route.view}`
  return route.query === "" ? "#/" : `#/?${new URLSearchParams({ q: route.query })}`
}

/** Shows a route. */
export const go = (route: Route): void => {
  location.hash = href(route)
}

/** The route that is shown. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(() => parse(location.hash))
  useEffect(() => {
    const follow = () => setRoute(parse(location.hash))
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return route
}
