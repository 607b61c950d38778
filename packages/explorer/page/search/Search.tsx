/** The search: the box, and its results below. */

import { Empty, Loading, Problem } from "../parts/StateMessages.tsx"
import { StructureImage } from "../parts/StructureImage.tsx"
import { href } from "../routing.ts"
import { useRequest } from "../session.ts"
import { find, type Match, type SearchResult, type Substance } from "./findSubstances.ts"
import { SearchBox } from "./SearchBox.tsx"
import { StartPage } from "./StartPage.tsx"

/** The results of a text. Without a text: what is here. */
export const Search = ({ query }: { readonly query: string }) => (
  <>
    <div class={query === "" ? "start" : undefined}>
      <h1>{query === "" ? "Find a chemical" : `Search: ${query}`}</h1>
      <SearchBox key={query} query={query} />
    </div>
    {query === "" ? <StartPage /> : <Results key={query} query={query} />}
  </>
)

const Results = ({ query }: { readonly query: string }) => {
  const request = useRequest(() => find(query), [query])
  return (
    <section aria-label="Results">
      <p role="status">{request.state === "done" ? countOf(request.value) : ""}</p>
      {request.state === "pending" ? <Loading what="Searching" /> : null}
      {request.state === "failed" ? <Problem {...request} /> : null}
      {request.state === "done" ? <Matches {...request.value} /> : null}
    </section>
  )
}

const countOf = ({ matches, more }: SearchResult): string => {
  if (matches.length === 0) return ""
  const shown = `${matches.length} ${matches.length === 1 ? "substance" : "substances"}`
  return more === 0 ? shown : `The first ${shown}${more === null ? "" : ` of ${matches.length + more}`}`
}

const Matches = ({ matches, note }: SearchResult) => (
  <>
    {matches.length === 0 ? <Empty title="Nothing found">{note}</Empty> : <p class="note">{note}</p>}
    <ol class="results" onKeyDown={moveFocus}>
      {matches.map((match) => (
        <Result key={match.id} {...match} />
      ))}
    </ol>
  </>
)

/** A substance to open. A match says which text of it matched. */
export const Result = ({ casrn, formula, id, matched, name, rank, smiles }: Substance & Partial<Match>) => (
  <li>
    <a href={href({ view: "substance", id })}>
      <StructureImage smiles={smiles} name={name} size="small" />
      <span>
        <strong>{name}</strong>
        <span class="note ids">
          {[id, casrn, formula].map((part) => (part === null ? null : <span key={part}>{part} </span>))}
        </span>
        {matched === undefined ? null : (
          <span class="note">
            Matched: {matched}
            {typeof rank === "number" ? ` (rank ${rank})` : null}
          </span>
        )}
      </span>
    </a>
  </li>
)

/** Moves the focus between results with the arrow keys, and from the first one back to the box. */
const moveFocus = (event: KeyboardEvent): void => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
  const links = [...document.querySelectorAll<HTMLElement>(".results a")]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  event.preventDefault()
  const next = event.key === "ArrowDown" ? links[at + 1] : (links[at - 1] ?? document.getElementById("query"))
  next?.focus()
}
