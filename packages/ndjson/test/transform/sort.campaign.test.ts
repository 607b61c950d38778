import { Transform } from "@chemstream/ndjson"
import { Effect, FileSystem, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Files, type FilesOptions, withFiles } from "./files.ts"
import { cuts, raws, scalar, streamOf, written } from "./records.ts"

type Row = Record<string, unknown>

const runs = process.env["CHEMSTREAM_TIER"] === "thorough" ? 2000 : 60

const run = <A, E>(files: Files, stream: Stream.Stream<A, E, FileSystem.FileSystem>): Promise<Array<A>> =>
  Effect.runPromise(
    stream.pipe(Stream.runCollect, Effect.provideService(FileSystem.FileSystem, files.fileSystem))
  )

const codePoints = (text: string): ReadonlyArray<number> =>
  Array.from(text, (one) => one.codePointAt(0) as number)

/** The documented order of two values, in the simplest form. */
const compare = (a: unknown, b: unknown, descending: boolean, first: boolean): number => {
  const [x, y] = [a ?? null, b ?? null]
  if (x === null || y === null) return (x === y ? 0 : x === null ? -1 : 1) * (first ? 1 : -1)
  const rank = (value: unknown) => ["boolean", "number", "string"].indexOf(typeof value)
  const sign = descending ? -1 : 1
  if (rank(x) !== rank(y)) return sign * (rank(x) - rank(y))
  if (typeof x !== "string") return sign * (Number(x) - Number(y))
  const [one, other] = [codePoints(x), codePoints(y as string)]
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    if (one[i] !== other[i]) return sign * ((one[i] as number) - (other[i] as number))
  }
  return sign * (one.length - other.length)
}

const value = fc.oneof(
  scalar.filter((one) => typeof one !== "number" || Math.abs(one) < 1e15),
  fc.constantFrom("\ud800", "\ud800\udc00", "\uffff", "😀", "～", "a😀", "a～", "\udc00")
)
const criterion = fc.record({
  by: fc.constantFrom("a", "b"),
  direction: fc.constantFrom("ascending" as const, "descending" as const),
  missing: fc.constantFrom("first" as const, "last" as const)
})
const rows = fc
  .array(fc.record({ a: value, b: value }, { requiredKeys: [] }), { maxLength: 40 })
  .map((all) => all.map((row, at): Row => ({ ...row, at })))
const limits = fc.record({
  maxBytes: fc.constantFrom(1, 300, 1500, 1_000_000),
  ways: fc.integer({ min: 2, max: 4 })
})
const options: fc.Arbitrary<FilesOptions> = fc.record(
  { readBytes: fc.integer({ min: 1, max: 200 }) },
  { requiredKeys: [] }
)

describe("Transform.sortBy", { timeout: 600_000 }, () => {
  it("returns the order of a stable in-memory sort for any bounds, chunks and criteria", async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(criterion, { minLength: 1, maxLength: 2 }),
        limits,
        options,
        cuts,
        async (rows, order, limits, options, cut) => {
          const expected = [...rows].sort((a, b) => {
            for (const { by, direction, missing } of order) {
              const found = compare(a[by], b[by], direction === "descending", missing === "first")
              if (found !== 0) return found
            }
            return 0
          })
          const texts = (some: ReadonlyArray<Row>) =>
            some.map(
              (row) =>
                `{${Object.entries(row)
                  .map(([key, one]) => `"${key}": ${written(one)}`)
                  .join(" ,\n")}}`
            )
          await withFiles(options, async (files) => {
            const values = await run(files, streamOf(rows, cut).pipe(Transform.sortBy(order, limits)))
            expect(texts(values)).toEqual(texts(expected))
            const raw = streamOf(raws(texts(rows)), cut).pipe(
              Transform.sortBy(order, limits),
              Stream.map(String)
            )
            expect(await run(files, raw)).toEqual(texts(expected))
            expect(await files.left()).toEqual([])
            expect(files.counts.open).toBe(0)
            // The files to merge, and their result.
            expect(files.counts.mostOpen).toBeLessThanOrEqual(limits.ways + 1)
          })
        }
      ),
      { numRuns: runs }
    )
  })
})
