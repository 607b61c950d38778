/** The navigation, and the view of the current address. */
import type { VNode } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Harvests } from "./harvests/Harvests.tsx"
import { Problem } from "./parts/Problem.tsx"
import { href, type Route, useRoute } from "./routing.ts"
import { Search } from "./search/Search.tsx"
import { Substance } from "./substance/Substance.tsx"

const titleOf = (route: Route): string => {
  switch (route.view) {
    case "search":
      return route.query === "" ? "Search" : route.query
    case "substance":
      return route.id
    case "list":
      return "List"
    case "harvests":
      return "Harvests"
  }
}

const links: ReadonlyArray<readonly [route: Route, label: string]> = [
  [{ view: "search", query: "" }, "Search"],
  [{ view: "list" }, "List"],
  [{ view: "harvests" }, "Harvests"]
]

/** The views that need a key. */
export const Views = ({ leave }: { readonly leave: () => void }) => {
  const route = useRoute()
  useEffect(() => {
    document.title = `${titleOf(route)} · chemstream explorer`
  }, [route])
  return (
    <>
      <button type="button" class="skip" onClick={toContent}>
        Skip to the content
      </button>
      <header>
        <nav aria-label="Views">
          {links.map(([to, label]) => (
            <a key={label} href={href(to)} aria-current={to.view === route.view ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={leave}>
          Forget the key
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        {route.view === "substance" ? (
          <Substance key={route.id} id={route.id} />
        ) : route.view === "list" ? (
          <ListView />
        ) : route.view === "harvests" ? (
          <Harvests />
        ) : (
          <Search query={route.view === "search" ? route.query : ""} />
        )}
      </main>
    </>
  )
}

/** The view of lists, with the code that reads files. The page loads it when the view is first opened. */
const ListView = () => {
  const [loaded, setLoaded] = useState<{ readonly List: () => VNode }>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    import("./list/List.tsx").then(setLoaded, (cause) =>
      setProblem(`The view cannot be loaded: ${cause}. Load the page again`)
    )
  }, [])
  if (problem !== undefined) return <Problem failure={{ message: problem }} />
  return loaded === undefined ? null : <loaded.List />
}

const toContent = (): void => document.getElementById("content")?.focus()
