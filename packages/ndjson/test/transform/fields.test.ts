import { RawRecord, Transform } from "@chemstream/ndjson"
import { Result, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyRecord, anyText, cuts, failure, key, raws, streamOf } from "./records.ts"

const names = fc.array(key, { maxLength: 4 })

/** Returns the fields and their texts, in the order of the text. */
const entriesOf = (record: RawRecord.RawRecord): ReadonlyArray<readonly [string, string]> =>
  Result.getOrThrow(RawRecord.entries(record)).map((entry) => [entry.key, RawRecord.toText(entry.value)])

describe("Transform.pick", () => {
  it("keeps the given fields of an object, and changes neither the record nor a prototype", () => {
    fc.assert(
      fc.property(fc.array(anyRecord), names, cuts, (records, fields, cut) => {
        const before = JSON.stringify(records)
        const picked = all(streamOf(records, cut).pipe(Transform.pick(...fields)))
        expect(picked).toHaveLength(records.length)
        for (const [i, record] of records.entries()) {
          const chosen = Object.keys(record).filter((name) => fields.includes(name))
          expect(Object.keys(picked[i] as object).sort()).toEqual(chosen.sort())
          const half = picked[i] as Record<string, unknown>
          expect(Object.getPrototypeOf(half)).toBe(Object.prototype)
          for (const name of Object.keys(half)) expect(half[name]).toBe(record[name])
        }
        expect(JSON.stringify(records)).toBe(before)
        expect(Object.keys(Object.prototype)).toEqual([])
      })
    )
  })

  it("keeps the given fields of a raw record, with the text of each value", () => {
    fc.assert(
      fc.property(fc.array(anyText), names, cuts, (texts, fields, cut) => {
        const picked = all(streamOf(raws(texts), cut).pipe(Transform.pick(...fields)))
        for (const [i, text] of texts.entries()) {
          const entries = entriesOf(RawRecord.fromText(text))
          const last = new Map(entries.filter(([name]) => fields.includes(name)))
          expect(new Map(entriesOf(picked[i] as RawRecord.RawRecord))).toEqual(last)
        }
      })
    )
  })

  it("picks each field once, in the given order", () => {
    const record = { a: 1, b: 2, c: 3 }
    const picked = all(Stream.make(record).pipe(Transform.pick("c", "a", "c")))
    expect(picked.map((one) => Object.keys(one))).toEqual([["c", "a"]])
    const raw = all(
      Stream.make(RawRecord.fromText('{"a":1.0,"b":2,"c":3e0}')).pipe(Transform.pick("c", "a", "c"))
    )
    expect(raw.map(String)).toEqual(['{"c":3e0,"a":1.0}'])
  })

  it.each(["pick", "rename", "derive"] as const)(
    "%s rejects a raw record that is not an object, after the earlier records",
    (name) => {
      const stream = streamOf(raws(['{"b":1}', "[1]"]))
      const transformed = {
        pick: stream.pipe(Transform.pick("b")),
        rename: stream.pipe(Transform.rename({ a: "x" })),
        derive: stream.pipe(Transform.derive({ b: () => 1 }))
      }
      const { items, error } = failure(transformed[name])
      expect(items.map(String)).toEqual(['{"b":1}'])
      expect(error).toMatchObject({ _tag: "TransformError", reason: "malformed", transform: name, index: 1 })
      expect(error.cause).toMatchObject({ _tag: "RawJsonError", reason: "not-an-object", offset: 0 })
    }
  )
})

describe("Transform.rename", () => {
  it("renames fields in place, in objects and in raw records", () => {
    const names = { a: "x", b: "a", "c\n": 'd"' }
    const text = '{"z":[1.0, 2],"a":1.50,"b":null,"c\\n":"\\u0041"}'
    const values = all(
      Stream.fromIterable([JSON.parse(text) as Record<string, unknown>]).pipe(Transform.rename(names))
    )
    expect(values.map((value) => Object.entries(value))).toEqual([
      [
        ["z", [1, 2]],
        ["x", 1.5],
        ["a", null],
        ['d"', "A"]
      ]
    ])
    const raw = all(Stream.make(RawRecord.fromText(text)).pipe(Transform.rename(names)))
    expect(raw.map(String)).toEqual(['{"z":[1.0, 2],"x":1.50,"a":null,"d\\"":"\\u0041"}'])
  })

  it("swaps two names, and treats __proto__ as an ordinary name", () => {
    const records = [JSON.parse('{"a":1,"__proto__":{"polluted":true}}') as Record<string, unknown>]
    const swapped = all(streamOf(records).pipe(Transform.rename({ a: "__proto__", ["__proto__"]: "a" })))
    expect(swapped.map((one) => JSON.stringify(one))).toEqual(['{"__proto__":1,"a":{"polluted":true}}'])
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })

  it("returns the text of the renamed parsed object for any record, unless a name is in use", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.dictionary(key, fc.constantFrom("a", "b", "__proto__", "é"), { maxKeys: 5 }),
        (text, names) => {
          // An integer-like key moves to the front of an object, but stays where it is in a text.
          const same = (record: object) =>
            JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
          const value = Stream.make(JSON.parse(text) as Record<string, unknown>).pipe(Transform.rename(names))
          const raw = Stream.make(RawRecord.fromText(text)).pipe(Transform.rename(names))
          const renamed = Object.keys(JSON.parse(text)).map((name) =>
            Object.hasOwn(names, name) ? names[name] : name
          )
          if (new Set(renamed).size < renamed.length) {
            expect(failure(value).error).toMatchObject({
              reason: "field-taken",
              transform: "rename",
              index: 0
            })
            expect(failure(raw).error).toMatchObject({ reason: "field-taken", transform: "rename", index: 0 })
          } else {
            const [object] = all(value)
            expect(same(JSON.parse(String(all(raw)[0])))).toBe(same(object as object))
          }
        }
      ),
      { numRuns: 500 }
    )
  })
})

it("rename and flat reject a raw record with a key that is not UTF-8", () => {
  const text = RawRecord.fromText('{"p":{"q":1},"é":2}')
  const bytes = Uint8Array.from(text.bytes)
  bytes[bytes.indexOf(0xa9)] = 0x22
  bytes[bytes.indexOf(0xc3) + 2] = 0x20
  const records = Stream.make(RawRecord.fromBytes(bytes))
  for (const transformed of [records.pipe(Transform.rename({ a: "b" })), records.pipe(Transform.flat())]) {
    const { error } = failure<unknown, Transform.TransformError>(transformed)
    expect(error).toMatchObject({
      reason: "malformed",
      index: 0,
      cause: { reason: "invalid-utf8", offset: 14 }
    })
  }
})

describe("Transform.derive", () => {
  it("computes every field from the original record", () => {
    const derived = Stream.make({ a: 1, b: 2 }).pipe(
      Transform.derive({ a: (record) => record.a + 10, sum: (record) => record.a + record.b })
    )
    expect(all(derived)).toEqual([{ a: 11, b: 2, sum: 3 }])
  })

  it("keeps the fields of any record, and sets __proto__ as a field", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const derived = Stream.make(record).pipe(Transform.derive({ ["__proto__"]: () => "own" }))
        const [out] = all(derived)
        const expected = new Map(Object.entries(record)).set("__proto__", "own")
        expect(new Map(Object.entries(out as object))).toEqual(expected)
        expect(Object.getPrototypeOf(out)).toBe(Object.prototype)
      })
    )
  })
})

describe("Transform.derive on raw records", () => {
  const derived = (text: string, fields: Record<string, (record: RawRecord.RawRecord) => unknown>) =>
    String(all(Stream.make(RawRecord.fromText(text)).pipe(Transform.derive(fields)))[0])

  it.each([
    ["{ }", '{"n":1}'],
    ['{"a":1.50}', '{"a":1.50,"n":1}'],
    ['{"n":7, "a" : 1.50 }', '{"n":1,"a" : 1.50}'],
    ['{"a":1.0,"n":7,"b":2.0}', '{"a":1.0,"n":1,"b":2.0}'],
    ['{"n":7,"a":1.0,"\\u006e":8}', '{"n":1,"a":1.0}']
  ])("sets the field of %s in its place or at the end: %s", (text, expected) => {
    expect(derived(text, { n: () => 1 })).toBe(expected)
  })

  it("omits undefined, and writes a view as its text", () => {
    expect(derived('{"a":1,"n":2}', { n: () => undefined, m: () => undefined })).toBe('{"a":1}')
    expect(derived('{"a":[1.50]}', { b: (record) => RawRecord.value(record, "a") })).toBe(
      '{"a":[1.50],"b":[1.50]}'
    )
  })

  it("writes short records to blocks that they share, and a long one to its own, without loss at their ends", () => {
    const lengths = [40_000, 25_508, 65_521, 65_522, 65_523, 200_000, 1, 1]
    const texts = lengths.map((length) => `{"a":"${"x".repeat(length)}"}`)
    const out = all(streamOf(raws(texts)).pipe(Transform.derive({ b: () => 1 })))
    expect(out.map(String)).toEqual(texts.map((text) => `${text.slice(0, -1)},"b":1}`))
    const blocks = new Map(out.map(({ bytes }) => [bytes.buffer, bytes.length]))
    expect([...blocks.values()]).toEqual([65_536, 65_536, 65_536, 65_537, 200_014, 65_536])
  })

  it("rejects a value that JSON cannot encode, after the earlier records", () => {
    const stream = streamOf(raws(['{"a":1}', '{"a":2}'])).pipe(
      Transform.derive({ b: (record) => (RawRecord.value(record, "a") === 2 ? 1n : 0) })
    )
    const { items, error } = failure(stream)
    expect(items.map(String)).toEqual(['{"a":1,"b":0}'])
    expect(error).toMatchObject({ reason: "not-json", transform: "derive", index: 1, field: "b" })
  })

  it("returns the same as for the parsed object, for any record", () => {
    fc.assert(
      fc.property(anyText, names, (text, names) => {
        const fields = Object.fromEntries(names.map((name, i) => [name, () => i]))
        const value = Stream.make(JSON.parse(text) as Record<string, unknown>)
        const [object] = all(value.pipe(Transform.derive(fields)))
        expect(JSON.parse(derived(text, fields))).toEqual(object)
      })
    )
  })
})

it("treats an object with the brand key of raw records as an object", () => {
  const record = JSON.parse('{"~@chemstream/ndjson/RawRecord":1,"id":2}') as Record<string, unknown>
  expect(all(Stream.make(record).pipe(Transform.pick("id")))).toEqual([{ id: 2 }])
})
