import { Seen } from "@chemstream/stream"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("Seen.inMemory", () => {
  it("knows exactly what it was given, whatever the text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 200 })), (ids) => {
        const seen = Seen.inMemory()
        const reference = new Set<string>()
        for (const id of ids.map((text) => text.toWellFormed())) {
          expect(seen.add(id)).toBe(!reference.has(id))
          reference.add(id)
        }
      })
    )
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
