import { RawRecord, Transform } from "@chemstream/ndjson"
import { type Array as Arr, Effect, type FileSystem, Stream } from "effect"
import { describe, expect, expectTypeOf, it } from "vitest"

interface Hit {
  readonly id: string
  readonly mass: number | null
  readonly name?: string
  readonly assays: ReadonlyArray<{ readonly aeid: number }>
}

const hits = Stream.make<ReadonlyArray<Hit>>({ id: "a", mass: 1, assays: [] })
const raws = Stream.make(RawRecord.fromText('{"id":1}'))

type Of<S> = S extends Stream.Stream<infer A, infer _E, infer _R> ? A : never
type ErrorOf<S> = S extends Stream.Stream<infer _A, infer E, infer _R> ? E : never

// The types are what is tested: the compiler checks this file with the package.
describe("the types of the transforms", () => {
  it("follow the fields of an object", () => {
    const picked = hits.pipe(Transform.pick("id", "name"))
    expectTypeOf<Of<typeof picked>>().toEqualTypeOf<{ readonly id: string; readonly name?: string }>()
    expectTypeOf<ErrorOf<typeof picked>>().toEqualTypeOf<never>()

    const omitted = hits.pipe(Transform.omit("assays", "name"))
    expectTypeOf<Of<typeof omitted>>().toEqualTypeOf<{ readonly id: string; readonly mass: number | null }>()

    const renamed = hits.pipe(Transform.pick("id", "name"), Transform.rename({ name: "label" }))
    expectTypeOf<Of<typeof renamed>>().toEqualTypeOf<{ readonly id: string; readonly label?: string }>()

    const derived = hits.pipe(
      Transform.pick("id", "mass"),
      Transform.derive({ mass: (hit) => String(hit.mass), long: (hit) => hit.id.length > 1 })
    )
    expectTypeOf<Of<typeof derived>>().toEqualTypeOf<{
      readonly id: string
      mass: string
      long: boolean
    }>()

    const exploded = hits.pipe(Transform.pick("id", "assays"), Transform.explode("assays", { empty: "null" }))
    expectTypeOf<Of<typeof exploded>>().toEqualTypeOf<{
      readonly id: string
      readonly assays: { readonly aeid: number } | null
    }>()
    expect(Stream.isStream(exploded)).toBe(true)
  })

  it("follow paths into nested objects and back", () => {
    interface Nested {
      id: string
      mass: { mono: number; average?: number }
      source: { name: string } | null
      tags: ReadonlyArray<string>
    }
    interface Columns {
      id: number
      "a/b": string
      "a/c/d": boolean
    }
    const nested = Stream.fromIterable<Nested>([])
    const flat = nested.pipe(Transform.flatten())
    expectTypeOf<Of<typeof flat>>().toEqualTypeOf<{
      id: string
      "mass.mono": number
      "mass.average"?: number
      source?: null
      "source.name"?: string
      tags: ReadonlyArray<string>
    }>()
    const back = Stream.fromIterable<Columns>([]).pipe(Transform.unflatten({ separator: "/" }))
    expectTypeOf<Of<typeof back>>().toEqualTypeOf<{ id: number; a: { b: string; c: { d: boolean } } }>()
    const escaped = Stream.fromIterable<{ "a.b": { "c\\": number } }>([]).pipe(Transform.flatten())
    expectTypeOf<Of<typeof escaped>>().toEqualTypeOf<{ "a\\.b.c\\\\": number }>()
    const unescaped = escaped.pipe(Transform.unflatten())
    expectTypeOf<Of<typeof unescaped>>().toEqualTypeOf<Record<string, unknown>>()
    expect(Stream.isStream(flat)).toBe(true)
  })

  it("keep a raw record raw, and say that it can be refused", () => {
    const picked = raws.pipe(
      Transform.filter("mass", (mass) => mass !== null),
      Transform.pick("any", "name"),
      Transform.omit("any"),
      Transform.rename({ name: "label" })
    )
    expectTypeOf<Of<typeof picked>>().toEqualTypeOf<RawRecord.RawRecord>()
    expectTypeOf<ErrorOf<typeof picked>>().toEqualTypeOf<Transform.TransformError>()
    expect(Stream.isStream(picked)).toBe(true)
  })

  it("narrow by a refinement, and give a field's value its type", () => {
    const some = hits.pipe(
      Transform.filter((hit): hit is Hit & { readonly mass: number } => hit.mass !== null)
    )
    expectTypeOf<Of<typeof some>["mass"]>().toEqualTypeOf<number>()
    const heavy = hits.pipe(
      Transform.filter("mass", (mass) => {
        expectTypeOf(mass).toEqualTypeOf<number | null>()
        return mass !== null
      })
    )
    expectTypeOf<Of<typeof heavy>>().toEqualTypeOf<Hit>()
    expect(Stream.isStream(some)).toBe(true)
  })

  it("carry the failures and needs of what is joined, and the need for files of a sort", () => {
    const rows: ReadonlyArray<{ readonly key: string; readonly text: string }> = []
    const table = Stream.fromIterable(rows).pipe(Stream.concat(Stream.fail("no table" as const)))
    const inner = hits.pipe(
      Transform.joinBy({
        table,
        on: "id",
        tableOn: "key",
        kind: "inner",
        combine: (hit, row) => [hit.id, row.text] as const
      })
    )
    expectTypeOf<Of<typeof inner>>().toEqualTypeOf<readonly [string, string]>()
    expectTypeOf<ErrorOf<typeof inner>>().toEqualTypeOf<"no table" | Transform.TransformError>()
    const left = hits.pipe(
      Transform.joinBy({ table, on: "id", tableOn: "key", kind: "left", combine: (_, row) => row?.text })
    )
    expectTypeOf<Of<typeof left>>().toEqualTypeOf<string | undefined>()

    const sorted = hits.pipe(
      Transform.sortBy(["id", { by: (hit) => hit.assays.length, direction: "descending" }])
    )
    expectTypeOf(sorted).toEqualTypeOf<Stream.Stream<Hit, Transform.TransformError, FileSystem.FileSystem>>()
    const groups = hits.pipe(Transform.dedupeBy("id"), Transform.groupConsecutive(["id", "name"]))
    expectTypeOf<Of<typeof groups>>().toEqualTypeOf<Arr.NonEmptyReadonlyArray<Hit>>()
    const stats = hits.pipe(
      Transform.sample({ fraction: 0.5, seed: 1 }),
      Transform.head(3),
      Transform.stats()
    )
    expectTypeOf(stats).toEqualTypeOf<Effect.Effect<Transform.Stats, Transform.TransformError>>()
    expect(Effect.isEffect(stats)).toBe(true)
  })

  it("refuse a field that is not there, and new values for a raw record", () => {
    const refused = [
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.pick("id", "casrn")),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.omit("casrn")),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.rename({ casrn: "cas" })),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.filter("casrn", () => true)),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.dedupeBy("casrn")),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.sortBy([{ by: "casrn" }])),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.groupConsecutive("casrn")),
      // @ts-expect-error: a raw record is not flattened
      () => raws.pipe(Transform.flatten()),
      // @ts-expect-error: a raw record has no computed fields
      () => raws.pipe(Transform.derive({ a: () => 1 })),
      // @ts-expect-error: decoded values are not yet records
      () => Stream.make(1 as unknown).pipe(Transform.pick("id"))
    ]
    expect(refused).toHaveLength(10)
  })
})
