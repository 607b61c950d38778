/** Loads the code of the lazy views when one of them is first shown. */
import type { VNode } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Loading, Problem } from "./StateMessages.tsx"

type LazyViews = typeof import("../lazyViews.ts")

/** A view of `lazyViews.ts`, e.g. `<LazyView>{({ list: List }) => <List />}</LazyView>`. */
export const LazyView = ({ children }: { readonly children: (views: LazyViews) => VNode }) => {
  const [views, setViews] = useState<LazyViews>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    import("../lazyViews.ts").then(
      (loaded) => setViews(loaded),
      (cause) => setProblem(`The view cannot be loaded: ${cause}. Load the page again`)
    )
  }, [])
  if (problem !== undefined) return <Problem failure={{ message: problem }} />
  return views === undefined ? <Loading /> : children(views)
}
