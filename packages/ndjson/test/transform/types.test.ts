import { RawRecord, Transform } from "@chemstream/ndjson"
import { type FileSystem, Stream } from "effect"
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

// These are tests of types: the compiler checks this file with the package.
describe("the types of the transforms", () => {
  it("follow the fields of an object", () => {
    const picked = hits.pipe(Transform.pick("id", "name"))
    expectTypeOf<Of<typeof picked>>().toEqualTypeOf<{ readonly id: string; readonly name?: string }>()
    expectTypeOf<ErrorOf<typeof picked>>().toEqualTypeOf<never>()

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

    const unnested = hits.pipe(Transform.pick("id", "assays"), Transform.unnest("assays"))
    expectTypeOf<Of<typeof unnested>>().toEqualTypeOf<{
      readonly id: string
      readonly assays: { readonly aeid: number }
    }>()
    expect(Stream.isStream(unnested)).toBe(true)
  })

  it("follow the fields of a raw record of a known type in the same way", () => {
    const hits = Stream.fromIterable<RawRecord.RawRecord<Hit>>([])
    const picked = hits.pipe(Transform.pick("id", "name"), Transform.rename({ name: "label" }))
    expectTypeOf<Of<typeof picked>>().toEqualTypeOf<
      RawRecord.RawRecord<{ readonly id: string; readonly label?: string }>
    >()
    const derived = hits.pipe(
      Transform.pick("id", "mass"),
      Transform.derive({ mass: (hit) => String(RawRecord.value(hit, "mass")), long: () => true })
    )
    expectTypeOf<Of<typeof derived>>().toEqualTypeOf<
      RawRecord.RawRecord<{ readonly id: string; mass: string; long: boolean }>
    >()
    const unnested = hits.pipe(Transform.pick("id", "assays"), Transform.unnest("assays"))
    expectTypeOf<Of<typeof unnested>>().toEqualTypeOf<
      RawRecord.RawRecord<{ readonly id: string; readonly assays: { readonly aeid: number } }>
    >()
    const heavy = hits.pipe(
      Transform.filter("mass", (mass): mass is number => typeof mass === "number"),
      Transform.filter("name", (name): name is string => typeof name === "string"),
      Transform.derive({ twice: (hit) => 2 * RawRecord.value(hit, "mass") }),
      Transform.pick("twice", "name")
    )
    expectTypeOf<Of<typeof heavy>>().toEqualTypeOf<
      RawRecord.RawRecord<{ readonly name: string; twice: number }>
    >()
    expect(Stream.isStream(heavy)).toBe(true)
  })

  it("keep a raw record raw, and say that it can be rejected", () => {
    const picked = raws.pipe(
      Transform.filter("mass", (mass) => mass !== null),
      Transform.pick("any", "name"),
      Transform.derive({ one: () => 1 }),
      Transform.unnest("any"),
      Transform.rename({ name: "label" })
    )
    expectTypeOf<Of<typeof picked>>().toEqualTypeOf<RawRecord.RawRecord>()
    expectTypeOf<ErrorOf<typeof picked>>().toEqualTypeOf<Transform.TransformError>()
    expect(Stream.isStream(picked)).toBe(true)
  })

  it("narrow by a type guard, and give the value of a field its type", () => {
    const some = hits.pipe(
      Transform.filter((hit): hit is Hit & { readonly mass: number } => hit.mass !== null)
    )
    expectTypeOf<Of<typeof some>["mass"]>().toEqualTypeOf<number>()
    const heavy = hits.pipe(
      Transform.filter("mass", (mass) => {
        expectTypeOf(mass).toEqualTypeOf<number | null>()
        return (mass ?? 0) > 200
      })
    )
    expectTypeOf<Of<typeof heavy>>().toEqualTypeOf<Hit>()
    const weighed = hits.pipe(Transform.filter("mass", (mass): mass is number => mass !== null))
    expectTypeOf<Of<typeof weighed>["mass"]>().toEqualTypeOf<number>()
    expect(Stream.isStream(some)).toBe(true)
  })

  it("include the errors and services of the joined table, and the file services of a sort", () => {
    const rows: ReadonlyArray<{ readonly key: string; readonly text: string }> = []
    const table = Stream.fromIterable(rows).pipe(Stream.concat(Stream.fail("no table" as const)))
    const inner = hits.pipe(
      Transform.join({
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
      Transform.join({ table, on: "id", tableOn: "key", kind: "left", combine: (_, row) => row?.text })
    )
    expectTypeOf<Of<typeof left>>().toEqualTypeOf<string | undefined>()

    const sorted = hits.pipe(
      Transform.sortBy(["id", { by: (hit) => hit.assays.length, direction: "descending" }])
    )
    expectTypeOf(sorted).toEqualTypeOf<Stream.Stream<Hit, Transform.TransformError, FileSystem.FileSystem>>()
    expect(Stream.isStream(sorted)).toBe(true)
  })

  it("reject an unknown field", () => {
    const typed = Stream.fromIterable<RawRecord.RawRecord<Hit>>([])
    const refused = [
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.pick("id", "casrn")),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.rename({ casrn: "cas" })),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.filter("casrn", () => true)),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.uniqueBy("casrn")),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.sortBy([{ by: "casrn" }])),
      // @ts-expect-error: no such field
      () => hits.pipe(Transform.unnest("casrn")),
      // @ts-expect-error: no such field
      () => typed.pipe(Transform.pick("casrn")),
      // @ts-expect-error: no such field
      () => typed.pipe(Transform.filter("casrn", () => true)),
      // @ts-expect-error: no such field
      () => typed.pipe(Transform.derive({ cas: (hit) => RawRecord.value(hit, "casrn") })),
      // @ts-expect-error: decoded values are not yet records
      () => Stream.make(1 as unknown).pipe(Transform.pick("id"))
    ]
    expect(refused).toHaveLength(10)
  })
})
