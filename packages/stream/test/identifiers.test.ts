import { BatchCalls, Identifiers } from "@chemstream/stream"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"

const encoder = new TextEncoder()

const read = (bytes: Uint8Array, size: number): Promise<ReadonlyArray<Identifiers.Identifier>> => {
  const chunks: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return Effect.runPromise(Stream.runCollect(Identifiers.fromBytes(Stream.fromIterable(chunks))))
}

describe("Identifiers.fromBytes", () => {
  it("skips blank lines and comments, drops space, CR and a byte-order mark, and counts lines, at every chunk size", async () => {
    const text = "\uFEFFDTXSID7020182\r\n\r\n# über 漢字 𝒳\n  DTXSID3039242\t\n\n\u00b5-name\nlast"
    const bytes = encoder.encode(text)
    for (let size = 1; size <= bytes.length; size++) {
      expect(await read(bytes, size)).toEqual([
        { text: "DTXSID7020182", line: 1 },
        { text: "DTXSID3039242", line: 4 },
        { text: "\u00b5-name", line: 6 },
        { text: "last", line: 7 }
      ])
    }
  })

  it("removes the quotes of a CSV cell, at every chunk size", async () => {
    const bytes = encoder.encode('"DTXSID7020182"\r\n "say ""hey"", oil" \n""\n" "\n"#2 oil"\n"open\n"\n')
    for (let size = 1; size <= bytes.length; size++) {
      expect(await read(bytes, size)).toEqual([
        { text: "DTXSID7020182", line: 1 },
        { text: 'say "hey", oil', line: 2 },
        { text: "#2 oil", line: 5 },
        { text: '"open', line: 6 },
        { text: '"', line: 7 }
      ])
    }
  })

  it("reads the errors of spreadsheets as values, not as comments", async () => {
    const identifiers = await read(encoder.encode('#comment\n#N/A\r\n"#NAME?"\n#not an error!\n'), 64)
    expect(identifiers).toEqual([
      { text: "#N/A", line: 2 },
      { text: "#NAME?", line: 3 }
    ])
  })

  it.each(["", "\n", "\uFEFF", "# only a comment"])("reads nothing from %j", async (text) => {
    expect(await read(encoder.encode(text), 8)).toEqual([])
  })

  it("cuts and marks a line that is too long, so that its ends never form an identifier, at every chunk size", async () => {
    const long = " ".repeat(4096) + "x".repeat(60_000)
    const bytes = encoder.encode(`${long}DTXSID7020182\nDTXSID3039242\n`)
    for (const size of [1000, 4096, 4097, 65_536, bytes.length]) {
      const identifiers = await read(bytes, size)
      expect(identifiers.map(({ line }) => line)).toEqual([1, 2])
      expect(identifiers[0]?.text).toMatch(/…$/)
      expect(identifiers[0]?.text.length).toBeLessThanOrEqual(4097)
      expect(identifiers[1]?.text).toBe("DTXSID3039242")
    }
  })
})

describe("Identifiers.ofValue", () => {
  const longest = `a${"x".repeat(4094)}b`

  it.each([
    ["of 4096 characters is kept", longest, longest],
    ["is measured without the white space around it", ` \t${longest}\n`, longest],
    ["of 4097 characters is cut to 4096 and marked", `${longest}c`, `${longest}…`],
    ["may be empty", " ", ""]
  ])("a value %s", (_, text, value) => {
    expect(Identifiers.ofValue(text)).toBe(value)
  })
})

describe("Identifiers.ofLine", () => {
  it.each([
    ["DTXSID7020182", "DTXSID7020182"],
    ['""', undefined],
    ['" "', undefined],
    ['"', '"'],
    ['"a', '"a'],
    ['a"', 'a"'],
    ['"a"', "a"],
    ['""""', '"'],
    ["#N/A", "#N/A"],
    ["#N/A?", undefined],
    ['"#"', "#"],
    [" # a", undefined]
  ])("reads %j as %j", (line, value) => {
    expect(Identifiers.ofLine(line)).toBe(value)
  })
})

describe("Identifiers.fromItems", () => {
  const items = [{ id: "a" }, { id: "b" }, undefined, { id: "c" }] as ReadonlyArray<{ readonly id: string }>

  it.each([
    ["id", { id: (item: (typeof items)[number]) => item.id }],
    ["carried", { id: () => "x", carried: (item: (typeof items)[number]) => item.id }]
  ])("emits the items before one at which %s throws, and then its error", async (_, reader) => {
    const texts: Array<number> = []
    const run = Identifiers.fromItems(Stream.fromIterable(items), reader).pipe(
      Stream.runForEach(({ line }) => Effect.sync(() => texts.push(line)))
    )
    await expect(Effect.runPromise(run)).rejects.toThrow(TypeError)
    expect(texts).toEqual([1, 2])
  })

  it("looks up the items before one at which id throws", async () => {
    const seen: Array<string> = []
    const run = Identifiers.fromItems(Stream.fromIterable(items), { id: (item) => item.id }).pipe(
      BatchCalls.outcomes({
        parse: Result.succeed,
        call: async (ids) => ({ records: ids.map((id) => ({ key: id, record: id })) }),
        size: 3
      }),
      Stream.runForEach((outcome) => Effect.sync(() => seen.push(`${outcome._tag} ${outcome.id}`)))
    )
    await expect(Effect.runPromise(run)).rejects.toThrow(TypeError)
    expect(seen).toEqual(["Found a", "Found b"])
  })

  it("reads a number as its digits, and nothing as an empty text, each with its position and its data", async () => {
    const ids = [7, 8n, null, undefined, " a "]
    const read = Identifiers.fromItems(Stream.fromIterable(ids), {
      id: (id) => id as string,
      carried: (id) => [id]
    })
    expect(await Effect.runPromise(Stream.runCollect(read))).toEqual([
      { text: "7", line: 1, carried: [7] },
      { text: "8", line: 2, carried: [8n] },
      { text: "", line: 3, carried: [null] },
      { text: "", line: 4, carried: [undefined] },
      { text: "a", line: 5, carried: [" a "] }
    ])
  })

  it("refuses an id that is no text or number, e.g. a promise", async () => {
    const reader = { id: async () => "a" } as never
    const run = Stream.runCollect(Identifiers.fromItems(Stream.make(1), reader))
    await expect(Effect.runPromise(run)).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringMatching(
        /^The option id is a promise. Give a function that returns a text or a number/
      )
    })
  })
})

describe("Identifiers.fromIterable", () => {
  it.each([
    ["a text", "DTXSID7020182"],
    ["nothing", undefined],
    ["a number", 5]
  ])("refuses %s", (_, values) => {
    expect(() => Identifiers.fromIterable(values as never)).toThrow(
      "Give a list or another iterable of texts."
    )
  })

  it("numbers values by their position", async () => {
    expect(await Effect.runPromise(Stream.runCollect(Identifiers.fromIterable(["a", "b"])))).toEqual([
      { text: "a", line: 1 },
      { text: "b", line: 2 }
    ])
  })
})
