import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { printable, printableLine, printableStyled } from "../src/terminal/printable.ts"

/** Whether a terminal acts on a character, or nobody can see it. */
const isActedOn = (character: string): boolean =>
  /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u.test(character)

const actedOn = [...Array.from({ length: 0x10000 }, (_, code) => code), 0xe0001, 0xe0041, 0x1d173]
  .map((code) => String.fromCodePoint(code))
  .filter(isActedOn)

/** Generates text with many such characters. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...actedOn, "\\", "u", "\u001b[31m"), fc.string({ unit: "binary" })))
  .map((parts) => parts.join(""))

const harmless = fc.string({ unit: "binary" }).map((some) =>
  Array.from(some)
    .filter((character) => !isActedOn(character) || character === "\n" || character === "\t")
    .join("")
)

const unsafeIn = (some: string, kept: string): ReadonlyArray<string> =>
  Array.from(some).filter((character) => isActedOn(character) && !kept.includes(character))

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
