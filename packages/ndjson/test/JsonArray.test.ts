import { JsonArray, Ndjson, RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const textOf = <E>(bytes: Stream.Stream<Uint8Array, E>): Promise<string> =>
  Effect.runPromise(bytes.pipe(Stream.decodeText, Stream.mkString))

describe("JsonArray.encode", () => {
  it("writes an empty array for no values", async () => {
    expect(await textOf(Stream.empty.pipe(JsonArray.encode()))).toBe("[]\n")
  })

  it("writes an array that parses to the values, with any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 5 }), async (values, size) => {
        const text = await textOf(Stream.fromIterable(values).pipe(Stream.rechunk(size), JsonArray.encode()))
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(values)))
        if (values.length > 0) expect(text.split("\n")).toHaveLength(values.length + 3)
      })
    )
  })

  it("fails on a value that JSON cannot encode, and leaves the array open", async () => {
    const seen: Array<string> = []
    const error = await Effect.runPromise(
      Stream.make<Array<unknown>>({ id: 1 }, { f: () => 1 }).pipe(
        Stream.rechunk(1),
        JsonArray.encode(),
        Stream.decodeText,
        Stream.runForEach((text) => Effect.sync(() => seen.push(text))),
        Effect.flip
      )
    )
    expect([error.index, error.path, error.reason]).toEqual([1, "$.f", "function"])
    expect(seen.join("")).toBe('[\n{"id":1}')
  })
})

describe("JsonArray.encodeRaw", () => {
  it("keeps the text of every record, on a single line", async () => {
    const records = ['{"mass": 3850.0}', '{\n"a":1e2}', '"\\u00e9"'].map(RawRecord.fromText)
    expect(await textOf(Stream.fromIterable(records).pipe(JsonArray.encodeRaw()))).toBe(
      '[\n{"mass": 3850.0},\n{"a":1e2},\n"\\u00e9"\n]\n'
    )
    expect(await textOf(Stream.empty.pipe(JsonArray.encodeRaw()))).toBe("[]\n")
  })

  it("is the inverse of RawArray.decode", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.json()), async (texts) => {
        const array = Stream.fromIterable(texts.map(RawRecord.fromText)).pipe(JsonArray.encodeRaw())
        const back = array.pipe(RawArray.decode(), Stream.map(RawRecord.toText), Stream.runCollect)
        expect(await Effect.runPromise(back)).toEqual(texts.map((text) => text.trim()))
      })
    )
  })

  it("turns the lines of a file into an array and back into the same lines", async () => {
    const lines = '{"id":"x","mass":3850.0}\n{"id":"y"}\n'
    const array = Stream.make(lines).pipe(Stream.encodeText, Ndjson.decodeRaw(), JsonArray.encodeRaw())
    expect(await textOf(array.pipe(RawArray.decode(), Ndjson.encodeRaw()))).toBe(lines)
  })
})
