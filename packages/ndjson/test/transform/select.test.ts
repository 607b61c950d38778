import { Ndjson, RawRecord, Transform } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { all, anyText, cuts, failure, raws, streamOf } from "./records.ts"

describe("Transform.records", () => {
  it("passes on objects, and refuses any other value by its place", () => {
    const values = Stream.make('{"a":1}\n{}\n"x"\n').pipe(Stream.encodeText, Ndjson.decode())
    const { items, error } = failure(values.pipe(Transform.records()))
    expect(items).toEqual([{ a: 1 }, {}])
    expect(error).toMatchObject({ reason: "not-an-object", transform: "records", index: 2 })
  })

  it.each([[[]], [null], [1], [true], [RawRecord.fromText("{}")]])("refuses %j", (value) => {
    expect(failure(Stream.make<ReadonlyArray<unknown>>(value).pipe(Transform.records())).error).toMatchObject(
      {
        reason: "not-an-object"
      }
    )
  })
})

describe("Transform.filter", () => {
  it("keeps the same records by a field of objects and of raw records, the text as it was", () => {
    fc.assert(
      fc.property(fc.array(anyText), cuts, (texts, cut) => {
        const isScalar = (value: unknown): boolean =>
          value !== undefined && (typeof value !== "object" || value === null)
        const expected = texts.filter((text) => {
          const record = JSON.parse(text)
          return Object.hasOwn(record, "a") && isScalar(record.a)
        })
        const values = texts.map((text) => JSON.parse(text) as Record<string, unknown>)
        expect(all(streamOf(values, cut).pipe(Transform.filter("a", isScalar)))).toEqual(
          expected.map((text) => JSON.parse(text))
        )
        expect(
          all(streamOf(raws(texts), cut).pipe(Transform.filter("a", isScalar), Stream.map(String)))
        ).toEqual(expected)
      })
    )
  })

  it("does not see what an object inherits", () => {
    const records: ReadonlyArray<Record<string, unknown>> = [{}, { toString: 1 }]
    expect(all(streamOf(records).pipe(Transform.filter("toString", (value) => value !== undefined)))).toEqual(
      [{ toString: 1 }]
    )
  })

  it("looks at the structure of the other fields only", () => {
    const texts = ['{"b":tru}', '{"a":1,"b":[01]}']
    const kept = streamOf(raws(texts)).pipe(
      Transform.filter("a", (value) => value !== 2),
      Stream.map(String)
    )
    expect(all(kept)).toEqual(texts)
  })

  it.each(['{"a":', '{"a":tru}', "[]"])(
    "refuses %s instead of taking it for a record without the field",
    (text) => {
      const { items, error } = failure(streamOf(raws(["{}", text])).pipe(Transform.filter("a", () => true)))
      expect(items.map(String)).toEqual(["{}"])
      expect(error).toMatchObject({ reason: "malformed", transform: "filter", index: 1 })
    }
  )
})

describe("Transform.head and Transform.skip", () => {
  it("give all records between them", () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat({ max: 12 }), cuts, (items, count, cut) => {
        const head = all(streamOf(items, cut).pipe(Transform.head(count)))
        const rest = all(streamOf(items, cut).pipe(Transform.skip(count)))
        expect(head).toHaveLength(Math.min(count, items.length))
        expect([...head, ...rest]).toEqual(items)
      })
    )
  })

  it("ask for no more than they give", () => {
    let asked = 0
    const endless = Stream.fromEffectRepeat(Effect.sync(() => ++asked))
    expect(all(endless.pipe(Transform.head(3)))).toEqual([1, 2, 3])
    expect(asked).toBe(3)
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("throw on %d", (count) => {
    expect(() => Transform.head(count)).toThrow(RangeError)
    expect(() => Transform.skip(count)).toThrow(RangeError)
  })
})

describe("Transform.sample", () => {
  const numbers = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, i) => i)
  const seed = fc.maxSafeInteger()

  it("gives exactly so many records, or all, in their order, and the same for the same seed in any chunks", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 60 }),
        fc.nat({ max: 20 }),
        seed,
        cuts,
        cuts,
        (size, count, seed, cut, other) => {
          const sample = Transform.sample({ count, seed })
          const some = all(streamOf(numbers(size), cut).pipe(sample))
          expect(some).toHaveLength(Math.min(count, size))
          expect(some).toEqual([...new Set(some)].sort((a, b) => a - b))
          expect(all(streamOf(numbers(size), other).pipe(sample))).toEqual(some)
        }
      )
    )
  })

  it("gives a subsequence by a fraction, the same for the same seed, none for 0 and all for 1", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        seed,
        cuts,
        (size, fraction, seed, cut) => {
          const run = (fraction: number) =>
            all(streamOf(numbers(size), cut).pipe(Transform.sample({ fraction, seed })))
          const some = run(fraction)
          expect(some).toEqual([...new Set(some)].sort((a, b) => a - b))
          expect(all(Stream.fromArray(numbers(size)).pipe(Transform.sample({ fraction, seed })))).toEqual(
            some
          )
          expect(run(0)).toEqual([])
          expect(run(1)).toEqual(numbers(size))
        }
      )
    )
  })

  it("gives every record about the same chance, and other records for other seeds", () => {
    const counts = new Array<number>(4).fill(0)
    const samples = new Set<string>()
    for (let seed = 0; seed < 2000; seed++) {
      const some = all(Stream.fromArray(numbers(4)).pipe(Transform.sample({ count: 2, seed })))
      for (const one of some) counts[one] = (counts[one] as number) + 1
      samples.add(all(Stream.fromArray(numbers(20)).pipe(Transform.sample({ count: 5, seed }))).join())
    }
    // 1000 expected each, with a standard deviation of 22: six of them on either side.
    expect(Math.min(...counts)).toBeGreaterThan(866)
    expect(Math.max(...counts)).toBeLessThan(1134)
    // Of 15,504 samples, 2000 drawn: about 1877 different ones.
    expect(samples.size).toBeGreaterThan(1800)
    const tenth = all(Stream.fromArray(numbers(10_000)).pipe(Transform.sample({ fraction: 0.1, seed: 1 })))
    expect(Math.abs(tenth.length - 1000)).toBeLessThan(180)
  })

  it("keeps the text of raw records, and not the chunks they came in", () => {
    const bytes = new TextEncoder().encode(`{"a":1.0}${" ".repeat(1000)}`)
    const [kept] = all(Stream.make(RawRecord.make(bytes, 0, 9)).pipe(Transform.sample({ count: 1, seed: 1 })))
    expect(String(kept)).toBe('{"a":1.0}')
    expect(kept?.bytes.buffer.byteLength).toBe(9)
  })

  it.each([
    { fraction: 1.1, seed: 1 },
    { fraction: Number.NaN, seed: 1 },
    { count: -1, seed: 1 },
    { count: 1, seed: 0.5 }
  ])("throws on %j", (options) => {
    expect(() => Transform.sample(options)).toThrow(RangeError)
  })
})
