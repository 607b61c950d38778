/**
 * The identifiers of a chunk as text: what each says, and the line it stood on, where lines do not follow each other.
 */
import type { Identifiers } from "@chemstream/stream"

interface Stored {
  readonly texts: ReadonlyArray<string>
  /** The line of the first where each is on the line after the one before it. */
  readonly lines: number | ReadonlyArray<number>
}

export const encode = (items: ReadonlyArray<Identifiers.Identifier>): string => {
  const first = items[0]?.line ?? 0
  const isRun = items.every(({ line }, index) => line === first + index)
  const stored: Stored = {
    texts: items.map(({ text }) => text),
    lines: isRun ? first : items.map(({ line }) => line)
  }
  return JSON.stringify(stored)
}

export const decode = (text: string): ReadonlyArray<Identifiers.Identifier> => {
  const { lines, texts } = JSON.parse(text) as Stored
  return texts.map((text, index) => ({
    text,
    line: typeof lines === "number" ? lines + index : (lines[index] ?? 0)
  }))
}
