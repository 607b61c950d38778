import { Ndjson, RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, outcome } from "./chunks.ts"

const MAX = 60

/** The factor on the number of runs of the fast tier. */
const scale = process.env["CHEMSTREAM_TIER"] === "thorough" ? 25 : 1

/** The expected result of a line, computed in the simplest way. */
type Line = {
  readonly line: number
  readonly offset: number
  readonly value?: unknown
  readonly reason?: string
}

/** Splits at LF and decodes each line. */
const reference = (bytes: Uint8Array, max = MAX): Array<Line> => {
  const out: Array<Line> = []
  let offset = 0
  for (let line = 1; offset < bytes.length; line++) {
    const lf = bytes.indexOf(10, offset)
    const next = lf === -1 ? bytes.length : lf + 1
    let text = bytes.subarray(offset, lf === -1 ? next : lf)
    if (line === 1 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) text = text.subarray(3)
    if (text.at(-1) === 13) text = text.subarray(0, -1)
    const place = { line, offset }
    offset = next
    if (text.length > max) out.push({ ...place, reason: "line-too-large" })
    else if (text.some((byte) => ![9, 10, 13, 32].includes(byte))) out.push({ ...place, ...parsed(text) })
  }
  return out
}

const parsed = (bytes: Uint8Array): { readonly value: unknown } | { readonly reason: string } => {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { reason: "invalid-utf8" }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { reason: "invalid-json" }
  }
}

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value))

const tokens = fc.array(
  fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u00",
    "1",
    "-",
    "e",
    ".",
    "true",
    "nul",
    " ",
    "\t",
    "µ",
    "𝄞",
    "\u2028"
  ),
  {
    maxLength: 12
  }
)

const line: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: json.map(bytesOf) },
  { weight: 1, arbitrary: json.map((text) => bytesOf(` ${text}\t`)) },
  // Truncated anywhere, also inside a character.
  {
    weight: 1,
    arbitrary: fc.tuple(json, fc.nat()).map(([text, at]) => bytesOf(text).slice(0, at % (text.length + 1)))
  },
  { weight: 1, arbitrary: tokens.map((parts) => bytesOf(parts.join(""))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 10 }) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\ufeff", "\ufeff1", "\r").map(bytesOf) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: MAX - 3, max: 3 * MAX }).map((length) => bytesOf("7".repeat(length)))
  }
)

const documentOf = (line: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n", "\n\n")), { maxLength: 40 }), line)
    .map(([lines, last]) => Buffer.concat([...lines.flatMap(([bytes, end]) => [bytes, bytesOf(end)]), last]))

const document = documentOf(line)

/** Lines long enough for the separate code path of long lines. */
const longDocument = documentOf(
  fc
    .tuple(line, fc.constantFrom(0, 1100, 1100, 17_000))
    .map(([bytes, spaces]) => Buffer.concat([bytes, Buffer.alloc(spaces, " ")]))
)

/** Bytes, and the same bytes in random chunks, some of them empty. */
const chunked = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<[Uint8Array, Array<Uint8Array>]> =>
  fc.tuple(bytes, fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })).map(([whole, at]) => {
    const ends = [...at.map((n) => n % (whole.length + 1)).sort((a, b) => a - b), whole.length]
    return [whole, ends.map((end, i) => whole.slice(ends[i - 1] ?? 0, end))]
  })

const shown = (result: Result.Result<unknown, Ndjson.NdjsonError>) =>
  Result.isSuccess(result)
    ? { value: result.success }
    : { line: result.failure.line, offset: result.failure.offset, reason: result.failure.reason }

const expectedOf = ({ value, line, offset, reason }: Line) =>
  reason === undefined ? { value } : { line, offset, reason }

describe("decoding any lines at any chunk boundaries", { timeout: 600_000 }, () => {
  it("agrees with a simple reference on every line, valid or malformed", () => {
    fc.assert(
      fc.property(chunked(document), ([whole, chunks]) => {
        const expected = reference(whole)
        const { items } = outcome(Stream.fromArray(chunks).pipe(Ndjson.decodeResults({ maxLineBytes: MAX })))
        expect(items.map(shown)).toEqual(expected.map(expectedOf))
      }),
      { numRuns: 600 * scale }
    )
  })

  it("agrees with the reference on long lines, also among short ones", () => {
    fc.assert(
      fc.property(chunked(longDocument), ([whole, chunks]) => {
        const expected = reference(whole, 100_000)
        const { items } = outcome(
          Stream.fromArray(chunks).pipe(Ndjson.decodeResults({ maxLineBytes: 100_000 }))
        )
        expect(items.map(shown)).toEqual(expected.map(expectedOf))
      }),
      { numRuns: 120 * scale }
    )
  })

  it("fails at the first malformed line, after the earlier lines", () => {
    fc.assert(
      fc.property(chunked(document), ([whole, chunks]) => {
        const expected = reference(whole)
        const bad = expected.findIndex(({ reason }) => reason !== undefined)
        const good = bad === -1 ? expected : expected.slice(0, bad)
        const { items, error } = outcome(Stream.fromArray(chunks).pipe(Ndjson.decode({ maxLineBytes: MAX })))
        expect(items).toEqual(good.map(({ value }) => value))
        if (bad === -1) expect(error).toBeUndefined()
        else expect(error).toMatchObject(expectedOf(expected[bad] as Line))
      }),
      { numRuns: 400 * scale }
    )
  })

  it("skips and counts malformed lines", () => {
    fc.assert(
      fc.property(chunked(document), ([whole, chunks]) => {
        const expected = reference(whole)
        const bad = expected.filter(({ reason }) => reason !== undefined)
        const skip = Ndjson.skipTally()
        const { items, error } = outcome(
          Stream.fromArray(chunks).pipe(Ndjson.decode({ maxLineBytes: MAX, skip }))
        )
        expect(error).toBeUndefined()
        expect(items).toEqual(expected.flatMap((one) => (one.reason === undefined ? [one.value] : [])))
        expect([skip.count, skip.first?.line]).toEqual([bad.length, bad[0]?.line])
      }),
      { numRuns: 400 * scale }
    )
  })

  it("emits raw lines with their numbers, valid or not, except those that are too long", () => {
    fc.assert(
      fc.property(chunked(document), ([whole, chunks]) => {
        const skip = Ndjson.skipTally()
        const decode = Ndjson.decodeNumbered({ maxLineBytes: MAX, skip })
        const { items } = outcome(Stream.fromArray(chunks).pipe(decode))
        const expected = reference(whole)
        const short = expected.filter(({ reason }) => reason !== "line-too-large")
        expect(items.map(({ line }) => line)).toEqual(short.map(({ line }) => line))
        expect(skip.count).toBe(expected.length - short.length)
      }),
      { numRuns: 120 * scale }
    )
  })
})

describe("splitting any arrays at any chunk boundaries", { timeout: 600_000 }, () => {
  const separators = fc.constantFrom(",", ", ", ",\n", " ,")
  const array = fc
    .tuple(
      fc.array(fc.tuple(json, separators), { maxLength: 30 }),
      fc.boolean(),
      fc.nat(),
      fc.constantFrom("", ...'[]{},:"\\ 1')
    )
    .map(([parts, whole, at, by]) => {
      const text = `[${parts.map(([part, between], n) => (n === parts.length - 1 ? part : part + between)).join("")}]`
      return bytesOf(whole ? text : text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1))
    })

  const run = (
    chunks: ReadonlyArray<Uint8Array>,
    decode: (self: Stream.Stream<Uint8Array>) => Stream.Stream<RawRecord.RawRecord, unknown>
  ) => {
    const { items, error } = outcome(Stream.fromArray(chunks).pipe(decode))
    return {
      texts: items.map(RawRecord.toText),
      error: error === undefined ? undefined : { ...(error as object) }
    }
  }

  it("emits the same elements and the same error for any chunks", () => {
    fc.assert(
      fc.property(chunked(array), ([whole, chunks]) => {
        expect(run(chunks, RawArray.decode())).toEqual(run([whole], RawArray.decode()))
      }),
      { numRuns: 400 * scale }
    )
  })

  it("emits the same with a shape, unless an object is malformed", () => {
    const shape = RawShape.make({ key: "a", kinds: { b: "string" }, required: ["c"] })
    fc.assert(
      fc.property(chunked(array), ([whole, chunks]) => {
        const read = run(chunks, RawArray.decodeWith(shape))
        expect(read).toEqual(run([whole], RawArray.decodeWith(shape)))
        const plain = run([whole], RawArray.decode())
        expect(plain.texts.slice(0, read.texts.length)).toEqual(read.texts)
        if (Result.isSuccess(RawRecord.check(RawRecord.fromBytes(whole)))) expect(read).toEqual(plain)
      }),
      { numRuns: 400 * scale }
    )
  })
})
