/** The search box with suggestions: a combobox according to the ARIA practices. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { go, href } from "../routing.ts"
import { useSession } from "../session.ts"
import { type Suggestion, suggest } from "./findSubstances.ts"

/** Shows the results of a text. */
const search = (query: string): void => go({ view: "search", query: query.trim() })

const examples = [
  ["CAS number", "80-05-7"],
  ["Name", "caffeine"],
  ["Formula", "C15H16O2"],
  ["SMILES", "c1ccccc1"],
  ["Mass", "228.115 ± 5 ppm"],
  ["InChIKey", "IISBACLAFKSPIT-UHFFFAOYSA-N"]
] as const

/** The box. `query` is the last search. */
export const SearchBox = ({ query }: { readonly query: string }) => {
  const [text, setText] = useState(query)
  const { active, close, isOpen, move, suggestions } = useSuggestions(text, query)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const toField = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement) return
      event.preventDefault()
      field.current?.select()
    }
    addEventListener("keydown", toField)
    return () => removeEventListener("keydown", toField)
  }, [])
  const open = ({ id }: Suggestion) => {
    close()
    go({ view: "substance", id })
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const chosen = suggestions[active]
    if (isOpen && chosen !== undefined) return open(chosen)
    close()
    // The text of the field may be newer than the last rendering.
    search(field.current?.value ?? text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return close()
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    if (isOpen) return move(event.key === "ArrowDown" ? 1 : -1)
    if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".results a")?.focus()
  }
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <label for="query">Identifier, name, formula, SMILES or mass</label>
        <div class="box">
          <input
            id="query"
            ref={field}
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            aria-expanded={isOpen}
            aria-controls="suggestions"
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active >= 0 ? `suggestion-${active}` : undefined}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          <button type="submit">Search</button>
          <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
            {suggestions.map((suggestion, at) => (
              <li
                key={suggestion.id}
                id={`suggestion-${at}`}
                role="option"
                aria-selected={at === active}
                // A click would come too late: the list closes when the box loses the focus.
                onMouseDown={(event) => {
                  event.preventDefault()
                  open(suggestion)
                }}
              >
                <span>{suggestion.value}</span>
                {suggestion.value === suggestion.name ? null : <span class="note">{suggestion.name}</span>}
                <code>{suggestion.id}</code>
              </li>
            ))}
          </ul>
        </div>
        {query === "" ? (
          <ul class="examples">
            {examples.map(([kind, example]) => (
              <li key={kind}>
                <span class="note">{kind}</span>{" "}
                <a href={href({ view: "search", query: example })}>{example}</a>
              </li>
            ))}
          </ul>
        ) : null}
        <p class="note">
          Press <kbd>/</kbd> to come here, and <kbd>↓</kbd> to go to the suggestions and results.
        </p>
      </form>
    </search>
  )
}

/** The pause in typing before suggestions are requested, in milliseconds. */
const pause = 60

/** Returns the suggestions for a typed text. The text of the last search gets none. */
const useSuggestions = (text: string, query: string) => {
  const { connection } = useSession()
  const [suggestions, setSuggestions] = useState<ReadonlyArray<Suggestion>>([])
  const [active, setActive] = useState(-1)
  const [isClosed, setClosed] = useState(false)
  const word = text.trim()
  useEffect(() => {
    setClosed(false)
    setActive(-1)
    if (word === query) return setSuggestions([])
    const stop = new AbortController()
    const timer = setTimeout(
      () =>
        connection.run(suggest(word), stop.signal).then((exit) => {
          // A failure is ignored here, because the search reports it.
          if (!stop.signal.aborted) setSuggestions(exit._tag === "Success" ? exit.value : [])
        }),
      pause
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [connection, word, query])
  const count = suggestions.length
  return {
    suggestions,
    active,
    isOpen: !isClosed && count > 0,
    close: () => setClosed(true),
    /** Moves to the next or previous suggestion. After the last one, no suggestion is active. */
    move: (by: number) => setActive((at) => ((at + 1 + by + count + 1) % (count + 1)) - 1)
  }
}
