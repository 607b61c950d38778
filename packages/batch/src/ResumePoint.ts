/**
 * What a run has accounted for: parts of its input by position, kept sorted and merged.
 */

/** A part of the input by position, from 0; `to` is excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What an earlier run over the same input has accounted for. */
export interface ResumePoint {
  /** The parts, sorted and without overlap. */
  readonly spans: ReadonlyArray<Span>
  /** The digest of the input up to the end of the last part. */
  readonly digest: string
}

/** Parts of an input, asked by position. */
export interface SpanSet {
  readonly has: (position: number) => boolean
  /** The end of the last part; 0 without any. */
  readonly end: number
}

/** For lookups in rising order of position. */
export const spanSet = (spans: ReadonlyArray<Span>): SpanSet => {
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

/** The union of sorted parts and some more that do not overlap them. */
export const merge = (sorted: ReadonlyArray<Span>, more: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const all = [...sorted, ...more].sort((one, other) => one.from - other.from)
  const merged: Array<{ from: number; to: number }> = []
  for (const { from, to } of all) {
    const last = merged.at(-1)
    if (last?.to === from) last.to = to
    else merged.push({ from, to })
  }
  return merged
}
