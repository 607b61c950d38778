import { RawRecord, Transform } from "@chemstream/ndjson"
import { Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countReads } from "../chunks.ts"
import { all, anyRecord, cuts, failure, raws, streamOf } from "./records.ts"

const flat = (...texts: ReadonlyArray<string>) =>
  all(streamOf(raws(texts)).pipe(Transform.flat(), Stream.map(String)))

const leaves = (value: unknown): number =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.values(value).reduce<number>((sum, one) => sum + leaves(one), 0)
    : 1

describe("Transform.flat", () => {
  it("keeps every value, or refuses the record because two would have one name", () => {
    fc.assert(
      fc.property(anyRecord, cuts, (record, cut) => {
        const [made] = all(
          streamOf([record], cut).pipe(
            Transform.flat(),
            Stream.catch((error) => Stream.succeed(error))
          )
        )
        if ((made as { _tag?: unknown })._tag === "TransformError") {
          expect(made).toMatchObject({ reason: "field-taken", transform: "flat", index: 0 })
          return
        }
        expect(Object.keys(made as object).length).toBe(Object.keys(record).length === 0 ? 0 : leaves(record))
        expect(all(Stream.make(made as object).pipe(Transform.flat()))).toEqual([made])
        const same = JSON.parse(JSON.stringify(made))
        expect(flat(JSON.stringify(record)).map((text) => JSON.parse(text))).toEqual([same])
      })
    )
  })

  it("keeps the text of values and the order of fields", () => {
    expect(flat('{"id":1.0,"p":{"q":{"r":3850.0},"s":[{"t":1}]},"z":{}}', '{ "a" : 1 }')).toEqual([
      '{"id":1.0,"p.q.r":3850.0,"p.s":[{"t":1}],"z":{}}',
      '{ "a" : 1 }'
    ])
  })

  it("takes the last of duplicate keys", () => {
    expect(flat('{"p":{"q":1,"q":2}}')).toEqual(['{"p.q":2}'])
  })

  it("flattens raw values in objects, and keeps empty ones", () => {
    const record = { p: RawRecord.fromText('{"q":1.0,"r":{"s":{}}}'), t: RawRecord.fromText("{}") }
    const [made] = all(Stream.make(record).pipe(Transform.flat())) as ReadonlyArray<Record<string, unknown>>
    expect(Object.entries(made ?? {}).map(([name, value]) => [name, String(value)])).toEqual([
      ["p.q", "1.0"],
      ["p.r.s", "{}"],
      ["t", "{}"]
    ])
  })

  it.each([
    '["p":{"q":1}}',
    '{"p":{"q":1}',
    '{"p":{"q" 1}}',
    '{"p":{"q";1}}',
    '{"p";{"q":1}}',
    '{"p":{"q":1,}}',
    '{"p":{"q":1;"r":2}}',
    '{"p":{"q":1}"r":2}',
    '{"p":{,"q":1}}',
    '{"p":{q":1}}',
    '{"p":{"q:1}}',
    '{"p":{"q":1}]',
    '{"p":{"q":[1}}',
    '{"p":{"q":1}}x',
    '{"p":{"q":}}',
    "{}x",
    "{} {}"
  ])("refuses malformed text: %s", (text) => {
    const { error } = failure(streamOf(raws([text])).pipe(Transform.flat()))
    expect(error).toMatchObject({ reason: "malformed", transform: "flat", index: 0 })
  })

  it("reads no byte beyond the end of a record, and allows white space around all of its parts", () => {
    const text = ' { "p" : { "q" : 1 , "r" : { } , "s" : [ 2 ] } } '
    const bytes = new TextEncoder().encode(`${text}}`)
    for (let end = 0; end < text.length - 1; end++) {
      const { error } = failure(Stream.make(RawRecord.make(bytes, 0, end)).pipe(Transform.flat()))
      expect(error).toMatchObject({ reason: "malformed", cause: { reason: "truncated", offset: end } })
    }
    expect(flat(text)).toEqual(['{"p.q":1,"p.r":{ },"p.s":[ 2 ]}'])
    expect(flat(" { } ", ' {"a":1} ')).toEqual([" { } ", ' {"a":1} '])
  })

  it("reads each byte once, however deep the objects are", () => {
    const readsAt = (depth: number): number => {
      const text = new TextEncoder().encode(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)
      const { bytes, reads } = countReads(text)
      all(streamOf([RawRecord.make(bytes, 0, text.length)]).pipe(Transform.flat()))
      return reads()
    }
    const once = readsAt(200)
    expect(once).toBeGreaterThan(200)
    expect(readsAt(400) / once).toBeLessThan(2.5)
  })

  it("refuses two values for one name, and text that is not an object", () => {
    const { error } = failure(streamOf(raws(['{"p.q":1,"p":{"q":2}}'])).pipe(Transform.flat()))
    expect(error).toMatchObject({ reason: "field-taken", field: "p.q" })
    const two = '{"a.b":1,"a":{"b":2},"c.d":1,"c":{"d":2}}'
    expect(failure(streamOf(raws([two])).pipe(Transform.flat())).error).toMatchObject({ field: "a.b" })
    const { error: other } = failure(streamOf(raws(["[1]"])).pipe(Transform.flat()))
    expect(other).toMatchObject({ reason: "malformed", index: 0 })
  })

  it("flattens objects of any depth", () => {
    const depth = 500
    const [text = ""] = flat(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)
    expect(JSON.parse(text)).toEqual({ [Array(depth).fill("a").join(".")]: 1 })
  })
})
