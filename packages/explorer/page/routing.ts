/**
 * The views of the page, by the fragment of its address. A link opens a view of
 * the same page.
 */
import { useEffect, useState } from "preact/hooks"

/** A view and its parameters. */
export type Route =
  | { readonly view: "search"; readonly query: string }
  | { readonly view: "substance"; readonly id: string; readonly tab?: string | undefined }
  | { readonly view: "list" }
  | { readonly view: "suspects" }
  | { readonly view: "harvests" }

/** Returns the route of a fragment. Default: the search. */
export const parse = (hash: string): Route => {
  const [path = "", parameters = ""] = hash.replace(/^#\/?/, "").split("?", 2)
  const [view = "", id, tab] = path.split("/")
  if (view === "substance" && id !== undefined) return { view, id: decode(id), tab }
  if (view === "list" || view === "suspects" || view === "harvests") return { view }
  return { view: "search", query: new URLSearchParams(parameters).get("q") ?? "" }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the address of a route within the page. */
export const href = (route: Route): string => {
  if (route.view === "substance") {
    const path = `#/substance/${encodeURIComponent(route.id)}`
    return route.tab === undefined ? path : `${path}/${route.tab}`
  }
  if (route.view !== "search") return `#/${route.view}`
  return route.query === "" ? "#/" : `#/?${new URLSearchParams({ q: route.query })}`
}

/** Shows a route. */
export const go = (route: Route): void => {
  location.hash = href(route)
}

/** Returns the current route, and follows its changes. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(() => parse(location.hash))
  useEffect(() => {
    const update = () => setRoute(parse(location.hash))
    addEventListener("hashchange", update)
    return () => removeEventListener("hashchange", update)
  }, [])
  return route
}
