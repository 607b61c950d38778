import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const { fromText, toText } = RawRecord

const textOf = (result: Result.Result<RawRecord.RawRecord, unknown>): string =>
  toText(Result.getOrThrow(result))

// Objects with repeated, escaped and empty keys and white space, as text.
const key = fc.constantFrom(
  '"a"',
  '"\\u0061"',
  '"ab"',
  '"\\"q"',
  '"µ"',
  '"\\u00b5"',
  '""',
  '"zz"',
  '"__proto__"'
)
const scalar = fc.constantFrom(
  "1.10",
  "-0.0",
  '"x\\n{"',
  "null",
  "true",
  "[1, {}]",
  '{"a" : 2}',
  `"${"y".repeat(60)}"`
)
const space = fc.constantFrom("", " ", "\t ")
const objectText = fc
  .array(fc.tuple(space, key, space, scalar), { maxLength: 8 })
  .map((fields) => `{${fields.map(([a, k, b, v]) => `${a}${k}${b}:${v}${a}`).join(",")}}`)
/** Returns a record in the middle of a chunk. */
const inChunk = (text: string): RawRecord.RawRecord => {
  const { bytes } = fromText(`${"x".repeat(1000)}${text}x`)
  return RawRecord.make(bytes, 1000, bytes.length - 1)
}
/** The number of bytes that a record holds beside its text. */
const surplus = ({ bytes, end, start }: RawRecord.RawRecord): number => bytes.length - (end - start)
const names = fc.array(fc.constantFrom<Array<string>>("a", "ab", '"q', "µ", "", "zz", "no", "__proto__"), {
  maxLength: 8
})

describe("RawProjection.picker", () => {
  it("returns the same as RawRecord.pick, for any object, fields and option", () => {
    fc.assert(
      fc.property(objectText, names, fc.constantFrom("omit", "null"), (text, fields, missing) => {
        const options = { missing } as const
        const picked = RawProjection.picker(fields, options)(inChunk(text))
        expect(textOf(picked)).toBe(textOf(RawRecord.pick(fromText(text), fields, options)))
        expect(surplus(Result.getOrThrow(picked))).toBeLessThanOrEqual(1)
      })
    )
  })

  it("distinguishes any names, also of equal length and with equal letters", () => {
    const name = fc.string({
      unit: fc.constantFrom("d", "t", "x", "s", "c", "i"),
      minLength: 1,
      maxLength: 6
    })
    const distinct = fc.uniqueArray(fc.oneof(name, fc.constantFrom("dtxsid", "dtxcid")), {
      minLength: 1,
      maxLength: 12
    })
    fc.assert(
      fc.property(distinct, fc.array(fc.nat(11), { maxLength: 12 }), (names, places) => {
        const record = Object.fromEntries(names.map((field, at) => [field, at]))
        const chosen = places.flatMap((place) => names[place] ?? [])
        const pick = RawProjection.picker(chosen, { missing: "null" })
        const expected = Object.fromEntries(chosen.map((field) => [field, record[field]]))
        expect(JSON.parse(textOf(pick(fromText(JSON.stringify(record)))))).toEqual(expected)
      })
    )
  })

  it("keeps no state between records", () => {
    const pick = RawProjection.picker(["a", "b"], { missing: "omit" })
    expect(['{"a":1}', '{"b":2}', "{}"].map((text) => textOf(pick(fromText(text))))).toEqual([
      '{"a":1}',
      '{"b":2}',
      "{}"
    ])
  })
})

describe("RawProjection.reader", () => {
  it("returns the values of RawRecord.pick in the order of the fields, for any object", () => {
    fc.assert(
      fc.property(objectText, names, (text, fields) => {
        const values = Result.getOrThrow(RawProjection.reader(fields)(fromText(text)))
        expect(values.map((value) => value && toText(value))).toEqual(
          fields.map((field) => {
            const picked = RawRecord.pick(fromText(text), [field], { missing: "omit" })
            const [entry] = Result.getOrThrow(RawRecord.entries(Result.getOrThrow(picked)))
            return entry && toText(entry.value)
          })
        )
      })
    )
  })
})

describe("RawProjection.index", () => {
  it("returns a record for which every prepared function returns the same", () => {
    fc.assert(
      fc.property(objectText, names, (text, fields) => {
        const record = fromText(text)
        const indexed = Result.getOrThrow(RawProjection.index(record))
        expect(toText(indexed)).toBe(text)
        const picker = RawProjection.picker(fields, { missing: "null" })
        expect(textOf(picker(indexed))).toBe(textOf(picker(record)))
        const read = RawProjection.reader(fields)
        expect(read(indexed)).toEqual(read(record))
        const split = RawProjection.splitter(fields)
        expect(split(indexed)).toEqual(split(record))
      })
    )
  })
})

describe("RawProjection.splitter", () => {
  it("copies neighbours only if both are of one half", () => {
    const { named, rest } = Result.getOrThrow(
      RawProjection.splitter(["a", "c", "d"])(fromText('{"a":1,"b":2,"c":3,"d":4,"e":5}'))
    )
    expect([named, rest].map(toText)).toEqual(['{"a":1,"c":3,"d":4}', '{"b":2,"e":5}'])
  })

  it("returns the given fields in the order of the text, and the rest as RawRecord.omit does", () => {
    fc.assert(
      fc.property(objectText, names, (text, fields) => {
        const { named, rest } = Result.getOrThrow(RawProjection.splitter(fields)(inChunk(text)))
        expect([surplus(named), surplus(rest)]).toEqual([0, 0])
        const omitted = Result.getOrThrow(RawRecord.omit(fromText(text), fields))
        expect(toText(rest)).toBe(toText(omitted))
        const all = Result.getOrThrow(RawRecord.entries(fromText(text)))
        expect(Result.getOrThrow(RawRecord.entries(named)).map((entry) => toText(entry.value))).toEqual(
          all.filter((entry) => fields.includes(entry.key)).map((entry) => toText(entry.value))
        )
      })
    )
  })

  it.each([
    ['{"a":1,"b":2,"c":3}', '{"a":1,"b":2}', '{"c":3}'],
    ['{"c":3,"a":1,"d":4,"b":2}', '{"a":1,"b":2}', '{"c":3,"d":4}'],
    ['{"c":3,"d":4,"e":5,"a":1, "b" : 2}', '{"a":1,"b":2}', '{"c":3,"d":4,"e":5}'],
    ['{"a":1}', '{"a":1}', "{}"]
  ])("divides neighbouring and separate fields of %s", (text, named, rest) => {
    const parts = Result.getOrThrow(RawProjection.splitter(["a", "b"])(fromText(text)))
    expect([toText(parts.named), toText(parts.rest)]).toEqual([named, rest])
  })
})

describe("a record that is not an object", () => {
  it.each(["[]", "1", '{"a":', ""])("%s is rejected by each function as by RawRecord.pick", (text) => {
    const options = { missing: "null" } as const
    const expected = RawRecord.pick(fromText(text), ["a"], options)
    expect(RawProjection.picker(["a"], options)(fromText(text))).toEqual(expected)
    expect(RawProjection.splitter(["a"])(fromText(text))).toEqual(expected)
    expect(RawProjection.reader(["a"])(fromText(text))).toEqual(expected)
    expect(RawProjection.index(fromText(text))).toEqual(expected)
  })
})
