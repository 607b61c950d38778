/**
 * The part of an input that a run has settled (each item has its outcome), so that a later run continues after it. It is kept as spans of
 * positions, sorted and merged. Its digest shows whether a later input is the same (`internal/input/digest.ts`).
 */

import { amount, argument, list as listOf, objectWith } from "./Options.ts"

/** A span of the input by position, from 0. `to` is excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The part of the input that an earlier run has settled. */
export interface ResumePoint {
  /** The spans, sorted and without overlap. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last span, 16 hexadecimal digits. */
  readonly digest: string
}

/** Tells whether a position is in the spans. */
export interface SpanSet {
  readonly has: (position: number) => boolean
  /** The end of the last span. 0: there are none. */
  readonly end: number
}

const list = /* @__PURE__ */ listOf(/* @__PURE__ */ objectWith("a span", { from: amount, to: amount }))

/** Makes a span set. Its positions must be looked up in ascending order. */
export const spanSet = (given: ReadonlyArray<Span>): SpanSet => {
  const spans = argument("spans", list, given)
  let index = 0
  return {
    end: spans.at(-1)?.to ?? 0,
    has: (position) => {
      while (index < spans.length && (spans[index] as Span).to <= position) index++
      const span = spans[index]
      return span !== undefined && span.from <= position
    }
  }
}

/** Adds spans to sorted spans, without overlap. Returns them sorted, with adjacent spans joined. */
export const merge = (sorted: ReadonlyArray<Span>, more: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const all = [...argument("sorted", list, sorted), ...argument("more", list, more)]
  all.sort((one, other) => one.from - other.from)
  const merged: Array<{ from: number; to: number }> = []
  for (const { from, to } of all) {
    const last = merged.at(-1)
    if (last?.to === from) last.to = to
    else merged.push({ from, to })
  }
  return merged
}
