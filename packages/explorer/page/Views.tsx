/** The header, and the view of the current address. */
import type { ComponentChildren } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { baseUrl } from "./connection.ts"
import icon from "./icon.svg"
import { LazyView } from "./parts/LazyView.tsx"
import { href, type Route, useRoute } from "./routing.ts"
import { Search } from "./search/Search.tsx"
import { ServiceContext, useRequest } from "./session.ts"
import { Substance } from "./substance/Substance.tsx"

const titles = { list: "List", suspects: "Suspects", harvests: "Harvests" }

const titleOf = (route: Route): string => {
  if (route.view === "substance") return route.id
  if (route.view !== "search") return titles[route.view]
  return route.query === "" ? "Search" : route.query
}

const links: ReadonlyArray<readonly [route: Route, label: string]> = [
  [{ view: "search", query: "" }, "Search"],
  [{ view: "list" }, titles.list],
  [{ view: "suspects" }, titles.suspects],
  [{ view: "harvests" }, titles.harvests]
]

/** The views that need a key. */
export const Views = ({ leave }: { readonly leave: () => void }) => {
  const route = useRoute()
  const request = useRequest((connection) => connection.text("/explorer/service"), [])
  const text = request.state === "done" ? request.value : undefined
  const service = useMemo(() => (text === undefined ? undefined : JSON.parse(text)), [text])
  useEffect(() => {
    document.title = `${titleOf(route)} · chemstream explorer`
  }, [route])
  return (
    <ServiceContext.Provider value={service}>
      <Banner view={route.view} leave={leave}>
        {new URL(baseUrl).host}
        {service === undefined ? "" : ` · ${countOf(service.substances)}`}
      </Banner>
      <main id="content" tabIndex={-1}>
        {route.view === "substance" ? (
          <Substance key={route.id} id={route.id} tab={route.tab} />
        ) : route.view === "search" ? (
          <Search query={route.query} />
        ) : (
          <LazyView key={route.view}>
            {(views) => {
              const View = views[route.view]
              return <View />
            }}
          </LazyView>
        )}
      </main>
    </ServiceContext.Provider>
  )
}

interface BannerProperties {
  readonly view: Route["view"]
  readonly leave: () => void
  /** The service. */
  readonly children: ComponentChildren
}

const Banner = ({ children, leave, view }: BannerProperties) => (
  <header class="banner">
    <button type="button" class="skip" onClick={toContent}>
      Skip to the content
    </button>
    <div>
      <a class="brand" href="#/">
        <img src={icon} alt="" width="24" height="24" /> chemstream
      </a>
      <nav aria-label="Views">
        {links.map(([to, label]) => (
          <a key={label} href={href(to)} aria-current={to.view === view ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <span class="service note">{children}</span>
      <button type="button" class="quiet" onClick={leave}>
        Forget the key
      </button>
    </div>
  </header>
)

/** Returns the number of substances in words. */
const countOf = (count: number): string =>
  `${count.toLocaleString("en")} ${count === 1 ? "substance" : "substances"}`

const toContent = (): void => document.getElementById("content")?.focus()
