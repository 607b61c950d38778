import { RawRecord, Transform } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyText, cuts, raws, streamOf } from "./records.ts"

const kinds = ["string", "number", "boolean", "array", "object"] as const
const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const byCodePoint = (a: string, b: string): number => {
  const [x, y] = [a, b].map((text) => Array.from(text, (one) => one.codePointAt(0) as number)) as [
    number[],
    number[]
  ]
  for (let i = 0; i < Math.min(x.length, y.length); i++)
    if (x[i] !== y[i]) return (x[i] as number) - (y[i] as number)
  return x.length - y.length
}

/** The same, one field and one value at a time. */
const reference = (records: ReadonlyArray<Record<string, unknown>>) =>
  new Map(
    records.flatMap(Object.keys).map((field) => {
      const values = records.filter((record) => Object.hasOwn(record, field)).map((record) => record[field])
      const numbers = values.filter((value) => typeof value === "number")
      const strings = values.filter((value) => typeof value === "string").sort(byCodePoint)
      return [
        field,
        {
          field,
          present: values.length,
          absent: records.length - values.length,
          nulls: values.filter((value) => value === null).length,
          kinds: Object.fromEntries(
            kinds.map((kind) => [kind, values.filter((value) => kindOf(value) === kind).length])
          ),
          // Math.min tells -0 from 0, the order of numbers does not.
          numbers:
            numbers.length === 0
              ? undefined
              : { min: Math.min(...numbers) + 0, max: Math.max(...numbers) + 0 },
          strings: strings.length === 0 ? undefined : { min: strings[0], max: strings[strings.length - 1] }
        }
      ] as const
    })
  )

const plain = (stats: Transform.Stats) =>
  new Map(
    stats.fields.map((one) => [
      one.field,
      {
        ...one,
        numbers:
          one.numbers === undefined ? undefined : { min: one.numbers.min + 0, max: one.numbers.max + 0 }
      }
    ])
  )

describe("Transform.stats", () => {
  it("counts what a simple reference counts, the same for objects and raw records", () => {
    fc.assert(
      fc.property(fc.array(anyText), cuts, (texts, cut) => {
        const records = texts.map((text) => JSON.parse(text) as Record<string, unknown>)
        const expected = reference(records)
        const ofValues = Effect.runSync(streamOf(records, cut).pipe(Transform.stats()))
        const ofRaw = Effect.runSync(streamOf(raws(texts), cut).pipe(Transform.stats()))
        expect(ofValues.records).toBe(texts.length)
        expect(ofRaw.records).toBe(texts.length)
        expect(plain(ofValues)).toEqual(expected)
        expect(plain(ofRaw)).toEqual(expected)
      })
    )
  })

  it("gives the fields in the order they were first seen, and starts anew with each run", () => {
    const counted = streamOf<Record<string, unknown>>([{ b: 1 }, { a: 1, b: 2 }]).pipe(Transform.stats())
    for (let run = 0; run < 2; run++) {
      const { records, fields } = Effect.runSync(counted)
      expect([records, fields.map(({ field, present }) => [field, present])]).toEqual([
        2,
        [
          ["b", 2],
          ["a", 1]
        ]
      ])
    }
  })

  it("counts as JSON would have it what JSON has no value for", () => {
    const records: ReadonlyArray<Record<string, unknown>> = [{ a: undefined, b: Number.NaN, c: () => 1 }]
    const { fields } = Effect.runSync(streamOf(records).pipe(Transform.stats()))
    expect(fields.map(({ field, nulls, numbers }) => [field, nulls, numbers])).toEqual([["b", 1, undefined]])
  })

  it("fails on the first field name past maxFields", () => {
    const run = (keys: string) =>
      Effect.runSync(
        streamOf(Array.from(keys, (key) => ({ [key]: 1 }))).pipe(
          Transform.stats({ maxFields: 2 }),
          Effect.result
        )
      )
    expect(run("abab")).toMatchObject({ _tag: "Success", success: { records: 4 } })
    expect(run("abac")).toMatchObject({
      _tag: "Failure",
      failure: { reason: "too-large", transform: "stats", index: 3, field: "c" }
    })
  })

  it.each(['{"a":1', '{"a":01}', "1"])("refuses the raw record %s", (text) => {
    const counted = Stream.make(RawRecord.fromText("{}"), RawRecord.fromText(text)).pipe(Transform.stats())
    expect(Effect.runSync(Effect.flip(counted))).toMatchObject({
      reason: "malformed",
      transform: "stats",
      index: 1
    })
  })
})
