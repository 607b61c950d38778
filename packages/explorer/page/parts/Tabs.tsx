/** Tabs according to the ARIA practices. A panel is made when its tab is first chosen, and kept. */
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"

export interface Tab {
  readonly word: string
  readonly title: string
  readonly panel: () => ComponentChildren
}

interface Properties {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
  /** The word of the chosen tab. An unknown word is the first tab. */
  readonly chosen: string | undefined
  readonly choose: (word: string) => void
}

/** The tabs and their panels. */
export const Tabs = ({ choose, chosen, label, tabs }: Properties) => {
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    tabs.findIndex(({ word }) => word === chosen)
  )
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  if (!opened.has(at)) setOpened(new Set([...opened, at]))
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    const next = tabs[(at + by + tabs.length) % tabs.length]
    if (by === 0 || next === undefined) return
    choose(next.word)
    list.current?.querySelector<HTMLElement>(`#tab-${next.word}`)?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ title, word }, index) => (
          <button
            key={word}
            id={`tab-${word}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`panel-${word}`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(word)}
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ panel, word }, index) => (
        <div
          key={word}
          id={`panel-${word}`}
          role="tabpanel"
          aria-labelledby={`tab-${word}`}
          hidden={index !== at}
        >
          {opened.has(index) ? panel() : null}
        </div>
      ))}
    </>
  )
}
