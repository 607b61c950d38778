/**
 * Encodes the identifiers of a chunk as JSON, as the table of chunks has them: their texts, their lines, and the faults that the
 * source found.
 */
import type { Identifiers } from "@chemstream/stream"

interface Stored {
  readonly texts: ReadonlyArray<string>
  /** The line of the first identifier if lines are consecutive, otherwise every line. */
  readonly lines: number | ReadonlyArray<number>
  /** The faults by index. Absent if there are none. */
  readonly faults?: Readonly<Record<number, string>>
}

export const encode = (items: ReadonlyArray<Identifiers.Identifier>): string => {
  const first = items[0]?.line ?? 0
  const isRun = items.every(({ line }, index) => line === first + index)
  const faults = items.flatMap(({ fault }, index) => (fault === undefined ? [] : [[index, fault] as const]))
  return JSON.stringify({
    texts: items.map(({ text }) => text),
    lines: isRun ? first : items.map(({ line }) => line),
    ...(faults.length === 0 ? {} : { faults: Object.fromEntries(faults) })
  } satisfies Stored)
}

export const decode = (stored: string): ReadonlyArray<Identifiers.Identifier> => {
  const { faults = {}, lines, texts } = JSON.parse(stored) as Stored
  return texts.map((text, index) => {
    const line = typeof lines === "number" ? lines + index : (lines[index] as number)
    const fault = faults[index]
    return fault === undefined ? { text, line } : { text, line, fault }
  })
}
