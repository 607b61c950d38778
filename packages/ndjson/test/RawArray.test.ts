import { existsSync, readFileSync } from "node:fs"
import { Ndjson, RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Effect, Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, outcome, sameAtEveryCut } from "./chunks.ts"

const REAL = new URL("../../../../shared/real/details-163.json", import.meta.url)

const texts = (bytes: Uint8Array): Array<string> =>
  Result.getOrThrow(RawArray.cut(bytes)).map(RawRecord.toText)

const failure = (text: string) => {
  const cut = RawArray.cut(bytesOf(text))
  return Result.isFailure(cut)
    ? [cut.failure.reason, cut.failure.offset]
    : Result.getOrThrow(cut).map(RawRecord.toText)
}

const DOCUMENT =
  '\ufeff [ {"name":"µ-Oxo \\"bis\\"\\\\", "n": 3850.0},\r\n {"deep": [[{"a": "]}"}], {}], "𝄞": "\\u00e9\\\\\\""},\n\t"é\\\\", -1.50e+10 ,null,true,false,"", [] , {} ]\r\n '

describe("RawArray.cut", () => {
  it.each([
    ["[1:2]", '":" where a comma is expected'],
    ["[:]", '":" where an element is expected'],
    ["[1,:]", '":" where an element is expected'],
    ["[1 2]", "a comma is missing between two elements"],
    ["[1}", '"}" has no opening bracket'],
    ["[!]", '"!" where'],
    ["[1,\u0001]", "byte 0x01 where"],
    ["[1,\u007f]", "byte 0x7f where"],
    ["[1,é]", "byte 0xc3 where"]
  ])("says of %j what is expected: %s", (text, says) => {
    const cut = RawArray.cut(bytesOf(text))
    expect(Result.isFailure(cut) && cut.failure.message).toContain(says)
  })

  it("keeps the text of every element exactly", () => {
    expect(texts(bytesOf(DOCUMENT))).toEqual([
      '{"name":"µ-Oxo \\"bis\\"\\\\", "n": 3850.0}',
      '{"deep": [[{"a": "]}"}], {}], "𝄞": "\\u00e9\\\\\\""}',
      '"é\\\\"',
      "-1.50e+10",
      "null",
      "true",
      "false",
      '""',
      "[]",
      "{}"
    ])
  })

  it("returns views of the body, not copies", () => {
    const body = bytesOf('[{"a":1}]')
    expect(Result.getOrThrow(RawArray.cut(body))[0]?.bytes).toBe(body)
  })

  it("returns no elements for an empty array", () => {
    expect(texts(bytesOf("[]"))).toEqual([])
    expect(texts(bytesOf(" [ \n] "))).toEqual([])
  })

  it.each([
    ["", "truncated", 0],
    ["  ", "truncated", 2],
    ["[", "truncated", 1],
    ["[1", "truncated", 2],
    ["[1,", "truncated", 3],
    ["[tru", "truncated", 4],
    ['["abc', "truncated", 5],
    ['["abc\\"', "truncated", 7],
    ['[{"a":[1]', "truncated", 9],
    ['{"a":1}', "not-an-array", 0],
    ["<html>", "not-an-array", 0],
    [" null", "not-an-array", 1],
    [" \ufeff[1]", "not-an-array", 1],
    ["\ufeff\ufeff[1]", "not-an-array", 3],
    ["[1}", "unbalanced", 2],
    ['[{"a":1]]', "unbalanced", 7],
    ["[[}]", "unbalanced", 2],
    ['[{"a":1} {"a":2}]', "missing-comma", 9],
    ["[1 2]", "missing-comma", 3],
    ['["a""b"]', "missing-comma", 4],
    ["[1,]", "unexpected-byte", 3],
    ["[,1]", "unexpected-byte", 1],
    ["[1,,2]", "unexpected-byte", 3],
    ["[1:2]", "unexpected-byte", 2],
    ["[nul]", "unexpected-byte", 1],
    ["[01]", "unexpected-byte", 1],
    ["[1.]", "unexpected-byte", 1],
    ["[x]", "unexpected-byte", 1],
    ["[1]]", "trailing-data", 3],
    ['[1]\n{"a":1}', "trailing-data", 4]
  ])("rejects %j as %s at byte %i", (text, reason, offset) => {
    expect(failure(text)).toEqual([reason, offset])
  })

  it("names the fault, the byte and the action in its message", () => {
    const cut = RawArray.cut(bytesOf('[{"a":1},{"a'))
    expect(Result.isFailure(cut) && cut.failure.message).toBe(
      "The JSON array is refused at byte 12: the body ends inside the element that starts at byte 9. Request the body again"
    )
  })

  it("follows nesting of any depth", () => {
    const depth = 100_000
    const nested = "[".repeat(depth) + "]".repeat(depth)
    expect(texts(bytesOf(`[${nested}]`))).toEqual([nested])
    const objects = `[${'{"a":'.repeat(1000)}1${"}".repeat(1000)}]`
    expect(texts(bytesOf(`[${objects}]`))).toEqual([objects])
  })

  it("agrees with JSON.parse on any array, formatted or not", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, "\t", "\r\n"), (values, indent) => {
        const text = JSON.stringify(values, null, indent)
        expect(texts(bytesOf(text)).map((element) => JSON.parse(element))).toEqual(JSON.parse(text))
      })
    )
  })

  it("loses no byte of a damaged array without an error", () => {
    const damage = fc.record({ at: fc.nat(), by: fc.constantFrom(...'[]{},:"\\ 1') })
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), damage, (values, { at, by }) => {
        const text = JSON.stringify(values)
        const damaged = text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1)
        const cut = RawArray.cut(bytesOf(damaged))
        if (Result.isFailure(cut)) {
          expect(() => JSON.parse(damaged)).toThrow()
          return
        }
        // The brackets match, so the joined elements are the array, valid or not.
        const joined = `[${cut.success.map(RawRecord.toText).join(",")}]`
        const parse = (json: string): unknown =>
          Result.getOrUndefined(Result.try(() => JSON.parse(json) as unknown))
        expect(parse(joined)).toEqual(parse(damaged))
      }),
      { numRuns: 500 }
    )
  })

  it.skipIf(!existsSync(REAL))(
    "splits a recorded response into its records (skipped without ../shared/real)",
    () => {
      const body = new Uint8Array(readFileSync(REAL))
      const records = Result.getOrThrow(RawArray.cut(body))
      const parsed = JSON.parse(new TextDecoder().decode(body)) as Array<Record<string, unknown>>
      expect(records.length).toBe(163)
      expect(records.map((record) => Result.getOrThrow(RawRecord.parse(record)))).toEqual(parsed)
      expect(records.map((record) => RawRecord.value(record, "dtxsid"))).toEqual(
        parsed.map((record) => record["dtxsid"])
      )
      expect(records.map((record) => JSON.parse(new TextDecoder().decode(RawRecord.toLine(record))))).toEqual(
        parsed
      )
    }
  )
})

describe("RawArray.cutLines", () => {
  const shape = RawShape.make({ key: "id" })

  it("turns the array into lines in place, without copying", () => {
    const body = bytesOf('[{"id":1},{"id":"b"},[2]]')
    const readings = Result.getOrThrow(RawArray.cutLines(body, shape))
    expect(readings.map(({ key }) => key)).toEqual([1, "b", undefined])
    const lines = Ndjson.lines(readings)
    expect(new TextDecoder().decode(lines)).toBe('{"id":1}\n{"id":"b"}\n[2]\n')
    expect(lines.buffer).toBe(body.buffer)
  })

  it("leaves the bytes unchanged when they are not an array", () => {
    const body = bytesOf('[{"id":1},{"id":2}')
    expect(Result.isFailure(RawArray.cutLines(body, shape))).toBe(true)
    expect(body).toEqual(bytesOf('[{"id":1},{"id":2}'))
  })

  it("returns the same elements as cutWith, and the same lines for any selection in any order", () => {
    const space = fc.constantFrom(undefined, 1, "\t", "\r\n")
    const picks = fc.array(fc.nat())
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), space, picks, (values, indent, picked) => {
        const text = JSON.stringify(values, null, indent)
        const kept = Result.getOrThrow(RawArray.cutWith(bytesOf(text), shape))
        const own = Result.getOrThrow(RawArray.cutLines(bytesOf(text), shape))
        expect(own.map((record) => [RawRecord.toText(record), record.key, record.drift])).toEqual(
          kept.map((record) => [RawRecord.toText(record), record.key, record.drift])
        )
        const some = <A>(records: ReadonlyArray<A>): ReadonlyArray<A> =>
          records.length === 0 ? [] : picked.map((n) => records[n % records.length] as A)
        const expected = (records: ReadonlyArray<RawRecord.RawRecord>): string =>
          records.map((record) => `${new TextDecoder().decode(RawRecord.toLine(record))}\n`).join("")
        for (const [mine, theirs] of [
          [own, kept],
          [some(own), some(kept)]
        ] as const) {
          expect(new TextDecoder().decode(Ndjson.lines(mine))).toBe(expected(theirs))
          expect(new TextDecoder().decode(Ndjson.lines(theirs))).toBe(expected(theirs))
        }
      })
    )
  })
})

describe("RawArray.decode", () => {
  it("emits the same elements at every chunk boundary", () => {
    const { items, error } = sameAtEveryCut(bytesOf(DOCUMENT), RawArray.decode(), RawRecord.toText)
    expect(error).toBeUndefined()
    expect(items).toEqual(texts(bytesOf(DOCUMENT)))
  })

  it("follows a long string with quotes and backslashes across any chunks", () => {
    const long = JSON.stringify([`${'\\"x'.repeat(40)}\\`, { tsv: "0\t".repeat(50) }, '\\\\"'.repeat(9)])
    expect(sameAtEveryCut(bytesOf(long), RawArray.decode(), RawRecord.toText).items).toEqual(
      texts(bytesOf(long))
    )
  })

  it.each([
    '[{"a":1},2,"x" 3]',
    '[{"é":"𝄞"},{"a":[}]}]',
    '[{"a":1},{"b',
    "[1,2,nope,4]",
    "[1,2]x",
    "\ufeff{}",
    '["\\',
    "[1,]"
  ])("emits the same elements and the same error at every chunk boundary: %j", (text) => {
    const { error } = sameAtEveryCut(bytesOf(text), RawArray.decode(), RawRecord.toText)
    expect(error).toMatchObject({ _tag: "RawJsonError" })
  })

  it("accepts an element of exactly maxElementBytes and rejects a longer one, at every chunk boundary", () => {
    const body = bytesOf('[12345,"123",{"a":1},"1234567",1]')
    const decode = (max: number) =>
      sameAtEveryCut(body, RawArray.decode({ maxElementBytes: max }), RawRecord.toText)
    expect(decode(9)).toEqual({ items: ["12345", '"123"', '{"a":1}', '"1234567"', "1"], error: undefined })
    const { items, error } = decode(8)
    expect(items).toEqual(["12345", '"123"', '{"a":1}'])
    expect(error).toMatchObject({ reason: "too-large", offset: 21 })
  })

  it("reports an element as too large before it reports it as unbalanced, at every chunk boundary", () => {
    const { error } = sameAtEveryCut(
      bytesOf("[[1111111}]"),
      RawArray.decode({ maxElementBytes: 4 }),
      RawRecord.toText
    )
    expect(error).toMatchObject({ reason: "too-large", offset: 1 })
  })

  it("bounds elements, not the white space between them, and accepts a number of exactly the bound", () => {
    const decode = (text: string) =>
      sameAtEveryCut(bytesOf(text), RawArray.decode({ maxElementBytes: 4 }), RawRecord.toText)
    expect(decode("[1234 , 1234]")).toEqual({ items: ["1234", "1234"], error: undefined })
    expect(decode("[1          x]").error).toMatchObject({ reason: "unexpected-byte", offset: 12 })
  })

  it("says where the fault of an element is, also with a shape and after a part of a byte-order mark", () => {
    const decode = RawArray.decodeWith(RawShape.make({ key: "a" }))
    const { error, items } = sameAtEveryCut(bytesOf('[{"a":1}, {"a":2,}]'), decode, ({ key }) => key)
    expect(items).toEqual([1])
    expect(error).toMatchObject({ reason: "unexpected-byte", offset: 17 })
    const partial = Uint8Array.of(0xef, 0xbb, ...bytesOf("[1]"))
    expect(sameAtEveryCut(partial, RawArray.decode(), String).error).toMatchObject({
      reason: "not-an-array",
      offset: 2
    })
  })

  it("rejects an endless element at the bound", () => {
    let sent = 0
    const endless = Stream.fromEffectRepeat(
      Effect.sync(() => {
        sent++
        return bytesOf(sent === 1 ? '["' : "x".repeat(1000))
      })
    )
    const { error } = outcome(endless.pipe(RawArray.decode({ maxElementBytes: 10_000 })))
    expect(error).toMatchObject({ reason: "too-large", offset: 1 })
    expect(sent).toBe(11)
  })

  it("passes on a failure of its input, after the complete elements", () => {
    const input = Stream.concat(Stream.make(bytesOf("[1,2,3")), Stream.fail("gone" as const))
    const { items, error } = outcome(input.pipe(RawArray.decode()))
    expect(items.map(RawRecord.toText)).toEqual(["1", "2"])
    expect(error).toBe("gone")
  })

  it("can be run twice", () => {
    const stream = Stream.make(bytesOf("[1,"), bytesOf("2]")).pipe(RawArray.decode())
    expect(outcome(stream).items.map(RawRecord.toText)).toEqual(["1", "2"])
    expect(outcome(stream).items.map(RawRecord.toText)).toEqual(["1", "2"])
  })

  it("rejects an invalid bound", () => {
    expect(() => RawArray.decode({ maxElementBytes: 0 })).toThrow(RangeError)
    expect(() => RawArray.decode({ maxElementBytes: Number.NaN })).toThrow(RangeError)
  })
})
