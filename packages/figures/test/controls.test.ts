import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Card, Structure } from "../src/index.ts"
import { readXml } from "./records.ts"

/** Every control character, writing-direction marks, characters that XML forbids, and half a surrogate pair. */
const characters = [
  ...Array.from({ length: 0xa0 }, (_, code) => code),
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0xfffe, 0xffff, 0xd800, 0xdc00],
  ...Array.from({ length: 5 }, (_, index) => 0x202a + index),
  ...Array.from({ length: 4 }, (_, index) => 0x2066 + index)
].map((code) => String.fromCharCode(code))

const chemical = (name: string) => ({ id: name, details: { dtxsid: "x", preferredName: name } })

describe("a name with a forbidden or a control character", () => {
  it("leaves markup well-formed, as content and in an attribute", async () => {
    for (const character of characters) {
      const name = `a${character}b`
      const anchor = await Effect.runPromise(Card.toHtml(chemical(name), { anchor: name }))
      expect(readXml(anchor).names, JSON.stringify(character)).toContain("h2")
    }
    const all = characters.join("")
    expect(readXml(await Effect.runPromise(Structure.toSvg("CCO", { title: all }))).names).toContain("title")
  })

  it("loses that character in a card", async () => {
    const card = await Effect.runPromise(Card.toText(chemical(`a${characters.join("b")}c`)))
    expect(card).not.toMatch(/(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    expect(card).toMatch(/a.*b/)
  })
})
