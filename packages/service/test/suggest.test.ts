import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { EditDistance } from "../src/sqlite/internal/search/editDistance.ts"

// The textbook recurrence, without shortcuts.
const levenshtein = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  let row = b.map((_, j) => j).concat(b.length)
  for (const [i, letter] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries()) {
      const replaced = (row[j] as number) + (letter === other ? 0 : 1)
      next.push(Math.min((row[j + 1] as number) + 1, (next[j] as number) + 1, replaced))
    }
    row = next
  }
  return row[b.length] as number
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "𝄞"), maxLength: 7 })

describe("the distances to a word", () => {
  it("are exact within reach, and larger otherwise", () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, reach) => {
        const expected = levenshtein([...b], [...a])
        const { distance } = new EditDistance(a, reach).compare(b)
        if (expected <= reach) expect(distance).toBe(expected)
        else expect(distance).toBeGreaterThan(reach)
      })
    )
  })

  it("lead a sorted walk to every term within reach, once", () => {
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 60 }), fc.constantFrom(1, 2), (a, terms, reach) => {
        const sorted = terms.toSorted(byCodePoint)
        const distances = new EditDistance(a, reach)
        const found: Array<string> = []
        let from: string | undefined = ""
        let steps = 0
        while (from !== undefined && steps++ < 1000) {
          const start: string = from
          const term = sorted.find((candidate) => byCodePoint(candidate, start) >= 0)
          if (term === undefined) break
          const { distance, next } = distances.compare(term)
          if (distance <= reach) found.push(term)
          if (next !== undefined) expect(byCodePoint(next, term)).toBeGreaterThan(0)
          from = next
        }
        expect(found).toEqual(sorted.filter((term) => levenshtein([...term], [...a]) <= reach))
      }),
      { numRuns: 300 }
    )
  })
})
