// Tests the parts, the joined file and the manifest of a folder. `sinks.test.ts` has the contract of all sinks.
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { RawRecord } from "@chemstream/ndjson"
import { Outcome } from "@chemstream/stream"
import { Sinks } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, FileSystem, Layer, Redacted, Stream } from "effect"
import { parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { chunk, contents, expected, identity, type StoringSink, tallyOf } from "./sinkChunks.ts"
import { folder, postgres, withSink } from "./sinkFixture.ts"

describe("a sink of a folder", () => {
  it.each([
    ["a part", undefined, "parts/00000001/records.ndjson", [1]],
    ["the problems of a part", undefined, "parts/00000001/problems.ndjson", [1]],
    ["the joined file", "records.ndjson", "records.ndjson", []]
  ])("notices that %s was shortened", async (_, file, victim, lost) => {
    const spec = { _tag: "Folder", folder, file } as const
    const chunks = [0, 1, 2].map((index) => chunk(index))
    await withSink(spec, (sink) => Effect.andThen(Effect.forEach(chunks, sink.write), sink.complete(3)))
    truncateSync(join(folder, victim), 100)
    await withSink(spec, (sink) =>
      Effect.gen(function* () {
        expect(yield* sink.missingChunks(3)).toEqual(lost)
        yield* Effect.forEach(lost, (index) => sink.write(chunk(index)))
        expect(yield* sink.complete(3)).toEqual(tallyOf(3))
      })
    )
    expect(await contents(spec)).toEqual(expected(chunks, spec))
  })

  it("refuses another harvest", async () => {
    const spec: StoringSink = { _tag: "Folder", folder }
    await withSink(spec, (sink) => sink.write(chunk(0)))
    await expect(withSink(spec, () => Effect.void, { harvest: "other", source: "digest-1" })).rejects.toThrow(
      `${folder} holds the harvest "mirror"`
    )
  })

  it("leaves complete parts and a manifest", async () => {
    await withSink({ _tag: "Folder", folder }, (sink) =>
      Effect.andThen(sink.write(chunk(0)), sink.complete(1))
    )
    expect(readdirSync(folder).sort()).toEqual(["chunks.json", "harvest.json", "manifest.json", "parts"])
    expect(readdirSync(join(folder, "parts"))).toEqual(["00000000"])
    expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).toEqual({
      ...identity,
      chunks: 1,
      tally: tallyOf(1),
      file: null,
      files: {}
    })
  })

  it("finds chunks that others wrote since it was opened, and reports removed ones as missing", async () => {
    const spec = { _tag: "Folder", folder } as const
    const [tallies, error] = await withSink(spec, (sink) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => withSink(spec, (other) => other.write(chunk(0))))
        const found = yield* sink.write({ ...chunk(0), outcomes: [] })
        yield* sink.write(chunk(1))
        const own = yield* sink.storedTally(1)
        const all = yield* sink.complete(2)
        rmSync(join(folder, "manifest.json"))
        rmSync(join(folder, "parts", "00000001"), { recursive: true })
        return [[found, own, all], yield* Effect.flip(sink.complete(2))] as const
      })
    )
    expect(tallies).toEqual([tallyOf(1), tallyOf(1), tallyOf(2)])
    expect(error.message).toContain("1 of 2 chunks")
  })

  it("keeps every problem if another process completes it meanwhile", async () => {
    const spec = { _tag: "Folder", folder: join(folder, "out"), file: "records.ndjson" } as const
    const chunks = [0, 1, 2].map((index) => chunk(index))
    await withSink(spec, (sink) => Effect.forEach(chunks, sink.write))
    const program = Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const scope = yield* Effect.scope
      const openWith = (own: Partial<FileSystem.FileSystem>) =>
        Effect.provideService(Sinks.open(spec, identity), FileSystem.FileSystem, { ...fs, ...own })
      // Dies after it has moved the parts away, before it removes the leftovers.
      const isAway = yield* Deferred.make<void>()
      const other = yield* openWith({
        readDirectory: (path) =>
          path === spec.folder
            ? Effect.andThen(Deferred.succeed(isAway, undefined), Effect.never)
            : fs.readDirectory(path)
      })
      const completed = Effect.andThen(Effect.forkIn(other.complete(3), scope), Deferred.await(isAway))
      let joined = 0
      const sink = yield* openWith({
        stream: (path, options) =>
          path.endsWith("problems.ndjson") && joined++ === 0
            ? Stream.unwrap(Effect.as(completed, fs.stream(path, options)))
            : fs.stream(path, options)
      })
      return yield* sink.complete(3)
    })
    const total = await program.pipe(
      Effect.scoped,
      Effect.provide(Layer.merge(NodeServices.layer, PgClient.layer({ url: Redacted.make(postgres.url) }))),
      Effect.runPromise
    )
    expect(total).toEqual(tallyOf(3))
    expect(await contents(spec)).toEqual(expected(chunks, spec))
  })

  it("joins its parts in order, in the format of the file's name", async () => {
    const chunks = [0, 1].map((index) => chunk(index))
    const texts = chunks.flatMap(({ outcomes }) =>
      outcomes.flatMap((outcome) => (outcome._tag === "Found" ? outcome.records.map(RawRecord.toText) : []))
    )
    const written = async (file: string): Promise<Buffer> => {
      const own = join(folder, file)
      await withSink({ _tag: "Folder", folder: own, file }, (sink) =>
        Effect.andThen(Effect.forEach(chunks, sink.write), sink.complete(2))
      )
      // Parts stay, because some identifiers failed and may be requested again.
      expect(existsSync(join(own, "parts"))).toBe(true)
      return readFileSync(join(own, file))
    }
    expect((await written("records.ndjson")).toString()).toBe(`${texts.join("\n")}\n`)
    expect(zstdDecompressSync(await written("records.ndjson.zst")).toString()).toBe(`${texts.join("\n")}\n`)
    const parquet = await written("records.parquet")
    const rows = await parquetReadObjects({
      file: parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer
    })
    expect(rows).toEqual(texts.map((text) => JSON.parse(text)))
  })

  it("writes a table with all fields, including those of later records", async () => {
    const record = (text: string, line: number) =>
      Outcome.found(`ID${line}`, line, [RawRecord.fromText(text)])
    const outcomes = [
      record('{"id":"a","n":null}', 1),
      record('{"id":"b","n":1.5,"late":[1]}', 2),
      record('{"id":3}', 3)
    ]
    await withSink({ _tag: "Folder", folder, file: "records.tsv" }, (sink) =>
      Effect.andThen(sink.write({ index: 0, duplicates: 0, outcomes }), sink.complete(1))
    )
    expect(readFileSync(join(folder, "records.tsv"), "utf8")).toBe("id\tn\tlate\na\t\t\nb\t1.5\t[1]\n3\t\t\n")
  })
})

describe("a folder", () => {
  it("stores more records of one identifier than a function accepts arguments", async () => {
    const records = Array.from({ length: 150_000 }, (_, n) => RawRecord.fromText(`{"n":${n}}`))
    const total = await withSink({ _tag: "Folder", folder: join(folder, "out") }, (sink) =>
      Effect.andThen(
        sink.write({ index: 0, duplicates: 0, outcomes: [Outcome.found("ID1", 1, records)] }),
        sink.complete(1)
      )
    )
    expect(total).toMatchObject({ found: 1, records: 150_000 })
  })
})
