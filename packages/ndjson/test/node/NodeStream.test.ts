import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Duplex, Readable, Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { setImmediate as turn } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { AsyncIteration, Csv, Ndjson, Transform } from "@chemstream/ndjson"
import { Compression, NodeStream } from "@chemstream/ndjson/node"
import { Effect, FileSystem, flow, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bytesOf } from "../chunks.ts"
import { Source } from "../modes.ts"
import { withFiles } from "../transform/files.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ndjson-node-stream-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** A sink that needs one turn of the event loop per item. */
const slowly = (take: (item: unknown) => void): Writable =>
  new Writable({
    objectMode: true,
    highWaterMark: 1,
    write: (item, _encoding, done) => {
      take(item)
      setImmediate(done)
    }
  })

describe("NodeStream.make", () => {
  it("converts a CSV file to sorted, compressed lines in another file", async () => {
    const from = join(folder, "in.csv")
    const to = join(folder, "out.ndjson.gz")
    const rows = Array.from({ length: 30_000 }, (_, n) => `${(n * 7919) % 30_000},"2,2-dimethylpropane"`)
    await writeFile(from, ["n,name", ...rows].join("\r\n"))
    await withFiles({}, async ({ counts, fileSystem, left }) => {
      const sorted = flow(
        Csv.decode(),
        Transform.sortBy((row) => Number(row["n"]), { maxBytes: 1_000_000 }),
        Stream.provideService(FileSystem.FileSystem, fileSystem)
      )
      await pipeline(
        createReadStream(from),
        NodeStream.make(sorted),
        NodeStream.make(Ndjson.encode()),
        NodeStream.make(Compression.compress("gzip")),
        createWriteStream(to)
      )
      expect(counts.written).toBeGreaterThan(1)
      expect(await left()).toEqual([])
    })
    const lines = Array.from({ length: 30_000 }, (_, n) => `{"n":"${n}","name":"2,2-dimethylpropane"}\n`)
    expect(gunzipSync(await readFile(to)).toString()).toBe(lines.join(""))
  })

  it("writes values that arrive together in few chunks", async () => {
    const values = Array.from({ length: 1000 }, (_, n) => ({ n }))
    const encode = NodeStream.make(Ndjson.encode(), { writableHighWaterMark: 500 })
    const pieces = await Readable.from(values, { highWaterMark: 500 }).pipe(encode).toArray()
    expect(Buffer.concat(pieces).toString()).toBe(
      values.map((value) => `${JSON.stringify(value)}\n`).join("")
    )
    expect(pieces.length).toBeLessThan(10)
  })

  it("writes a single value without waiting for another", async () => {
    const encode = NodeStream.make(Ndjson.encode())
    encode.write({ n: 1 })
    await once(encode, "readable")
    expect(new TextDecoder().decode(encode.read())).toBe('{"n":1}\n')
  })

  it.each<readonly [string, (decode: Duplex) => unknown, unknown]>([
    ["a malformed line", (decode) => decode.resume().write(bytesOf("{]\n")), Ndjson.NdjsonError],
    ["its end from outside", (decode) => decode.destroy(new TypeError("no more")), TypeError]
  ])("gives the error of %s to its listener alone, before the end of the input", async (_, fail, kind) => {
    const unhandled: Array<unknown> = []
    const listen = (error: unknown): void => void unhandled.push(error)
    process.on("unhandledRejection", listen)
    const decode = NodeStream.make(Ndjson.decode())
    const failed = once(decode, "error")
    fail(decode)
    expect((await failed)[0]).toBeInstanceOf(kind)
    for (let turns = 0; turns < 3; turns++) await turn()
    process.off("unhandledRejection", listen)
    expect(unhandled).toEqual([])
  })

  it("ends a pipeline with the error of a malformed line, after a slow reader has read all earlier values", async () => {
    const lines = Array.from({ length: 100 }, (_, n) => bytesOf(`${n}\n`))
    const seen: Array<unknown> = []
    const run = pipeline(
      Readable.from([...lines, bytesOf("{]\n100\n")]),
      NodeStream.make(Ndjson.decode()),
      slowly((value) => seen.push(value))
    )
    const error = await run.catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Ndjson.NdjsonError)
    expect(error).toMatchObject({ line: 101 })
    // A destroyed sink never received the items in its own buffer.
    expect(seen.length).toBeGreaterThanOrEqual(99)
  })

  it.each([
    ["1\nnull\n2\n", [1]],
    ["null\n1\n", []]
  ])("rejects null, which a Node stream cannot emit, after the earlier values", async (input, before) => {
    const values = Readable.from([bytesOf(input)]).compose(NodeStream.make(Ndjson.decode()))
    const seen: Array<unknown> = []
    const read = async () => {
      for await (const value of values) seen.push(value)
    }
    await expect(read()).rejects.toThrow(NodeStream.NullItemError)
    expect(seen).toEqual(before)
    const raw = Readable.from([bytesOf("1\nnull\n")]).compose(NodeStream.make(Ndjson.decodeRaw()))
    expect((await raw.toArray()).map(String)).toEqual(["1", "null"])
  })

  it("rejects undefined too, and says which of both a value is", async () => {
    const make = (item: unknown) => NodeStream.make(Stream.map(() => item))
    for (const item of [undefined, null])
      await expect(Readable.from([1]).compose(make(item)).toArray()).rejects.toThrow(
        `A value ${item} cannot be`
      )
  })

  it("holds no more unread items than readableHighWaterMark, and gives all of them in order", async () => {
    const decode = NodeStream.make(Ndjson.decode(), { readableHighWaterMark: 3 })
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    decode.end(bytesOf(numbers.map((n) => `${n}\n`).join("")))
    await once(decode, "readable")
    expect(decode.readableLength).toBe(3)
    expect(await decode.toArray()).toEqual(numbers)
  })

  it("pauses its input when there is no reader", async () => {
    const decode = NodeStream.make(Ndjson.decode())
    let written = 0
    while (decode.write(bytesOf("1\n"))) written++
    await turn()
    expect(written).toBeLessThanOrEqual(decode.writableHighWaterMark)
    expect(decode.writableNeedDrain).toBe(true)
    decode.destroy()
  })

  it("measures its buffers in bytes on byte sides, and accepts text there", async () => {
    const copy = NodeStream.make(Compression.decompress(), {
      writableObjectMode: false,
      readableObjectMode: false,
      writableHighWaterMark: 1000,
      readableHighWaterMark: 1000
    })
    expect(copy.write("x".repeat(999))).toBe(true)
    expect(copy.write("x")).toBe(false)
    await once(copy, "readable")
    expect(copy.readableLength).toBe(999)
    expect((copy.read(10) as Buffer).toString()).toBe("x".repeat(10))
    copy.end("µ")
    copy.setEncoding("utf8")
    expect(await text(copy)).toBe(`${"x".repeat(990)}µ`)
  })

  it("interrupts the transform and releases its resources when it is destroyed", async () => {
    const started = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const waiting = NodeStream.make(
      flow(
        Ndjson.decode(),
        Stream.mapEffect(() => Effect.andThen(Effect.sync(started.resolve), Effect.never)),
        Stream.ensuring(Effect.sync(() => closed.resolve()))
      )
    )
    const source = new Source(Array(100).fill(bytesOf("1\n")))
    const controller = new AbortController()
    const run = pipeline(
      source,
      waiting,
      slowly(() => {}),
      { signal: controller.signal }
    )
    await started.promise
    controller.abort()
    await expect(run).rejects.toMatchObject({ name: "AbortError" })
    await closed.promise
    await source.released.promise
  })

  it("drops input written after the transform has ended; an async iteration stops its input", async () => {
    const seen: Array<string> = []
    const records = Array.from({ length: 100 }, (_, n) => bytesOf(`${n}\n`))
    const head = flow(Ndjson.decodeRaw(), Stream.take(2))
    await pipeline(
      Readable.from(records),
      NodeStream.make(head),
      slowly((record) => seen.push(String(record)))
    )
    function* endless(): Generator<Uint8Array> {
      for (;;) yield* records
    }
    const source = new Source(endless())
    await pipeline(
      source,
      AsyncIteration.make(head),
      slowly((record) => seen.push(String(record)))
    )
    await source.released.promise
    expect(seen).toEqual(["0", "1", "0", "1"])
  })
})
