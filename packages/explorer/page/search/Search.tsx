/** The search: the box, and its results below. */
import { useRequest } from "../connection.ts"
import { Problem } from "../parts/Problem.tsx"
import { StructureImage } from "../parts/StructureImage.tsx"
import { href } from "../routing.ts"
import { find, type Match, type SearchResult } from "./find.ts"
import { SearchBox } from "./SearchBox.tsx"

/** The results of a text. A blank text has none. */
export const Search = ({ query }: { readonly query: string }) => (
  <>
    <h1>{query === "" ? "Search" : `Search: ${query}`}</h1>
    <SearchBox key={query} query={query} />
    {query === "" ? null : <Results key={query} query={query} />}
  </>
)

const Results = ({ query }: { readonly query: string }) => {
  const request = useRequest(() => find(query), [query])
  return (
    <section aria-label="Results">
      <p role="status">
        {request.state === "pending" ? "Searching…" : request.state === "done" ? countOf(request.value) : ""}
      </p>
      {request.state === "failed" ? <Problem failure={request.failure} /> : null}
      {request.state === "done" ? <Matches {...request.value} /> : null}
    </section>
  )
}

const countOf = ({ matches, more }: SearchResult): string => {
  if (matches.length === 0) return "Nothing found"
  const shown = `${matches.length} ${matches.length === 1 ? "substance" : "substances"}`
  return more === 0 ? shown : `The first ${shown}${more === null ? "" : ` of ${matches.length + more}`}`
}

const Matches = ({ matches, note }: SearchResult) => (
  <>
    {note === null ? null : <p class="note">{note}</p>}
    <ol class="results" onKeyDown={moveFocus}>
      {matches.map((match) => (
        <Result key={match.id} {...match} />
      ))}
    </ol>
  </>
)

const Result = ({ casrn, formula, id, matched, name, rank, smiles }: Match) => (
  <li>
    <a href={href({ view: "substance", id })}>
      <StructureImage smiles={smiles} name={name} size="small" />
      <span>
        <strong>{name}</strong>
        <span class="note">{[id, casrn, formula].filter((part) => part !== null).join(" · ")}</span>
        <span class="matched">
          Matched: {matched}
          {rank === null ? null : ` (rank ${rank})`}
        </span>
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
