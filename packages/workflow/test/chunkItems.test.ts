/** The identifiers of a chunk, as a harvest stores them. */
import type { Identifiers } from "@chemstream/stream"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { decode, encode } from "../src/internal/harvest/chunkItems.ts"

const identifier: fc.Arbitrary<Identifiers.Identifier> = fc.record(
  { text: fc.string(), line: fc.nat(), fault: fc.string({ minLength: 1 }) },
  { requiredKeys: ["text", "line"] }
)

it("are the same after they were stored: texts, lines and faults", () => {
  fc.assert(
    fc.property(fc.array(identifier, { maxLength: 20 }), fc.nat(), (items, first) => {
      expect(decode(encode(items))).toEqual(items)
      const consecutive = items.map((item, index) => ({ ...item, line: first + index }))
      expect(decode(encode(consecutive))).toEqual(consecutive)
    })
  )
})

it("need one number for consecutive lines, and nothing for identifiers without a fault", () => {
  const at = (...lines: ReadonlyArray<number>) => encode(lines.map((line) => ({ text: "a", line })))
  expect(at(3, 4, 5)).toBe('{"texts":["a","a","a"],"lines":3}')
  expect(at(3, 5, 4)).toBe('{"texts":["a","a","a"],"lines":[3,5,4]}')
  expect(encode([])).toBe('{"texts":[],"lines":0}')
})
