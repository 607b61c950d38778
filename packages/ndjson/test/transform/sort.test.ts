import { RawRecord, Transform } from "@chemstream/ndjson"
import { Cause, Deferred, Effect, Exit, Fiber, FileSystem, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Files, withFiles } from "./files.ts"
import { raws, streamOf } from "./records.ts"

type Row = Record<string, unknown>

const run = <A, E>(files: Files, stream: Stream.Stream<A, E, FileSystem.FileSystem>): Promise<Array<A>> =>
  Effect.runPromise(
    stream.pipe(Stream.runCollect, Effect.provideService(FileSystem.FileSystem, files.fileSystem))
  )

const failureOf = async <A, E>(
  files: Files,
  stream: Stream.Stream<A, E, FileSystem.FileSystem>
): Promise<E> =>
  Effect.runPromise(
    stream.pipe(Stream.runDrain, Effect.flip, Effect.provideService(FileSystem.FileSystem, files.fileSystem))
  )

describe("Transform.sortBy", () => {
  it("restores any record from a file unchanged, also with hostile keys", async () => {
    const texts = [
      '{"id":3,"__proto__":{"x":1},"s":"\\ud800","n":[-0.0,1e300,{"a":null}]}',
      '{"id":2,"~@chemstream/ndjson/RawRecord":1,"":"\\u2028"}',
      '{"id":1,"z":-0}'
    ]
    await withFiles({}, async (files) => {
      const values = texts.map((text) => JSON.parse(text) as Row)
      const sorted = await run(files, streamOf(values).pipe(Transform.sortBy("id", { maxBytes: 1, ways: 2 })))
      expect(sorted).toEqual([...values].reverse())
      expect(Object.keys(sorted[2] as Row)).toEqual(["id", "__proto__", "s", "n"])
      expect(Object.is(sorted[0]?.["z"], -0)).toBe(true)
      expect(files.counts.written).toBeGreaterThan(3)
    })
  })

  it("orders raw numbers by all of their digits", async () => {
    const ordered = [
      "-1e400",
      "-9007199254740993",
      "-9007199254740992",
      "0",
      "1e-400",
      "2e-400",
      "0.00000000000000000000012345678901234567",
      "0.00000000000000000000012345678901234568",
      "0.0000000000000000001",
      "0.1",
      "0.10000000000000001",
      "9007199254740992",
      "9007199254740993",
      "0.0123456789012345678901e30",
      "0.0123456789012345678902e30",
      "1e308",
      "1e400",
      "12e400"
    ]
    const texts = ordered.map((number) => `{"n":${number}}`)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(texts, { minLength: texts.length }), async (shuffled) => {
        await withFiles({}, async (files) => {
          const sorted = streamOf(raws(shuffled)).pipe(Transform.sortBy("n"), Stream.map(String))
          expect(await run(files, sorted)).toEqual(texts)
        })
      }),
      { numRuns: 20 }
    )
  })

  it("orders strings by code point, also unpaired surrogates", async () => {
    const ordered = [
      "",
      "A",
      "a",
      "\ud800",
      "\ud800～",
      "\udc00",
      "～",
      "～a",
      "\ud800\udc00",
      "😀",
      "😀a",
      "😁"
    ]
    await withFiles({}, async (files) => {
      for (const [i, word] of ordered.entries()) {
        for (const later of ordered.slice(i + 1)) {
          const pair = streamOf([{ word: later }, { word }]).pipe(Transform.sortBy("word"))
          expect(await run(files, pair)).toEqual([{ word }, { word: later }])
        }
      }
    })
  })

  it("keeps the text of raw records in memory without their chunks", async () => {
    const bytes = new TextEncoder().encode(`{"a":1.0}${" ".repeat(4_000_000)}`)
    await withFiles({}, async (files) => {
      const [kept] = await run(files, Stream.make(RawRecord.make(bytes, 0, 9)).pipe(Transform.sortBy("a")))
      expect(String(kept)).toBe('{"a":1.0}')
      expect(kept?.bytes.buffer.byteLength).toBeLessThan(1_000_000)
    })
  })

  it("restores the texts of many long and short raw records from files", async () => {
    // More data than one block, and single records longer than a block and a read.
    const texts = Array.from({ length: 3000 }, (_, i) => {
      const id = (i * 7919) % 3000
      return `{"id": ${id}.0, "text": "${`${id} `.repeat(id % 1000 === 0 ? 60_000 : 80)}"}`
    })
    const expected = [...texts].sort((a, b) => JSON.parse(a).id - JSON.parse(b).id)
    await withFiles({}, async (files) => {
      const sorted = streamOf(raws(texts), [100]).pipe(
        Transform.sortBy("id", { maxBytes: 700_000, ways: 2 }),
        Stream.map(String)
      )
      expect(await run(files, sorted)).toEqual(expected)
      expect(files.counts.written).toBeGreaterThan(4)
    })
  })

  it.each([
    ["ascending", "last", [false, true, -1, 2, "a", "b", null, undefined]],
    ["ascending", "first", [null, undefined, false, true, -1, 2, "a", "b"]],
    ["descending", "last", ["b", "a", 2, -1, true, false, null, undefined]],
    ["descending", "first", [null, undefined, "b", "a", 2, -1, true, false]]
  ] as const)(
    "orders %s, with missing keys %s, and keeps the order of equal keys, in memory and in files",
    async (direction, missing, expected) => {
      const ids = [null, "b", 2, true, undefined, "a", false, -1]
      // Equal keys are in several files.
      const records: ReadonlyArray<Row> = [...ids, ...ids, ...ids].map((id, at) =>
        id === undefined ? { at } : { id, at }
      )
      const places = expected.flatMap((id) => records.filter((record) => record["id"] === id))
      const missed = records.filter(({ id }) => id === undefined || id === null)
      const present = places.filter(({ id }) => id !== undefined && id !== null)
      await withFiles({}, async (files) => {
        for (const maxBytes of [1, 1000, 1_000_000]) {
          const order = { by: "id", direction, missing } as const
          const sorted = await run(
            files,
            streamOf(records).pipe(Transform.sortBy<Row>(order, { maxBytes, ways: 2 }))
          )
          expect(sorted).toEqual(missing === "first" ? [...missed, ...present] : [...present, ...missed])
        }
      })
    }
  )

  it("fails if the folder of its files is not there", async () => {
    await withFiles({}, async (files) => {
      const options = { maxBytes: 1, directory: "/no/such/folder" }
      const stream = streamOf([{ id: 2 }, { id: 1 }])
      expect(await failureOf(files, stream.pipe(Transform.sortBy("id", options)))).toMatchObject({
        reason: "files"
      })
    })
  })

  it("sorts by the result of a function", async () => {
    await withFiles({}, async (files) => {
      const words = ["ccc", "a", "bb"].map((word) => ({ word }))
      const sorted = streamOf(words).pipe(
        Transform.sortBy({ by: (row) => row.word.length, direction: "descending" }, { maxBytes: 1 }),
        Stream.map(({ word }) => word)
      )
      expect(await run(files, sorted)).toEqual(["ccc", "bb", "a"])
    })
  })

  it("writes no file if the records fit, and the fewest possible otherwise", async () => {
    const records = Array.from({ length: 10 }, (_, i) => ({ id: 9 - i }))
    // The size of an object with one number: 64 + 2 + 64 bytes, and 128 during the sort.
    const files = (maxBytes: number, ways: number) =>
      withFiles({}, async (files) => {
        const sorted = await run(files, streamOf(records).pipe(Transform.sortBy("id", { maxBytes, ways })))
        expect(sorted.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        return [files.counts.written, files.counts.removed]
      })
    expect(await files(2580, 2)).toEqual([0, 0])
    expect(await files(2579, 2)).toEqual([2, 0])
    // Ten runs of one record, merged at once.
    expect(await files(258, 10)).toEqual([10, 0])
    // Ten runs, merged in threes into four, and these into two. Merged runs are deleted immediately.
    expect(await files(258, 3)).toEqual([10 + 3 + 1, 9 + 3])
  })

  it("removes its files when the reader stops early, and when it is interrupted", async () => {
    const records = Array.from({ length: 50 }, (_, id) => ({ id }))
    await withFiles({}, async (files) => {
      const sorted = streamOf(records).pipe(Transform.sortBy("id", { maxBytes: 1, ways: 2 }))
      expect(await run(files, sorted.pipe(Stream.take(1)))).toEqual([{ id: 0 }])
      expect(await files.left()).toEqual([])

      // Interrupted during reading, and during output.
      for (const place of ["reading", "giving out"]) {
        const exit = await Effect.runPromise(
          Effect.gen(function* () {
            const reached = yield* Deferred.make<void>()
            const stop = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
            const source = streamOf(records).pipe(
              Stream.concat(Stream.fromEffect(place === "reading" ? stop : Effect.succeed({ id: 50 })))
            )
            const fiber = yield* source.pipe(
              Transform.sortBy("id", { maxBytes: 1, ways: 2 }),
              Stream.runForEach(() => (place === "reading" ? Effect.void : stop)),
              Effect.provideService(FileSystem.FileSystem, files.fileSystem),
              Effect.forkChild
            )
            yield* Deferred.await(reached)
            expect(yield* Effect.promise(files.left)).toHaveLength(1)
            yield* Fiber.interrupt(fiber)
            return yield* Fiber.await(fiber)
          })
        )
        expect(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)).toBe(true)
        expect(await files.left()).toEqual([])
        expect(files.counts.open).toBe(0)
      }
    })
  })

  it("passes on the failure of its source, and removes its files", async () => {
    await withFiles({}, async (files) => {
      const source = streamOf([{ id: 1 }, { id: 2 }]).pipe(Stream.concat(Stream.fail("cut off" as const)))
      expect(await failureOf(files, source.pipe(Transform.sortBy("id", { maxBytes: 1 })))).toBe("cut off")
      expect(files.counts.written).toBe(1)
      expect(await files.left()).toEqual([])
    })
  })

  it.each([
    ["a full disk", { capacity: 40 }, /no space left on device/],
    ["a truncated file", { lost: 1 }, /truncated/]
  ])("fails with files on %s, and removes its files", async (_, options, message) => {
    await withFiles(options, async (files) => {
      const records = Array.from({ length: 20 }, (_, id) => ({ id }))
      const error = await failureOf(files, streamOf(records).pipe(Transform.sortBy("id", { maxBytes: 1 })))
      expect(error).toMatchObject({ reason: "files", transform: "sortBy" })
      expect(error.message).toMatch(message)
      expect(await files.left()).toEqual([])
      expect(files.counts.open).toBe(0)
    })
  })

  it.each([
    ["a date", new Date(0)],
    ["undefined", undefined],
    ["a BigInt", 1n],
    ["NaN", Number.NaN],
    ["a map", new Map()],
    ["a sparse array", new Array(1)],
    ["NaN before -0", [Number.NaN, -0]],
    ["NaN after -0", [-0, Number.NaN]],
    ["a toJSON method", { toJSON: () => 1 }]
  ])("rejects %s only if it must be written to a file", async (_, odd) => {
    await withFiles({}, async (files) => {
      const records: ReadonlyArray<Row> = [{ id: 2, odd: [odd] }, { id: 1 }]
      const sorted = await run(files, streamOf(records).pipe(Transform.sortBy("id")))
      expect(sorted[1]).toBe(records[0])
      const error = await failureOf(files, streamOf(records).pipe(Transform.sortBy("id", { maxBytes: 1 })))
      expect(error).toMatchObject({ reason: "not-json", transform: "sortBy", index: 0 })
      expect(error.message).toContain("record 0 does not fit in memory")
    })
  })

  it("rejects a circular record if it must be written to a file", async () => {
    const loop: Row = { id: 1 }
    loop["loop"] = [loop]
    await withFiles({}, async (files) => {
      const error = await failureOf(
        files,
        streamOf([loop, loop]).pipe(Transform.sortBy("id", { maxBytes: 1 }))
      )
      expect(error).toMatchObject({ reason: "not-json", index: 0 })
    })
  })

  it.each([
    ['{"id":[1]}', "not-a-key"],
    ['{"id":1', "malformed"]
  ])("rejects %s with %s", async (text, reason) => {
    await withFiles({}, async (files) => {
      const stream: Stream.Stream<RawRecord.RawRecord> = streamOf(raws(["{}", text]))
      const error = await failureOf(files, stream.pipe(Transform.sortBy("id")))
      expect(error).toMatchObject({ reason, transform: "sortBy", index: 1 })
    })
  })

  it("throws for an invalid bound and without criteria", () => {
    expect(() => Transform.sortBy<Row>("id", { maxBytes: 0 })).toThrow(RangeError)
    expect(() => Transform.sortBy<Row>("id", { ways: 1 })).toThrow(RangeError)
    expect(() => Transform.sortBy<Row>([])).toThrow(RangeError)
  })
})
