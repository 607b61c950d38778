import { join } from "node:path"
import { InvalidIdentifier } from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { Outcome } from "@chemstream/stream"
import { Sink } from "@chemstream/workflow"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { chunk, contents, expected, identity, type StoringSink, tallyOf } from "./sinkChunks.ts"
import { deleteRows, folder, kinds, move, postgres, rowsOf, tables, withSink } from "./sinkFixture.ts"

describe.each(kinds)("a sink of %s", (_, make) => {
  it("counts an invalid text each time, and tables have a row for each of its lines", async () => {
    const error = new InvalidIdentifier.InvalidIdentifier({
      identifier: "identifier",
      value: "?",
      reason: "malformed",
      message: "it is none"
    })
    const spec = make()
    const total = await withSink(spec, (sink) =>
      Effect.gen(function* () {
        yield* sink.write({
          index: 0,
          duplicates: 0,
          outcomes: [Outcome.invalid("?", 1, error), Outcome.invalid("?", 2, error)]
        })
        yield* sink.write({ index: 1, duplicates: 1, outcomes: [Outcome.invalid("?", 3, error)] })
        return yield* sink.complete(2)
      })
    )
    expect(total).toMatchObject({ read: 4, invalid: 3, duplicates: 1 })
    if (spec._tag === "Table")
      expect(await rowsOf(spec, "line", "_outcomes", "line")).toEqual([
        { line: "1" },
        { line: "2" },
        { line: "3" }
      ])
  })

  it("stores every outcome, and records byte for byte", async () => {
    const spec = make()
    const chunks = [0, 1, 2].map((index) => chunk(index))
    const total = await withSink(spec, (sink) =>
      Effect.andThen(Effect.forEach([...chunks].reverse(), sink.write), sink.complete(3))
    )
    expect(total).toEqual(tallyOf(3))
    expect(await contents(spec)).toEqual(expected(chunks, spec))
  })

  it("keeps the first write of a chunk, and returns its counts to later writers", async () => {
    const spec = make()
    const again: Sink.Chunk = { index: 0, duplicates: 9, outcomes: [Outcome.missing("ID1", 1)] }
    await withSink(spec, (sink) =>
      Effect.gen(function* () {
        expect(yield* sink.storedTally(0)).toBeUndefined()
        expect(yield* sink.write(chunk(0))).toEqual(tallyOf(1))
        expect(yield* sink.write(again)).toEqual(tallyOf(1))
        expect(yield* sink.storedTally(0)).toEqual(tallyOf(1))
      })
    )
    await withSink(spec, (sink) =>
      Effect.gen(function* () {
        expect(yield* sink.complete(1)).toEqual(tallyOf(1))
        // A worker that returns after the end of the harvest.
        expect(yield* sink.write(again)).toEqual(tallyOf(1))
        expect(yield* sink.complete(1)).toEqual(tallyOf(1))
      })
    )
    expect(await contents(spec)).toEqual(expected([chunk(0)], spec))
  })

  it("is not complete while a chunk is missing, and names it", async () => {
    const spec = make()
    await withSink(spec, (sink) =>
      Effect.gen(function* () {
        yield* Effect.forEach([0, 2, 3], (index) => sink.write(chunk(index)))
        const error = yield* Effect.flip(sink.complete(5))
        expect(error).toMatchObject({ _tag: "SinkError", operation: "complete", retryable: false })
        expect(error.message).toMatch(/^2 of 5 chunks are not in .*: 1, 4$/)
        yield* Effect.forEach([1, 4], (index) => sink.write(chunk(index)))
        expect(yield* sink.complete(5)).toEqual(tallyOf(5))
      })
    )
  })

  it("is complete without chunks", async () => {
    expect(await withSink(make(), (sink) => sink.complete(0))).toEqual(Sink.emptyTally)
  })

  it("refuses the same harvest with another source", async () => {
    const spec = make()
    await withSink(spec, (sink) => sink.write(chunk(0)))
    const other = withSink(spec, (sink) => sink.storedTally(0), { ...identity, source: "digest-2" })
    await expect(other).rejects.toThrow("of another source")
  })
})

describe("a sink of tables", () => {
  it.each(kinds.slice(2))("of %s is verified in parts, and reports its progress", async (_, make) => {
    const verified: Array<number> = []
    const absent = await withSink(make(), (sink) =>
      Effect.gen(function* () {
        for (const index of [0, 70, 149]) yield* sink.write(chunk(index))
        return yield* sink.missingChunks(150, (done) => Effect.sync(() => void verified.push(done)))
      })
    )
    expect(verified).toEqual([0, 64, 128])
    const stored = new Set([0, 70, 149])
    expect(absent).toEqual(
      Array.from({ length: 150 }, (_, index) => index).filter((index) => !stored.has(index))
    )
  })

  it.each(
    kinds
      .slice(2)
      .flatMap(([kind, make]) =>
        ["", "_outcomes", "_surplus", "_chunks"].map(
          (suffix) => [kind, `TABLE${suffix}`, suffix, make] as const
        )
      )
  )(
    "of %s reports a chunk with lost rows of %s as missing, and accepts it again",
    async (_, _name, suffix, make) => {
      const spec = make()
      const chunks = [0, 1, 2].map((index) => chunk(index))
      await withSink(spec, (sink) => Effect.andThen(Effect.forEach(chunks, sink.write), sink.complete(3)))
      await deleteRows(spec, suffix)
      await withSink(spec, (sink) =>
        Effect.gen(function* () {
          expect(yield* sink.missingChunks(3)).toEqual([1])
          expect(yield* sink.storedTally(1)).toBeUndefined()
          yield* sink.write(chunk(1))
          expect(yield* sink.missingChunks(3)).toEqual([])
          expect(yield* sink.complete(3)).toEqual(tallyOf(3))
        })
      )
      expect(await contents(spec)).toEqual(expected(chunks, spec))
    }
  )

  it.each(kinds.slice(2))(
    "of %s notices a lost record, although another identifier of the chunk has one too many",
    async (_, make) => {
      const spec = make()
      await withSink(spec, (sink) => Effect.forEach([0, 1, 2], (index) => sink.write(chunk(index))))
      const stored = await rowsOf(spec, "input_id", "", "input_id")
      await move(spec, { id: "ID48", n: 3 }, { id: "ID41", n: 2 })
      await withSink(spec, (sink) =>
        Effect.gen(function* () {
          expect(yield* sink.missingChunks(3)).toEqual([1])
          yield* sink.write(chunk(1))
          expect(yield* sink.missingChunks(3)).toEqual([])
        })
      )
      expect(await rowsOf(spec, "input_id", "", "input_id")).toEqual(stored)
    }
  )

  it.each(kinds.slice(2))(
    "of %s stores an identifier of two chunks once, and counts the duplicate",
    async (_, make) => {
      const spec = make()
      const found = (id: string, line: number) =>
        Outcome.found(id, line, [RawRecord.fromText(`{"id":"${id}","n":${line}}`)])
      await withSink(spec, (sink) =>
        Effect.gen(function* () {
          yield* sink.write({ index: 0, duplicates: 0, outcomes: [found("a", 1), found("b", 2)] })
          const second = yield* sink.write({
            index: 1,
            duplicates: 1,
            outcomes: [found("b", 3), found("c", 4)]
          })
          expect(second).toMatchObject({ read: 3, found: 1, duplicates: 2, records: 1 })
          expect(yield* sink.complete(2)).toMatchObject({ read: 5, found: 3, duplicates: 2, records: 3 })
        })
      )
      expect((await contents(spec)).records).toEqual([
        '{"id":"a","n":1}',
        '{"id":"b","n":2}',
        '{"id":"c","n":4}'
      ])
    }
  )

  it("can be opened again in a schema whose name has capitals", async () => {
    const spec = tables(`${postgres.url}#Night%20Mirror.All%20of%20it`)
    await withSink(spec, (sink) => sink.write(chunk(0)))
    expect(await withSink(spec, (sink) => sink.complete(1))).toEqual(tallyOf(1))
    expect(await contents(spec)).toEqual(expected([chunk(0)], spec))
  })

  it.each(kinds.slice(2))(
    "of %s stores a record that is not text, and a text that the database refuses",
    async (_, make) => {
      const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x0a, 0x7d])
      const error = new InvalidIdentifier.InvalidIdentifier({
        identifier: "identifier",
        value: "a\0b",
        reason: "malformed",
        message: "it is none"
      })
      const odd: Sink.Chunk = {
        index: 0,
        duplicates: 0,
        outcomes: [
          Outcome.found("a", 1, [RawRecord.fromBytes(bytes)]),
          Outcome.found("b", 2, [RawRecord.fromText("[1]")]),
          Outcome.invalid("a\0b", 3, error),
          Outcome.surplus("unidentified", RawRecord.fromText("no JSON"))
        ]
      }
      const spec = make()
      expect(await withSink(spec, (sink) => Effect.andThen(sink.write(odd), sink.complete(1)))).toMatchObject(
        {
          read: 3,
          found: 2,
          invalid: 1,
          surplus: 1
        }
      )
      const rows = await rowsOf(spec, "other_fields", "", "input_id")
      expect(rows.map(({ other_fields }) => other_fields)).toEqual(['{"\uFFFD":1\n}', "[1]"])
      expect(await rowsOf(spec, "id", "_outcomes", "line")).toEqual([
        { id: "a" },
        { id: "b" },
        { id: spec._tag === "Table" && spec.target.startsWith("postgres") ? "a\uFFFDb" : "a\0b" }
      ])
      expect(await rowsOf(spec, "record", "_surplus", "n")).toEqual([{ record: '"no JSON"' }])
    }
  )

  it.each(kinds.slice(2))(
    "of %s refuses a table of another shape, and one of another harvest",
    async (_, make) => {
      const spec = make()
      await withSink(spec, (sink) => sink.write(chunk(0)))
      const other = withSink(spec, () => Effect.void, { harvest: "other", source: "digest-1" })
      await expect(other).rejects.toThrow(/holds the harvest "mirror": name another table/)
      const columns: Extract<Sink.Spec, { readonly _tag: "Table" }>["columns"] = [
        { name: "id", type: "text" }
      ]
      const narrow = withSink({ ...spec, columns } as StoringSink, () => Effect.void)
      await expect(narrow).rejects.toThrow(
        /the table chemicals in \S+ has another shape: its column n is not/
      )
      expect(await contents(spec)).toEqual(expected([chunk(0)], spec))
    }
  )

  it.each([
    ["out.duckdb#chemicals", /only one process can write a DuckDB file/],
    ["out.sqlite", /name the table, too/],
    ["out.txt#t", /not named like a file of DuckDB or SQLite/]
  ])("%s is refused with the reason", async (target, reason) => {
    await expect(withSink(tables(target), () => Effect.void)).rejects.toThrow(reason)
  })

  it("stores several harvests in one file", async () => {
    const file = join(folder, "two.db")
    const spec = tables(`${file}#mirror`)
    await withSink(spec, (sink) => sink.write(chunk(0)))
    const other = tables(`${file}#other`)
    await withSink(other, (sink) => sink.write(chunk(0, "other")), { harvest: "other", source: "x" })
    expect(await contents(spec)).toEqual(expected([chunk(0)], spec))
    expect(await contents(other)).toEqual(expected([chunk(0, "other")], other))
  })
})
