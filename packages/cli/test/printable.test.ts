import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { printable, printableLine, printableStyled } from "../src/terminal/printable.ts"

/** Whether a terminal interprets a character: controls, line separators, marks of the direction of writing. */
const isActedOn = (code: number): boolean =>
  code < 0x20 ||
  (code >= 0x7f && code <= 0x9f) ||
  [0x61c, 0x200e, 0x200f, 0x2028, 0x2029].includes(code) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069)

const actedOn = Array.from({ length: 0x2100 }, (_, code) => code)
  .filter(isActedOn)
  .map((code) => String.fromCharCode(code))

/** Generates text with many such characters. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...actedOn, "\\", "u", "\u001b[31m"), fc.string({ unit: "binary" })))
  .map((parts) => parts.join(""))

const harmless = fc.string({ unit: "binary" }).map((some) =>
  Array.from(some)
    .filter((character) => !isActedOn(character.charCodeAt(0)) || character === "\n" || character === "\t")
    .join("")
)

const unsafeIn = (some: string, kept: string): ReadonlyArray<string> =>
  Array.from(some).filter((character) => isActedOn(character.charCodeAt(0)) && !kept.includes(character))

/** Checks a property for many texts. */
const holds = (of: fc.Arbitrary<string>, check: (some: string) => void): void =>
  fc.assert(
    fc.property(of, (some) => {
      check(some)
    })
  )

describe("text for a terminal", () => {
  it("has no control character except line ends and tabs, and is otherwise unchanged", () => {
    holds(text, (some) => expect(unsafeIn(printable(some), "\n\t")).toEqual([]))
    holds(harmless, (some) => expect(printable(some)).toBe(some))
    holds(text, (some) => expect(printable(printable(some))).toBe(printable(some)))
  })

  it("has no line ends and tabs if it is one line", () => {
    holds(text, (some) => expect(unsafeIn(printableLine(some), "")).toEqual([]))
    expect(printableLine("a\tb\nc")).toBe("a\\u0009b\\u000ac")
  })

  it("keeps only sequences of colours and weights if it is styled", () => {
    expect(
      printableStyled("\u001b[1mbold\u001b[22m \u001b[2K\u001b]0;title\u0007 \u001b[1;31mred\u001b[0m")
    ).toBe("\u001b[1mbold\u001b[22m \\u001b[2K\\u001b]0;title\\u0007 \u001b[1;31mred\u001b[0m")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that are kept
    const styles = /\u001b\[[\d;]*m/g
    holds(text, (some) => expect(unsafeIn(printableStyled(some).replace(styles, ""), "\n\t")).toEqual([]))
  })

  it("escapes a character as JSON does, so that a line of JSON keeps its value", () => {
    expect(printable("a\u001b[2J\u009b\u202e\u007f\u2028")).toBe("a\\u001b[2J\\u009b\\u202e\\u007f\\u2028")
    holds(text, (some) => {
      const line = JSON.stringify({ some, list: [some, 1] })
      expect(JSON.parse(printable(line))).toEqual(JSON.parse(line))
    })
  })
})
