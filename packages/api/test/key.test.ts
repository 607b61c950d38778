/** Keys of two or three fields in one text. */
import { Key, type Row, Rows } from "@chemstream/api"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const messageOf = (key: Key.Key, text: string): string =>
  Result.match(key.parse(text), { onSuccess: () => "", onFailure: ({ message }) => message })

const part = fc
  .string({ minLength: 1, unit: fc.constantFrom(..."aZ0-' (.,") })
  .filter((text) => text.trim() === text && text.replaceAll(",", "").trim() !== "")

describe("Key.propertyRange", () => {
  it("returns the fields of any property and range, and reads its own spelling", () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(part, numbers, numbers, (propertyName, one, other) => {
        const [start, end] = [Math.min(one, other) + 0, Math.max(one, other) + 0]
        const value = Result.getOrThrow(Key.propertyRange.parse(` ${propertyName} , ${start},${end} `))
        expect(Key.propertyRange.toFields(value)).toEqual({ propertyName, start, end })
        expect(Result.getOrThrow(Key.propertyRange.parse(value))).toBe(value)
      })
    )
  })

  it.each([
    ["", "the value is empty: a range of a property is expected"],
    ["Boiling Point", "two numbers"],
    ["Boiling Point,340", "two numbers"],
    ["Boiling Point,340,", "two numbers"],
    ["Boiling Point,low,365", "two numbers"],
    ["Boiling Point,340,1e999", "two numbers"],
    [" ,340,365", "two numbers"],
    ["\ud800,340,365", "two numbers"],
    ["Boiling Point,365,340", "its start is above its end"]
  ])("refuses %j and says what it must be", (text, reason) => {
    expect(messageOf(Key.propertyRange, text)).toContain(reason)
  })
})

describe("Key.listWord", () => {
  it("returns the fields of any list and word, and reads its own spelling", () => {
    const names = part.filter((text) => !text.includes(","))
    fc.assert(
      fc.property(names, part, (list, word) => {
        const value = Result.getOrThrow(Key.listWord.parse(` ${list} , ${word} `))
        expect(Key.listWord.toFields(value)).toEqual({ list, word })
        expect(Result.getOrThrow(Key.listWord.parse(value))).toBe(value)
      })
    )
  })

  it("refuses an empty text", () => {
    expect(messageOf(Key.listWord, " ")).toContain("the value is empty: a word in a list")
  })

  it.each(["40CFR1164", "40CFR1164,", "40CFR1164, ,", ",Benzene", "40CFR1164,\udfff"])(
    "refuses %j and says what it must be",
    (text) => {
      expect(messageOf(Key.listWord, text)).toContain("it must be the name of a list and a word")
    }
  )
})

describe("the key of a row", () => {
  const inPaths = (Rows.all as ReadonlyArray<Row.Row>).flatMap(({ get, key, name }) =>
    key !== undefined && get.path.includes("{") ? [{ key, name, path: get.path }] : []
  )

  it.each(inPaths)("of $name has the parameters of the path", ({ key, path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(key.fields)).toEqual(names)
    expect(Object.keys(key.toFields(Result.getOrThrow(key.parse(key.example))))).toEqual(names)
  })
})
