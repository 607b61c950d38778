import { JsonArray, Ndjson, RawArray, RawRecord } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const textOf = <E>(bytes: Stream.Stream<Uint8Array, E>): Promise<string> =>
  Effect.runPromise(bytes.pipe(Stream.decodeText, Stream.mkString))

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
