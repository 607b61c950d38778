import { Seen } from "@chemstream/stream"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyText } from "./anyText.ts"

describe("Seen.inMemory", () => {
  it("knows exactly what it was given, whatever the text", () => {
    fc.assert(
      fc.property(fc.array(anyText(200)), (ids) => {
        const seen = Seen.inMemory()
        const reference = new Set<string>()
        for (const id of ids) {
          expect(seen.add(id)).toBe(!reference.has(id))
          reference.add(id)
        }
      })
    )
  })

  it("knows exactly the identifiers that are letters and a number, however they are alike", () => {
    const prefixes = ["DTXSID", "DTXCID", "", "0a", "50-00-", "é"]
    const number = fc.oneof(
      fc.nat({ max: 20 }).map(String),
      fc.bigInt(0n, 10n ** 17n).map(String),
      fc.constantFrom(
        "4294967294",
        "4294967295",
        "4294967296",
        "999999999999",
        "999999999999999",
        "01234",
        "1234",
        "00000"
      )
    )
    const text = fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom("", "0", "00"), number)
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), (parts) => {
        const seen = Seen.inMemory()
        const reference = new Set<string>()
        for (const id of parts.map((part) => part.join(""))) {
          expect(seen.add(id)).toBe(!reference.has(id))
          reference.add(id)
        }
      })
    )
  })

  it("knows numbers of more letters than it has sets for", () => {
    const seen = Seen.inMemory()
    const ids = Array.from({ length: 5000 }, (_, n) => `P${n % 100}X${10_000 + (n % 3000)}`)
    const reference = new Set<string>()
    for (const id of ids) {
      expect(seen.add(id)).toBe(!reference.has(id))
      reference.add(id)
    }
  })

  it("takes less than 24 bytes for each of many identifiers that are letters and a number", () => {
    const seen = Seen.inMemory()
    const before = process.memoryUsage().arrayBuffers
    const count = 700_000
    for (let i = 0; i < count; i++) seen.add(`DTXSID${2_010_000_000 + i * 7}`)
    expect(seen.add("DTXSID2010000007")).toBe(false)
    // The tables and, until the garbage collector comes by, those that they have outgrown.
    expect((process.memoryUsage().arrayBuffers - before) / count).toBeLessThan(24)
  })

  it("keeps apart identifiers that differ in one digit, by the hundred thousand", () => {
    const seen = Seen.inMemory()
    const count = 200_000
    let added = 0
    for (let i = 0; i < count; i++) if (seen.add(`DTXSID${i}`)) added++
    expect(added).toBe(count)
    for (let i = 0; i < 200_000; i += 997) expect(seen.add(`DTXSID${i}`)).toBe(false)
  })

  it("holds an identifier that is longer than a block", () => {
    const seen = Seen.inMemory()
    const long = "x".repeat(3_000_000)
    expect(seen.add(long)).toBe(true)
    expect(seen.add("y")).toBe(true)
    expect(seen.add(long)).toBe(false)
    expect(seen.add(`${long}x`)).toBe(true)
    expect(seen.add("y")).toBe(false)
  })
})

describe("Seen.upTo", () => {
  it("asks the other set only about what is not in memory, of numbers and of other texts", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 })), fc.nat({ max: 30 }), (numbers, most) => {
        const rest = new Set<string>()
        const asked: Array<string> = []
        const seen = Seen.upTo(most, {
          add: (id) => {
            asked.push(id)
            return rest.size < rest.add(id).size
          }
        })
        const reference = new Set<string>()
        const ids = numbers.map((n) => (n % 2 === 0 ? `DTXSID${70_000 + n}` : `word ${n}`))
        for (const id of ids) {
          expect(seen.add(id)).toBe(!reference.has(id))
          reference.add(id)
        }
        const inMemory = new Set([...reference].slice(0, most))
        expect(asked.filter((id) => inMemory.has(id))).toEqual([])
        expect(rest).toEqual(new Set([...reference].slice(most)))
      })
    )
  })
})
