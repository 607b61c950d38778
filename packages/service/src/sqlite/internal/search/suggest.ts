/**
 * Suggests terms within one or two edits of a word without hits.
 *
 * It walks the sorted terms like a tree of letters. `editDistance` computes the next text that may be within the
 * distance, and the walk skips all terms before it. The result is exact, or empty if a word needs more than
 * `maxSteps` lookups.
 */
import type { DatabaseSync } from "node:sqlite"
import { fold } from "@chemstream/api/NameForm"
import { inSnapshot } from "../database/sqlReads.ts"
import { EditDistance } from "./editDistance.ts"
import { groupOf, rowOfSubstance, separator, suggestedKinds } from "./nameGroups.ts"

/** The largest number of suggestions. */
export const maxSuggestions = 10

/** The longest word that gets suggestions, in characters. */
export const longestWord = 60

/** The largest number of lookups per word. They take about 10 ms. */
const maxSteps = 3000

interface NearTerm {
  readonly term: string
  readonly kind: number
  readonly distance: number
}

/**
 * Makes a function that returns suggestions, sorted by number of edits, rank and text. None if they need too many
 * lookups.
 */
export const suggester = (database: DatabaseSync): ((word: string) => ReadonlyArray<string>) => {
  const nextTerm = database.prepare(
    "SELECT term FROM terms WHERE kind = ? AND term >= ? ORDER BY term LIMIT 1"
  )
  nextTerm.setReturnArrays(true)
  const spelling = database.prepare(
    `SELECT terms.line, names.lines FROM terms CROSS JOIN names ON names.id = ${rowOfSubstance("terms.substance", "?")}
     WHERE terms.kind = ? AND terms.term = ? LIMIT 1`
  )
  spelling.setReturnArrays(true)
  return (word) => inSnapshot(database, () => suggestionsOf(word))

  function suggestionsOf(word: string): ReadonlyArray<string> {
    const folded = fold(word)
    const { length } = [...folded]
    if (length < 2 || length > longestWord) return []
    const found = new Map<string, NearTerm>()
    let steps = 0
    for (let maxEdits = 1; maxEdits <= (length < 5 ? 1 : 2) && found.size === 0; maxEdits++) {
      const distances = new EditDistance(folded, maxEdits)
      for (const kind of suggestedKinds) steps = addNear(found, distances, maxEdits, kind, steps)
    }
    if (steps > maxSteps) return []
    return [...found.values()]
      .sort(
        (a, b) =>
          a.distance - b.distance ||
          suggestedKinds.indexOf(a.kind) - suggestedKinds.indexOf(b.kind) ||
          (a.term < b.term ? -1 : 1)
      )
      .slice(0, maxSuggestions)
      .map(({ term, kind }) => {
        const row = spelling.get(groupOf(kind), kind, term) as unknown as readonly [number, string]
        return row[1].split(separator)[row[0]] as string
      })
  }
  // Adds the terms of a kind within `maxEdits` edits. Returns the steps taken so far.
  function addNear(
    found: Map<string, NearTerm>,
    distances: EditDistance,
    maxEdits: number,
    kind: number,
    stepsBefore: number
  ): number {
    let steps = stepsBefore
    let from: string | undefined = ""
    while (from !== undefined && steps++ < maxSteps) {
      const row = nextTerm.get(kind, from) as unknown as readonly [string] | undefined
      if (row === undefined) break
      const { distance, next } = distances.compare(row[0])
      if (distance <= maxEdits && !found.has(row[0])) found.set(row[0], { term: row[0], kind, distance })
      from = next
    }
    return steps
  }
}
