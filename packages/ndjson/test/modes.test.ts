import { gunzipSync } from "node:zlib"
import {
  AsyncIteration,
  Csv,
  Ndjson,
  RawArray,
  type RawRecord,
  Transform,
  WebStream
} from "@chemstream/ndjson"
import { Arrow, Compression, NodeStream, Parquet } from "@chemstream/ndjson/node"
import { tableFromIPC } from "apache-arrow"
import { Effect, FileSystem, flow, Result, Stream } from "effect"
import { parquetReadObjects } from "hyparquet"
import { describe, expect, expectTypeOf, it } from "vitest"
import { bytesOf, everyCut } from "./chunks.ts"
import { collected, modes, readableOf, Source } from "./modes.ts"
import { withFiles } from "./transform/files.ts"

const INPUT = '\ufeff{"µ":"𝄞"}\r\n\n[1,\n"\\ud83d\\ude00"\n2'
const EXPECTED = [{ µ: "𝄞" }, "invalid-json at 3", "😀", 2]

const shown = (result: Result.Result<unknown, Ndjson.NdjsonError>) =>
  Result.isSuccess(result) ? result.success : `${result.failure.reason} at ${result.failure.line}`

function* counting(): Generator<Uint8Array> {
  for (let n = 1; ; n++) yield bytesOf(`${n}\n`)
}

const textOf = (pieces: ReadonlyArray<Uint8Array>): string => Buffer.concat(pieces).toString()

describe.each(modes)("a transform as %s", (name, mode) => {
  it("emits the same from a codec, at every chunk boundary", async () => {
    const run = mode(Ndjson.decodeResults())
    for (const cut of everyCut(bytesOf(INPUT)))
      expect((await collected(run(new Source(cut)))).items.map(shown)).toEqual(EXPECTED)
  })

  it("converts CSV to lines", async () => {
    const run = mode(flow(Csv.decode(), Transform.uniqueBy("id"), Ndjson.encode()))
    const chunks = [bytesOf('id,name\nx,"2,2-dimethyl'), bytesOf('propane"\nx,again\ny,'), bytesOf("water\n")]
    const { items } = await collected(run(new Source(chunks)))
    expect(textOf(items)).toBe('{"id":"x","name":"2,2-dimethylpropane"}\n{"id":"y","name":"water"}\n')
  })

  it("writes tables of Parquet and Arrow", async () => {
    const lines = () => new Source([bytesOf('{"id":"x","mass":1.5}\n{"id":'), bytesOf('"y","mass":2}\n')])
    const rows = [
      { id: "x", mass: 1.5 },
      { id: "y", mass: 2 }
    ]
    const parquet = await collected(mode(flow(Ndjson.decodeRaw(), Parquet.encodeRaw()))(lines()))
    const file = new Uint8Array(Buffer.concat(parquet.items)).buffer
    expect(await parquetReadObjects({ file })).toEqual(rows)
    const arrow = await collected(mode(flow(Ndjson.decodeRaw(), Arrow.encodeRaw()))(lines()))
    expect(
      tableFromIPC(arrow.items)
        .toArray()
        .map((row) => row.toJSON())
    ).toEqual(rows)
  })

  it("compresses and decompresses bytes", async () => {
    const text = "DTXSID7020182\n".repeat(100_000)
    const pack = mode(Compression.compress("gzip"))
    const packed = await collected(pack(new Source([bytesOf(text)])))
    expect(gunzipSync(Buffer.concat(packed.items)).toString()).toBe(text)
    const unpack = mode(Compression.decompress())
    const unpacked = await collected(unpack(new Source(packed.items)))
    expect(textOf(unpacked.items)).toBe(text)
  })

  it("sorts more records than fit in memory, and always removes its files", async () => {
    await withFiles({}, async ({ counts, fileSystem, left }) => {
      const run = mode(
        flow(
          Ndjson.decodeRaw(),
          Transform.sortBy("n", { maxBytes: 2000 }),
          Stream.provideService(FileSystem.FileSystem, fileSystem)
        )
      )
      const lines = Array.from({ length: 300 }, (_, n) => bytesOf(`{"n":${(n * 7) % 300}}\n`))
      const { items } = await collected(run(new Source(lines)))
      expect(items.map(String)).toEqual(Array.from({ length: 300 }, (_, n) => `{"n":${n}}`))
      expect(counts.written).toBeGreaterThan(1)
      expect(await left()).toEqual([])

      for await (const record of run(new Source(lines))) {
        expect(String(record)).toBe('{"n":0}')
        break
      }
      await expect.poll(left).toEqual([])
    })
  })

  it("emits the complete part, then its own error unchanged", async () => {
    const run = mode(Ndjson.decode())
    const bad = await collected(run(new Source([bytesOf("1\n2\nnope\n3\n")])))
    expect(bad.items).toEqual([1, 2])
    expect(bad.error).toBeInstanceOf(Ndjson.NdjsonError)
    expect(bad.error).toMatchObject({ line: 3 })

    const rows = await collected(mode(Csv.decode())(new Source([bytesOf("a,b\n1,2\n3\n4,5\n")])))
    expect(rows.items).toEqual([{ a: "1", b: "2" }])
    expect(rows.error).toBeInstanceOf(Csv.CsvError)
  })

  it("stops reading its input when it fails", async () => {
    const source = new Source([bytesOf("1\n"), bytesOf("nope\n"), ...Array(1000).fill(bytesOf("2\n"))])
    const { error } = await collected(mode(Ndjson.decode())(source))
    expect(error).toMatchObject({ line: 2 })
    await source.released.promise
    expect(source.taken).toBeLessThan(100)
  })

  it("passes on an error of its input unchanged", async () => {
    const gone = new Error("gone")
    async function* breaking() {
      yield bytesOf("1\n")
      throw gone
    }
    const { error } = await collected(mode(Ndjson.decode())(breaking()))
    expect(error).toBe(gone)
  })

  it("stops its input and releases its resources when the reader stops", async () => {
    const source = new Source(counting())
    const closed = Promise.withResolvers<void>()
    const run = mode<Uint8Array, unknown>(
      flow(Ndjson.decode(), Stream.ensuring(Effect.sync(() => closed.resolve())))
    )
    for await (const value of run(source)) if (value === 3) break
    await source.released.promise
    await closed.promise
  })

  it("reads no more input than a slow reader can use", async () => {
    const source = new Source(counting())
    let ahead = 0
    for await (const value of mode(Ndjson.decode())(source)) {
      await new Promise(setImmediate)
      ahead = Math.max(ahead, source.taken - (value as number))
      if (value === 300) break
    }
    // Node buffers 16 items on each side of a stream, and 16 more are in transit.
    expect(ahead).toBeLessThanOrEqual(name === "a Node stream" ? 4 * 16 : 2)
  })

  it("ends when the transform ends before its input", async () => {
    const source = new Source(Array.from({ length: 200 }, (_, n) => bytesOf(`{"n":${n}}\n`)))
    const run = mode(flow(Ndjson.decodeRaw(), Stream.take(2)))
    expect((await collected(run(source))).items.map(String)).toEqual(['{"n":0}', '{"n":1}'])
    await source.released.promise
    if (name !== "a Node stream") expect(source.taken).toBeLessThan(10)
  })

  it("emits nothing for an empty input", async () => {
    expect(await collected(mode(Ndjson.decode())(new Source([])))).toEqual({ items: [] })
  })
})

describe("AsyncIteration.make", () => {
  it("runs again for each iteration, also of an in-memory input", async () => {
    const values = AsyncIteration.make(Ndjson.decode())
    const first = values([bytesOf("1\n2"), bytesOf("2\n")])[Symbol.asyncIterator]()
    expect(await first.next()).toEqual({ done: false, value: 1 })
    expect((await collected(values([bytesOf("7\n8")]))).items).toEqual([7, 8])
    expect(await first.next()).toEqual({ done: false, value: 22 })
    expect(await first.next()).toEqual({ done: true, value: undefined })
  })

  it("emits the results of one input before it requests the next", async () => {
    const source = new Source([1, 2])
    const taken: Array<string> = []
    for await (const piece of AsyncIteration.make(Ndjson.encode())(source))
      taken.push(`${Buffer.from(piece).toString().trim()} of ${source.taken}`)
    expect(taken).toEqual(["1 of 1", "2 of 2"])
  })
})

describe("WebStream.make", () => {
  it("cuts arrays and writes raw lines", async () => {
    const body = new Response('[{"m": 3850.0},\n 1e2]').body as ReadableStream<Uint8Array>
    const lines = body.pipeThrough(WebStream.make(flow(RawArray.decode(), Ndjson.encodeRaw())))
    expect(await new Response(lines).text()).toBe('{"m": 3850.0}\n1e2\n')
  })

  it("cancels its source with the same reason, and starts only when it is read", async () => {
    const cancelled = Promise.withResolvers<unknown>()
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytesOf("1\n")),
      cancel: cancelled.resolve
    })
    let started = 0
    const values = source.pipeThrough(
      WebStream.make(
        flow(
          Ndjson.decode(),
          Stream.tap(() => Effect.sync(() => started++))
        )
      )
    )
    const reader = values.getReader()
    await new Promise(setImmediate)
    expect(started).toBe(0)
    await reader.read()
    await reader.cancel("enough")
    expect(await cancelled.promise).toBe("enough")
  })

  it("rejects both sides with its error", async () => {
    const { readable, writable } = WebStream.make(Ndjson.decode())
    const writing = expect(readableOf([bytesOf("1\nnope\n")]).pipeTo(writable)).rejects.toBeInstanceOf(
      Ndjson.NdjsonError
    )
    expect(await collected(readable)).toMatchObject({ items: [1], error: { line: 2 } })
    await writing
  })

  it("ends without an error on either side when its input ends", async () => {
    const { readable, writable } = WebStream.make(Ndjson.decode())
    const writing = readableOf([bytesOf("1\n2")]).pipeTo(writable)
    expect((await collected(readable)).items).toEqual([1, 2])
    await writing
  })

  it("interrupts the transform when its writer aborts", async () => {
    const closed = Promise.withResolvers<void>()
    const { readable, writable } = WebStream.make(
      flow(
        Ndjson.decode(),
        Stream.mapEffect(() => Effect.never),
        Stream.onExit(() => Effect.sync(() => closed.resolve()))
      )
    )
    const reading = expect(readable.getReader().read()).rejects.toThrow("no longer wanted")
    const writer = writable.getWriter()
    await writer.write(bytesOf("1\n"))
    await writer.abort(new Error("no longer wanted"))
    await reading
    await closed.promise
  })
})

describe("texts instead of bytes", () => {
  const decoders = {
    "Csv.decode": Csv.decode(),
    "Ndjson.decode": Ndjson.decode(),
    "Ndjson.decodeRaw": Ndjson.decodeRaw(),
    "RawArray.decode": RawArray.decode(),
    "Compression.decompress": Compression.decompress()
  }

  it.each(Object.entries<unknown>(decoders))(
    "are refused by %s in every mode, with what to write",
    async (_, decode) => {
      for (const [name, mode] of modes) {
        const run = mode(decode as never)(new Source(["a,b\n1,2\n"]) as never)
        expect((await collected(run as never)).error, name).toMatchObject({
          _tag: "InvalidOption",
          message: expect.stringContaining("must be bytes (Uint8Array): set no encoding on the stream")
        })
      }
    }
  )

  it("no function, no stream and no iterable are refused, too", () => {
    const messageOf = (call: () => unknown) => {
      try {
        call()
        return "no error"
      } catch (error) {
        return `${(error as { readonly _tag?: unknown })._tag}: ${error}`
      }
    }
    const bytes = [new Uint8Array()]
    const wrong = { wrong: 1 } as never
    expect(messageOf(() => AsyncIteration.make(Csv.decode as never)(bytes))).toContain(
      "write Csv.decode() to apply"
    )
    expect(messageOf(() => AsyncIteration.make(wrong)(bytes))).toContain("must be a function on streams")
    expect(messageOf(() => WebStream.make(wrong))).toContain("must be a function on streams")
    expect(messageOf(() => NodeStream.make(wrong))).toContain("must be a function on streams")
    expect(messageOf(() => AsyncIteration.make(Csv.decode())(wrong))).toContain(
      "must be an iterable of chunks"
    )
    expect(messageOf(() => Csv.decode()(wrong))).toContain("must be a stream of Effect")
    expect(messageOf(() => Transform.topBy(undefined as never))).toContain("InvalidOption")
  })
})

describe("types of the modes", () => {
  it("follow the transform, and reject one that needs a service", () => {
    const lines = flow(Csv.decode(), Transform.uniqueBy("id"), Ndjson.encode())
    expectTypeOf(WebStream.make(lines)).toEqualTypeOf<
      ReadableWritablePair<Uint8Array<ArrayBufferLike>, Uint8Array<ArrayBufferLike>>
    >()
    expectTypeOf(AsyncIteration.make(Ndjson.decodeRaw())).returns.toEqualTypeOf<
      AsyncIterable<RawRecord.RawRecord>
    >()
    expectTypeOf(WebStream.make(Ndjson.encode()).writable).toEqualTypeOf<WritableStream<unknown>>()
    const sorting = flow(Ndjson.decodeRaw(), Transform.sortBy("id"))
    // @ts-expect-error: a sort needs a file system.
    AsyncIteration.make(sorting)
    // @ts-expect-error: a sort needs a file system.
    WebStream.make(sorting)
    // @ts-expect-error: a sort needs a file system.
    NodeStream.make(sorting)
  })
})
