/** The key in encoded forms, and control characters, in the texts of a service. */

import { RetryPolicy } from "@chemstream/client"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Scripted from "./scriptedService.ts"
import { bisphenolA, withClient, withService } from "./testClient.ts"

const key = "s3cr3t/Ab+c~9?x"

const messageOf = (responder: Scripted.Responder, apiKey = key) =>
  withService([responder], ({ url }) =>
    Effect.gen(function* () {
      const settings = { baseUrl: url, apiKey: Redacted.make(apiKey), retry: RetryPolicy.never }
      const error = yield* Effect.flip(withClient(settings, (client) => client.details.byDtxsid(bisphenolA)))
      return error.message
    })
  )

const plain = (text: string) => Scripted.reply(500, text, { "content-type": "text/plain" })
const between = (separator: string): string => Array.from(key).join(separator)
const base64 = (text: string): string => Buffer.from(text).toString("base64")

describe("a key in an error text", () => {
  it.each<readonly [string, string, string?, string?]>([
    ["in base64", base64(key)],
    ["in base64 for URLs", Buffer.from(key).toString("base64url")],
    ["in base64 after one character", base64(`:${key}`), "O"],
    ["in base64 as credentials", base64(`user:${key}`), "dXNlcj"],
    ["in base64 within a longer text", base64(`{"a":"${key}","b":1}`), "eyJhIjoi", "iwiYiI6MX0="],
    ["in base64, percent-encoded", encodeURIComponent(base64(`ab${key}>>`)), "YW", "%2BPg%3D%3D"],
    ["in base64, wrapped", base64(`ab${key}`).replace(/.{8}(?=.)/g, "$&\r\n"), "YW"],
    ["in hexadecimal", Buffer.from(key).toString("hex")],
    ["in hexadecimal, upper case", Buffer.from(key).toString("hex").toUpperCase()],
    [
      "in hexadecimal with colons",
      Buffer.from(key)
        .toString("hex")
        .replace(/..(?=.)/g, "$&:")
    ],
    ["as a list of bytes", Array.from(Buffer.from(key), (byte) => `0x${byte.toString(16)}`).join(", ")],
    ["percent-encoded in lower case", [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")],
    [
      "percent-encoded in upper case",
      [...key].map((c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).join("")
    ],
    ["in JSON escapes", [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
    [
      "in JSON escapes, twice",
      [...key].map((c) => `\\\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
    ],
    ["in escapes of a program", [...key].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join("")],
    ["in code points", [...key].map((c) => `\\u{${c.charCodeAt(0).toString(16)}}`).join("")],
    ["in entities, twice", [...key].map((c) => `&amp;#${c.charCodeAt(0)};`).join("")],
    ["with spaces of no width", between("\u200b")],
    ["with soft hyphens", between("\u00ad")],
    ["with marks of direction", between("\u202e")],
    ["with control characters", between("\u0007")],
    ["with line ends", between("\r\n")],
    ["with joiners and variants", between("\u2060\ufe0f")],
    ["with escaped spaces of no width", between("\\u200b")],
    ["with percent-encoded spaces of no width", between("%E2%80%8B")],
    ["with entities of no width", between("&#8203;")],
    ["with tags", `<p>${between("<wbr>")}</p>`, "<p>", "</p>"]
  ])("is redacted %s", async (_, form, start = "", end = "") => {
    // Only what belongs to the text around the key remains.
    expect(await messageOf(plain(`before ${form} after`))).toBe(
      `the service failed (500): before ${start}[redacted]${end} after`
    )
  })

  it.each([
    ["my s3cr3t key", "my+s3cr3t+key"],
    ["my s3cr3t key", "my%20s3cr3t+key"],
    ["my s3cr3t key", "my s3cr3t key"]
  ])("%j is redacted in a form: %s", async (spaced, form) => {
    expect(await messageOf(plain(`before ${form} after`), spaced)).toBe(
      "the service failed (500): before [redacted] after"
    )
  })

  it("is not redacted where plus signs replace other characters than spaces", async () => {
    for (const text of [key.replace("s", "+"), key.replace("/", "+"), "+".repeat(key.length)])
      expect(await messageOf(plain(text))).toBe(`the service failed (500): ${text}`)
  })

  it("is redacted in base64 at every position of a longer text", () =>
    fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), async (before, after) => {
        const encoded = base64(`${before}${key}${after}`)
        const message = await messageOf(plain(`~${encoded}~`))
        expect(message).toContain("[redacted]")
        // What remains decodes to no part of the key that is longer than two characters.
        const rest = message.replace(/^.*?~|~$/g, "").split("[redacted]")
        for (const part of rest) {
          for (const skipped of [0, 1, 2, 3]) {
            const decoded = Buffer.from(part.slice(skipped), "base64").toString("latin1")
            for (let at = 0; at + 3 <= key.length; at++)
              if (!`${before}${after}`.includes(key.slice(at, at + 3)))
                expect(decoded).not.toContain(key.slice(at, at + 3))
          }
        }
      }),
      { numRuns: 60 }
    ))

  it("is redacted whatever its characters are", () =>
    fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[!-~]{8,40}$/), async (any) => {
        const forms = [any, base64(any), base64(`:${any}`), encodeURIComponent(any), JSON.stringify(any)]
        const message = await messageOf(plain(forms.join(" ~ ")), any)
        for (const form of forms) expect(message).not.toContain(form)
        // A key with "<" or ">" may look like a tag together with the text up to its next occurrence.
        if (!/[<>]/.test(any)) expect(message.split("[redacted]").length).toBe(forms.length + 1)
      }),
      { numRuns: 100 }
    ))

  it("leaves other texts as they are", () =>
    fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-zA-Z0-9 .,:;()+-]{1,80}$/), async (text) => {
        const shown = text.replace(/\s+/g, " ").trim()
        expect(await messageOf(plain(`.${text}.`))).toBe(
          `the service failed (500): .${text}.`.replace(/\s+/g, " ")
        )
        expect(shown).not.toContain("[redacted]")
      }),
      { numRuns: 60 }
    ))

  it("keeps the line ends of a text out of the message", async () => {
    expect(await messageOf(plain("one\r\ntwo\r\n"))).toBe("the service failed (500): one two")
  })

  it("is found in time, however often the text begins like it", async () => {
    const text = `${key.slice(0, -1)}${"\u200b<i>".repeat(40)}`.repeat(200)
    expect(await messageOf(plain(`${text}${key}`))).not.toContain(key)
  })
})

describe("a text of a service", () => {
  it("shows each control character by the four digits of its code", async () => {
    expect(await messageOf(plain("a\u0007b\u202ec\u0085d"))).toBe(
      "the service failed (500): a\\u0007b\\u202ec\\u0085d"
    )
  })

  const hostile = "\u001b]0;owned\u0007\u001b[2Jred\u202e\u0085\nchemstream: done"

  it.each<readonly [string, Scripted.Responder]>([
    ["plain text", plain(hostile)],
    ["the detail of a problem", Scripted.problem(400, hostile)],
    [
      "a page",
      Scripted.reply(502, `<html><title>${hostile}</title></html>`, { "content-type": "text/html" })
    ],
    ["suggestions", Scripted.problem(400, "Found 0 results for 'x'.", { suggestions: [hostile] })],
    ["violations", Scripted.reply(400, JSON.stringify({ title: "no", violations: { a: hostile } }))],
    ["a success that is not JSON", Scripted.reply(200, hostile)],
    ["a member of a success", Scripted.reply(200, JSON.stringify([{ [hostile]: 1 }]))],
    ["the target of a redirect", Scripted.reply(302, "", { location: "/a\u0085b\u009bc" })]
  ])("has its control characters escaped in an error: %s", async (_, responder) => {
    const message = await messageOf(responder)
    expect(message).toMatch(/owned|a.*b.*c/)
    expect(message).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u)
  })
})
