import { Ndjson, RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, everyCut, outcome, sameAtEveryCut } from "./chunks.ts"

const same = (item: unknown): unknown => item

const decodeText = (text: string, options?: Ndjson.DecodeOptions) =>
  sameAtEveryCut(bytesOf(text), Ndjson.decode(options), same)

const decodeRawText = (text: string, options?: Ndjson.DecodeOptions) =>
  sameAtEveryCut(bytesOf(text), Ndjson.decodeRaw(options), RawRecord.toText)

const written = <E>(stream: Stream.Stream<Uint8Array, E>): string =>
  outcome(stream)
    .items.map((bytes) => new TextDecoder().decode(bytes))
    .join("")

const excerptOf = (text: string) => outcome(Stream.make(bytesOf(text)).pipe(Ndjson.decode())).error?.excerpt

describe("Ndjson.decode", () => {
  it("decodes the same values at every chunk boundary: in a character, an escape, a CRLF", () => {
    const text =
      '\ufeff{"µ":"𝄞\\u00e9\\ud834\\udd1e"}\r\n\r\n  \t\n[1,2]\n"a\u2028b\u2029"\r\nnull\n "\\ud800" \n-1.5e3'
    expect(decodeText(text)).toEqual({
      items: [{ µ: "𝄞é𝄞" }, [1, 2], "a\u2028b\u2029", null, "\ud800", -1500],
      error: undefined
    })
  })

  it("emits nothing for an empty input, blank lines or only a byte-order mark", () => {
    for (const text of ["", "\n", "\r\n\r\n", " \n\t", "\ufeff", "\ufeff\n"]) {
      expect(decodeText(text)).toEqual({ items: [], error: undefined })
    }
  })

  it("keeps __proto__ keys as data", () => {
    const [value] = decodeText('{"__proto__":{"polluted":true}}').items as [Record<string, unknown>]
    expect(Object.keys(value)).toEqual(["__proto__"])
    expect(value["polluted"]).toBeUndefined()
  })

  it.each([
    ['{"a":1}\n{"a":,}\n{"a":2}', "invalid-json", 2, 8, 6, '{"a":,}'],
    ['{"a":1}\r\n\r\n  {"µµ":x}\r\n1', "invalid-json", 3, 11, 9, '  {"µµ":x}'],
    ['1\n2\n{"a', "invalid-json", 3, 4, 4, '{"a'],
    ["1\n\ufeff2\n", "invalid-json", 2, 2, 1, "\ufeff2"],
    ["1\n2 3\n", "invalid-json", 2, 2, 3, "2 3"],
    ['1\n"a\tb"\n', "invalid-json", 2, 2, 3, '"a b"'],
    ["nope", "invalid-json", 1, 0, 2, "nope"]
  ])(
    "rejects a malformed line of %j with %s at line %i, byte %i, column %i",
    (text, reason, line, offset, column, excerpt) => {
      expect(decodeText(text).error).toMatchObject({
        _tag: "NdjsonError",
        reason,
        line,
        offset,
        column,
        excerpt
      })
    }
  )

  it("names the line, the fault and the text in its message", () => {
    expect(decodeText('1\n{"a":,}\n').error?.message).toBe(
      'Line 2 (byte 2, column 6) is refused: a value is expected. Correct or remove the line. It reads: {"a":,}'
    )
  })

  it("rejects a line that is not UTF-8, after the earlier lines", () => {
    const bytes = new Uint8Array([...bytesOf('{"é":1}\n2\n"é'), 0xc3, ...bytesOf('"\n3\n')])
    const { items, error } = sameAtEveryCut(bytes, Ndjson.decode(), same)
    expect(items).toEqual([{ é: 1 }, 2])
    expect(error).toMatchObject({ reason: "invalid-utf8", line: 3, offset: 11, column: 3 })
    const cutOff = sameAtEveryCut(bytesOf('1\n2\n"é').slice(0, -1), Ndjson.decode(), same)
    expect(cutOff.items).toEqual([1, 2])
    expect(cutOff.error).toMatchObject({ reason: "invalid-utf8", line: 3, column: 2 })
  })

  it("quotes at most 80 characters around the fault, without control characters", () => {
    const line = `{"a":"${"µ".repeat(500)}","b":\u0007x,"c":"${"µ".repeat(500)}"}`
    const error = decodeText(`1\n${line}\n`).error
    expect(error?.excerpt).toMatch(/^…µ+","b": x,"c":"µ+…$/)
    expect(error?.excerpt.length).toBeLessThanOrEqual(80)
    expect(excerptOf("x".repeat(80))).toBe("x".repeat(80))
    expect(excerptOf("x".repeat(81))).toBe(`${"x".repeat(78)}…`)
  })

  it("quotes replacement characters that are in the text, and none for a character that it cuts", () => {
    expect(excerptOf(`\ufffd${"x".repeat(100)}`)).toMatch(/^\ufffdx+…$/)
    expect(excerptOf("\ufffdx\ufffd")).toBe("\ufffdx\ufffd")
    expect(excerptOf(`["${"a".repeat(100)}",x\ufffd`)).toMatch(/^…a+",x\ufffd$/)
    expect(excerptOf(`${"x".repeat(75)}\ufffd${"y".repeat(50)}`)).toBe(`${"x".repeat(75)}\ufffd…`)
    for (const n of [76, 77]) expect(excerptOf(`${"x".repeat(n)}\ufffdyyy`)).toBe(`${"x".repeat(n)}…`)
    for (let n = 0; n < 4; n++)
      expect(excerptOf(`["${"a".repeat(n)}${"😀".repeat(50)}",x,"${"😀".repeat(50)}"]`)).toMatch(
        /^…(?:😀)+",x,"(?:😀)+…$/u
      )
  })

  it("decodes lines around 16 KiB, where it changes its decoder, and rejects invalid bytes in them", () => {
    for (const length of [16_381, 16_382, 16_383, 16_384]) {
      const text = `"${"\ufffd".padStart(length - 4, "x")}"`
      const bytes = bytesOf(`1\n${text}\n`)
      expect(bytes.length).toBe(length + 3)
      expect(outcome(Stream.make(bytes).pipe(Ndjson.decode())).items).toEqual([1, JSON.parse(text)])
      bytes[length] = 0xff
      const { error, items } = outcome(Stream.make(bytes).pipe(Ndjson.decode()))
      expect(items).toEqual([1])
      expect(error).toMatchObject({ reason: "invalid-utf8", line: 2, column: length - 3 })
    }
  })

  it("accepts a line of exactly maxLineBytes and rejects a longer one, at every chunk boundary", () => {
    const text = '\ufeff"234567"\r\n\n"234567"\r\n12\n"2345678"\n3'
    expect(decodeText(text, { maxLineBytes: 9 }).items).toEqual(["234567", "234567", 12, "2345678", 3])
    const { items, error } = decodeText(text, { maxLineBytes: 8 })
    expect(items).toEqual(["234567", "234567", 12])
    expect(error).toMatchObject({ reason: "line-too-large", line: 5, offset: 27, column: undefined })
    expect(decodeText("\ufeff12\n", { maxLineBytes: 1 }).error).toMatchObject({
      reason: "line-too-large",
      line: 1
    })
    expect(decodeText("\ufeff1\n2\n", { maxLineBytes: 1 }).items).toEqual([1, 2])
  })

  it("decodes a line of many blocks that arrives in chunks of any size", () => {
    const line = JSON.stringify({ text: "0123456789µ".repeat(300_000), last: true })
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: 1, maxLength: 8 }),
        (sizes) => {
          const bytes = bytesOf(`${line}\n7\n`)
          const chunks: Array<Uint8Array> = []
          for (let at = 0, i = 0; at < bytes.length; at += chunks.at(-1)?.length ?? 0) {
            chunks.push(
              bytes.subarray(at, at + (sizes[i++ % sizes.length] as number) + (i > 100 ? 500_000 : 0))
            )
          }
          const { items } = outcome(
            Stream.fromIterable(chunks).pipe(Ndjson.decodeRaw(), Stream.map(RawRecord.toText))
          )
          expect(items.length).toBe(2)
          expect(items[0] === line).toBe(true)
        }
      ),
      { numRuns: 20 }
    )
  })

  it.each(["lines", "array"])(
    "holds no more than the bytes of a line or element that is too large: %s",
    (form) => {
      const chunk = bytesOf("x".repeat(64 * 1024))
      const before = process.memoryUsage().arrayBuffers
      let most = 0
      const endless = Stream.fromEffectRepeat(
        Effect.sync(() => {
          most = Math.max(most, process.memoryUsage().arrayBuffers - before)
          return chunk
        })
      )
      const bytes = Stream.make(bytesOf('["')).pipe(Stream.concat(endless))
      const { error } =
        form === "lines" ? outcome(bytes.pipe(Ndjson.decodeRaw())) : outcome(bytes.pipe(RawArray.decode()))
      expect(error).toMatchObject({ reason: form === "lines" ? "line-too-large" : "too-large" })
      expect(most).toBeLessThan(Ndjson.MAX_LINE_BYTES + 4 * 1024 * 1024)
    }
  )

  it("rejects an endless line at the bound", () => {
    let sent = 0
    const endless = Stream.fromEffectRepeat(
      Effect.sync(() => {
        sent++
        return bytesOf("x".repeat(1000))
      })
    )
    const { error } = outcome(endless.pipe(Ndjson.decode({ maxLineBytes: 10_000 })))
    expect(error).toMatchObject({ reason: "line-too-large", line: 1, offset: 0 })
    expect(sent).toBe(11)
  })

  it("counts lines and bytes over many lines", () => {
    const lines = Array.from({ length: 20_000 }, (_, n) =>
      n % 7 === 3 ? "" : JSON.stringify({ n, name: "é" })
    )
    const text = lines.join("\r\n")
    const { items, error } = outcome(Stream.make(bytesOf(`${text}\r\n{]\n`)).pipe(Ndjson.decode()))
    expect(items).toEqual(lines.filter((line) => line !== "").map((line) => JSON.parse(line)))
    expect(error).toMatchObject({ line: 20_001, offset: bytesOf(text).length + 2, column: 2 })
  })

  it("agrees with splitting and JSON.parse on any values and any chunks", () => {
    const cuts = fc.array(fc.nat({ max: 400 }))
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.boolean(),
        cuts,
        (values, end, last, at) => {
          const bytes = bytesOf(values.map((value) => JSON.stringify(value)).join(end) + (last ? end : ""))
          const ends = [...at.map((n) => Math.min(n, bytes.length)).sort((a, b) => a - b), bytes.length]
          const chunks = ends.map((to, i) => bytes.slice(ends[i - 1] ?? 0, to))
          const expected = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown)
          expect(outcome(Stream.fromArray(chunks).pipe(Ndjson.decode()))).toEqual({
            items: expected,
            error: undefined
          })
          const raw = outcome(Stream.fromArray(chunks).pipe(Ndjson.decodeRaw()))
          expect(raw.items.map((record) => JSON.parse(RawRecord.toText(record)))).toEqual(expected)
        }
      )
    )
  })

  it("passes on a failure of its input, after the complete lines", () => {
    const input = Stream.concat(Stream.make(bytesOf("1\n2\n3")), Stream.fail("gone" as const))
    expect(outcome(input.pipe(Ndjson.decode()))).toEqual({ items: [1, 2], error: "gone" })
  })
})

describe("malformed lines", () => {
  const text = '1\n{"a":}\n12345678\n\n"é\n2\n1234567890\r\n3\n123456789'

  it("are skipped and counted, at every chunk boundary", () => {
    for (const cut of everyCut(bytesOf(text))) {
      const skip = Ndjson.skipTally()
      const { items, error } = outcome(Stream.fromArray(cut).pipe(Ndjson.decode({ maxLineBytes: 7, skip })))
      expect([items, error]).toEqual([[1, 2, 3], undefined])
      expect(skip).toMatchObject({ count: 5, first: { line: 2, offset: 2, reason: "invalid-json" } })
    }
  })

  it("keep their places among the results, at every chunk boundary", () => {
    const decode = Ndjson.decodeResults({ maxLineBytes: 7 })
    const { items, error } = sameAtEveryCut(bytesOf(text), decode, (result) =>
      Result.match(result, {
        onSuccess: (value) => value,
        onFailure: ({ line, offset, reason }) => [line, offset, reason]
      })
    )
    expect(error).toBeUndefined()
    expect(items).toEqual([
      1,
      [2, 2, "invalid-json"],
      [3, 9, "line-too-large"],
      [5, 19, "invalid-json"],
      2,
      [7, 25, "line-too-large"],
      3,
      [9, 39, "line-too-large"]
    ])
  })

  it("and the results around them are emitted before the next chunk is read", () => {
    const seen: Array<string> = []
    const chunks = Stream.fromIterable(["1\n{", "\n2\n3", "\n"]).pipe(
      Stream.rechunk(1),
      Stream.tap((chunk) => Effect.sync(() => seen.push(`read ${JSON.stringify(chunk)}`))),
      Stream.map(bytesOf)
    )
    outcome(
      chunks.pipe(
        Ndjson.decodeResults(),
        Stream.tap((result) =>
          Effect.sync(() => seen.push(Result.isSuccess(result) ? `value ${result.success}` : "failure"))
        )
      )
    )
    expect(seen).toEqual([
      ...['read "1\\n{"', "value 1"],
      ...['read "\\n2\\n3"', "failure", "value 2"],
      ...['read "\\n"', "value 3"]
    ])
  })

  it("longer than the bound are skipped without being buffered", () => {
    let sent = 0
    const long = Stream.fromEffectRepeat(
      Effect.sync(() => bytesOf(sent++ === 5000 ? "x\n1\n" : "x".repeat(1000)))
    ).pipe(Stream.take(5001))
    const skip = Ndjson.skipTally()
    const { items } = outcome(long.pipe(Ndjson.decode({ maxLineBytes: 10_000, skip })))
    expect(items).toEqual([1])
    expect(skip.first).toMatchObject({ line: 1, reason: "line-too-large" })
    expect(skip.first?.excerpt.length).toBeLessThanOrEqual(Ndjson.EXCERPT_LENGTH)
  })
})

describe("Ndjson.decodeRaw", () => {
  it("emits every line unchanged, at every chunk boundary", () => {
    expect(
      decodeRawText('\ufeff{"a": 1.0}\r\n\r\n \n 12345678901234567890 \n"\u2028"\nnot json\n{"last":1}\r')
    ).toEqual({
      items: ['{"a": 1.0}', " 12345678901234567890 ", '"\u2028"', "not json", '{"last":1}'],
      error: undefined
    })
  })

  it("rejects a line longer than the bound, after the earlier lines", () => {
    const { items, error } = decodeRawText("123\n1234\n12345\n1", { maxLineBytes: 4 })
    expect(items).toEqual(["123", "1234"])
    expect(error).toMatchObject({ reason: "line-too-large", line: 3, offset: 9 })
  })

  it("emits views of the chunk for the lines inside it", () => {
    const chunk = bytesOf("1\n2\n")
    expect(
      outcome(Stream.make(chunk).pipe(Ndjson.decodeRaw())).items.map((record) => record.bytes === chunk)
    ).toEqual([true, true])
  })
})

describe("Ndjson.encode", () => {
  it("writes one line per value, and the values of a chunk as one array of bytes", () => {
    const values = [{ a: "µ", b: undefined }, [undefined, Number.NaN], null, "x\ny\u2028"]
    const { items } = outcome(Stream.fromArray<unknown>(values).pipe(Ndjson.encode()))
    expect(items.length).toBe(1)
    expect(new TextDecoder().decode(items[0])).toBe('{"a":"µ"}\n[null,null]\nnull\n"x\\ny\u2028"\n')
  })

  const cycle: Record<string, unknown> = { name: "a" }
  cycle["links"] = [1, { "to it": cycle }]
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const throwing = {
    toJSON: () => {
      throw new Error("no")
    }
  }

  it.each([
    ["undefined", undefined, "$"],
    ["function", () => 1, "$"],
    ["function", { a: [1, { b: () => 1 }] }, "$.a[1].b"],
    ["symbol", { "a b": Symbol("s") }, '$["a b"]'],
    ["bigint", { a: { b: [10n] } }, "$.a.b[0]"],
    ["cycle", cycle, '$.links[1]["to it"]'],
    ["too-deep", deep, "$"],
    ["to-json", { a: throwing }, "$"],
    ["undefined", { toJSON: () => undefined }, "$"]
  ])("rejects %s with its path, after the earlier values", (reason, value, path) => {
    const { items, error } = outcome(Stream.fromArray<unknown>([1, 2, value, 3]).pipe(Ndjson.encode()))
    expect(items.map((bytes) => new TextDecoder().decode(bytes))).toEqual(["1\n2\n"])
    expect(error).toMatchObject({ _tag: "NdjsonEncodeError", reason, path, index: 2 })
    expect(error?.message).toContain(`Value 2 cannot be written as JSON: ${path} `)
  })

  it("counts the index of a value across chunks", () => {
    const stream = Stream.concat(
      Stream.make<[unknown, unknown]>(1, 2),
      Stream.make<[unknown, unknown]>(3, 4n)
    )
    expect(outcome(stream.pipe(Ndjson.encode())).error?.index).toBe(3)
  })

  it("writes BigInts as numbers with all their digits or as strings, when asked", () => {
    const value = { a: [12345678901234567890n, -1n], b: { c: 0n }, d: "x" }
    const stream = (bigints: "number" | "string") => Stream.make(value, 1n).pipe(Ndjson.encode({ bigints }))
    expect(written(stream("number"))).toBe('{"a":[12345678901234567890,-1],"b":{"c":0},"d":"x"}\n1\n')
    expect(written(stream("string"))).toBe('{"a":["12345678901234567890","-1"],"b":{"c":"0"},"d":"x"}\n"1"\n')
    const { error } = outcome(
      Stream.make<[unknown]>([1n, () => 1]).pipe(Ndjson.encode({ bigints: "number" }))
    )
    expect(error).toMatchObject({ reason: "function", path: "$[1]" })
  })

  it("writes many values in pieces of at least 64 KiB", () => {
    const values = Array.from({ length: 10_000 }, (_, n) => ({ n, text: "x".repeat(20) }))
    const { items } = outcome(Stream.fromIterable(values).pipe(Ndjson.encode()))
    expect(items.slice(0, -1).every((bytes) => bytes.length >= 65_536)).toBe(true)
    expect(items.map((bytes) => new TextDecoder().decode(bytes)).join("")).toBe(
      values.map((value) => `${JSON.stringify(value)}\n`).join("")
    )
  })

  it("writes repeated objects, dates and deep nesting", () => {
    const shared = { x: 1 }
    let nested: unknown = 1
    for (let i = 0; i < 200; i++) nested = [nested]
    const value = { a: shared, b: [shared], at: new Date(0), nested }
    expect(written(Stream.make(value).pipe(Ndjson.encode()))).toBe(`${JSON.stringify(value)}\n`)
  })

  it("is reversed by decode for any values", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const { items } = outcome(Stream.fromArray<unknown>(values).pipe(Ndjson.encode(), Ndjson.decode()))
        expect(items).toEqual(JSON.parse(JSON.stringify(values)))
      })
    )
  })
})

describe("Ndjson.encodeRaw", () => {
  it("writes the text of each record on its own line, and one array of bytes per chunk", () => {
    const long = `"${"x".repeat(100)}"`
    const records = ['{"a": 1.0}', `{\n  "a": ${long},\r\n  "b": [1, 2]\n}`, "2", long].map(
      RawRecord.fromText
    )
    const { items } = outcome(Stream.fromArray(records).pipe(Ndjson.encodeRaw()))
    expect(items.length).toBe(1)
    expect(new TextDecoder().decode(items[0])).toBe(`{"a": 1.0}\n{"a":${long},"b":[1,2]}\n2\n${long}\n`)
  })

  it("writes texts that are no JSON, with line breaks in strings, on a line each", () => {
    const texts = ['"a\nb"', "1", '"\r\n\n"', '{"a":"\n"}', "2"].map(RawRecord.fromText)
    const { items } = outcome(Stream.fromArray(texts).pipe(Ndjson.encodeRaw()))
    expect(items.map((one) => new TextDecoder().decode(one)).join("")).toBe(
      '"a\\nb"\n1\n"\\r\\n\\n"\n{"a":"\\n"}\n2\n'
    )
  })

  it("passes on the lines of a chunk without copying, after the line that spans two chunks", () => {
    const line = `"${"x".repeat(3000)}"\n`
    const text = bytesOf(line.repeat(20))
    const chunks = [text.slice(0, 20_000), text.slice(20_000)]
    const { items } = outcome(Stream.fromArray(chunks).pipe(Ndjson.decodeRaw(), Ndjson.encodeRaw()))
    expect(Buffer.concat(items).toString()).toBe(line.repeat(20))
    expect(items.map(({ buffer }) => chunks.findIndex((chunk) => chunk.buffer === buffer))).toEqual([
      0, -1, 1
    ])
    expect(items[1]?.length).toBe(line.length)
  })

  it("writes short lines of many chunks, and elements of an array, as one array of bytes", () => {
    const lines = ['{"a":1}', '{"b":2}', '{"c":3}'].map((text) => RawRecord.make(bytesOf(`${text}\n`), 0, 7))
    const long = Array.from({ length: 400 }, (_, n) => `{"n":${n},"text":"${"x".repeat(100)}"}`)
    const elements = Result.getOrThrow(RawArray.cut(bytesOf(`[${long.join()}]`)))
    const { items } = outcome(Stream.fromArray([...lines, ...elements, ...lines]).pipe(Ndjson.encodeRaw()))
    expect(items.length).toBe(1)
    const short = '{"a":1}\n{"b":2}\n{"c":3}\n'
    expect(new TextDecoder().decode(items[0])).toBe(`${short}${long.join("\n")}\n${short}`)
  })

  it("removes a line break of any kind between the tokens of neighbouring elements", () => {
    for (const space of ["\r", "\n", "\r\n"]) {
      const body = bytesOf(`[{"a":1},{"b":${space}2},{"c":3}]`)
      const elements = Result.getOrThrow(RawArray.cut(body))
      const { items } = outcome(Stream.fromArray(elements).pipe(Ndjson.encodeRaw()))
      expect(items.map((one) => new TextDecoder().decode(one))).toEqual(['{"a":1}\n{"b":2}\n{"c":3}\n'])
    }
  })

  it("converts a JSON array to lines, at every chunk boundary", () => {
    const body = bytesOf('[ {"m": 3850.0},\n{"n":\n"é"} , 1e2 ]')
    const lines = (stream: Stream.Stream<Uint8Array>) =>
      stream.pipe(RawArray.decode(), Ndjson.encodeRaw(), Ndjson.decodeRaw())
    expect(sameAtEveryCut(body, lines, RawRecord.toText).items).toEqual(['{"m": 3850.0}', '{"n":"é"}', "1e2"])
  })
})
