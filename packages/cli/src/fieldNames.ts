/**
 * Whether the names of `--fields` are fields: of the contract, or else of any record. A name that is neither is most
 * likely a slip, and the person hears of it while the run goes on, for its column is empty.
 */
import { RawRecord } from "@chemstream/ndjson"
import { counted } from "./summary.ts"

/** So many records without a field are enough to say so. */
const enough = 1000

/** The most edits between a name and the one that was meant. */
const mostEdits = 3

export interface FieldNames {
  /** Looks at records as they came. Gives what is to be said, once. */
  readonly look: (records: Iterable<RawRecord.RawRecord>) => string | undefined
  /** What is to be said at the end, if nothing was yet. */
  readonly end: () => string | undefined
}

/** Looks after the names asked for, of which those that the contract has need no looking after. */
export const make = (
  asked: ReadonlyArray<string> | undefined,
  contract: ReadonlyArray<string> | undefined
): FieldNames => {
  const strange = new Set(
    contract === undefined ? [] : (asked ?? []).filter((name) => !contract.includes(name))
  )
  let seen = 0
  const say = (): string | undefined => {
    const words = [...strange].map((name) => {
      const meant = nearest(name, contract ?? [])
      return `${JSON.stringify(name)}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`
    })
    strange.clear()
    return words.length === 0
      ? undefined
      : `chemstream: warning: --fields: ${seen === 0 ? "the contract has no field" : `${counted(seen, "record")} had no field`} ${words.join(", ")}\n`
  }
  return {
    look: (records) => {
      if (strange.size === 0) return undefined
      for (const record of records) {
        seen++
        for (const name of strange) if (RawRecord.value(record, name) !== undefined) strange.delete(name)
      }
      return seen >= enough ? say() : undefined
    },
    end: say
  }
}

/** The name that was most likely meant. */
const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const most = Math.min(mostEdits, Math.floor(name.length / 2))
  const ranked = names
    .map((one) => ({ one, edits: editsBetween(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits)
  return ranked[0]?.one
}

/** The fewest characters to insert, delete or replace (Levenshtein). */
const editsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    let last = at + 1
    const next = [last]
    for (const [to, opposite] of [...other].entries()) {
      const replaced = (row[to] as number) + (letter === opposite ? 0 : 1)
      last = Math.min(last + 1, (row[to + 1] as number) + 1, replaced)
      next.push(last)
    }
    row = next
  }
  return row[other.length] as number
}
