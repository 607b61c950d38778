import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { Compression } from "@chemstream/ndjson/node"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const FORMATS = ["gzip", "zstd"] as const

const byNode = {
  gzip: { pack: gzipSync, unpack: gunzipSync },
  zstd: { pack: zstdCompressSync, unpack: zstdDecompressSync }
}

/** A stream with one chunk per piece, so that a decoder receives each piece alone. */
const streamOf = (...chunks: ReadonlyArray<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(chunks).pipe(Stream.rechunk(1))

const cut = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

const outcome = async <E>(stream: Stream.Stream<Uint8Array, E>) => {
  const pieces: Array<Uint8Array> = []
  const error = await Effect.runPromise(
    stream.pipe(
      Stream.runForEach((piece) => Effect.sync(() => pieces.push(piece))),
      Effect.match({ onSuccess: () => undefined, onFailure: (failure) => failure })
    )
  )
  return { bytes: Buffer.concat(pieces), error }
}

const unpacked = (chunks: ReadonlyArray<Uint8Array>, options?: Compression.DecompressOptions) =>
  outcome(streamOf(...chunks).pipe(Compression.decompress(options)))

describe.each(FORMATS)("Compression of %s", (format) => {
  const { pack, unpack } = byNode[format]
  const first = Buffer.from("hello ".repeat(10))
  const second = Buffer.from("world")
  const [one, two] = [pack(first), pack(second)]

  it("restores any bytes from any chunks, and Node can read them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (chunks, size) => {
          const packed = await outcome(streamOf(...chunks).pipe(Compression.compress(format)))
          const whole = Buffer.concat(chunks)
          expect(unpack(packed.bytes)).toEqual(whole)
          expect(await unpacked(cut(packed.bytes, size))).toEqual({ bytes: whole, error: undefined })
        }
      ),
      { numRuns: 50 }
    )
  })

  it("restores incompressible data longer than its blocks", async () => {
    const bytes = randomBytes(1_000_000)
    const packed = streamOf(...cut(bytes, 70_000)).pipe(Compression.compress(format))
    expect((await outcome(packed.pipe(Compression.decompress()))).bytes.equals(bytes)).toBe(true)
  })

  it("reads several members or frames, from any chunks", async () => {
    const joined = Buffer.concat([one, pack(Buffer.alloc(0)), two, one])
    for (let size = 1; size <= joined.length; size++) {
      expect(await unpacked(cut(joined, size))).toEqual({
        bytes: Buffer.concat([first, second, first]),
        error: undefined
      })
    }
  })

  it("rejects every prefix of the input as truncated, from any chunks", async () => {
    for (let length = 4; length < one.length; length++) {
      for (const chunks of [[one.subarray(0, length)], cut(one.subarray(0, length), 1)]) {
        const { error } = await unpacked(chunks)
        expect([error?.reason, error?.offset]).toEqual(["truncated", length])
      }
    }
  })

  it("rejects a truncated last member or frame, after the earlier data", async () => {
    for (let length = 1; length < two.length; length++) {
      const { bytes, error } = await unpacked([one, two.subarray(0, length)])
      expect([error?.reason, error?.offset]).toEqual(["truncated", one.length + length])
      expect(bytes.subarray(0, first.length)).toEqual(first)
    }
  })

  it("rejects data after the last member or frame", async () => {
    const garbage = Buffer.from("garbage")
    for (const chunks of [
      [Buffer.concat([one, garbage])],
      [one, garbage],
      cut(Buffer.concat([one, garbage]), 1)
    ]) {
      const { error } = await unpacked(chunks)
      expect(error?.reason).toBe("trailing-data")
      expect(error?.message).toMatch(/Remove what follows/)
      if (format === "zstd") expect(error?.offset).toBe(one.length)
    }
  })

  it("never returns wrong bytes for damaged data without an error", async () => {
    const packed = (await outcome(streamOf(first).pipe(Compression.compress(format)))).bytes
    const reasons = new Set<string>()
    for (let i = 4; i < packed.length; i++) {
      const broken = Buffer.from(packed)
      broken[i] = (broken[i] ?? 0) ^ 0x10
      const { bytes, error } = await unpacked([broken])
      // Some bits carry no data: the time in a header, or the padding of a block.
      if (error === undefined) expect(bytes).toEqual(first)
      else reasons.add(error.reason)
    }
    expect(reasons).toContain("damaged")
  })

  it("accepts only the requested format", async () => {
    expect((await unpacked([one], { format })).bytes).toEqual(first)
    const other = byNode[format === "gzip" ? "zstd" : "gzip"].pack(first)
    for (const chunks of [[other], [Buffer.from("plain text")], [Buffer.from("p")]]) {
      expect((await unpacked(chunks, { format })).error?.reason).toBe("not-compressed")
    }
    expect((await unpacked([], { format })).error?.reason).toBe("truncated")
    expect((await unpacked([one.subarray(0, 2)], { format })).error?.reason).toBe("truncated")
  })

  it("stops decompressing when the reader stops, for any expansion ratio", async () => {
    const bomb = pack(Buffer.alloc(64 * 1024 * 1024))
    let read = 0
    const endless = Stream.forever(Stream.make(bomb)).pipe(
      Stream.rechunk(1),
      Stream.tap(() => Effect.sync(() => read++))
    )
    const pieces = await Effect.runPromise(
      endless.pipe(Compression.decompress(), Stream.rechunk(1), Stream.take(3), Stream.runCollect)
    )
    expect(read).toBe(1)
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(512 * 1024)
  })

  it("reads no more input than the compressor has consumed", async () => {
    let read = 0
    const noise = Stream.fromEffectRepeat(
      Effect.sync(() => {
        read++
        return randomBytes(100_000)
      })
    ).pipe(Stream.rechunk(1))
    await Effect.runPromise(noise.pipe(Compression.compress(format), Stream.take(1), Stream.runDrain))
    expect(read).toBeLessThanOrEqual(8)
  })

  it("passes on the error of its source", async () => {
    const source = streamOf(one).pipe(Stream.concat(Stream.fail("gone")))
    expect((await outcome(source.pipe(Compression.decompress()))).error).toBe("gone")
    expect((await outcome(source.pipe(Compression.compress(format)))).error).toBe("gone")
  })

  it("writes smaller output at a higher level and rejects invalid levels", async () => {
    const text = await readFile(new URL(import.meta.url))
    const size = async (level: number) =>
      (await outcome(streamOf(text).pipe(Compression.compress(format, { level })))).bytes.length
    expect(await size(format === "gzip" ? 9 : 19)).toBeLessThan(await size(1))
    for (const level of [-1, 23, 1.5])
      expect(() => Compression.compress(format, { level })).toThrow(RangeError)
  })
})

describe("Compression.decompress", () => {
  it("passes uncompressed data unchanged, from any chunks", async () => {
    const plain = Buffer.from('{"id":1}\n\u001f{"id":2}\n')
    for (let size = 1; size <= plain.length; size++) {
      expect(await unpacked(cut(plain, size))).toEqual({ bytes: plain, error: undefined })
    }
    expect((await unpacked([])).bytes).toHaveLength(0)
    expect((await unpacked([Buffer.from("{}")])).bytes.toString()).toBe("{}")
  })

  it("decides on plain text after its first byte", async () => {
    const slow = Stream.make(Buffer.from("x")).pipe(Stream.concat(Stream.never))
    const first = slow.pipe(Compression.decompress(), Stream.take(1), Stream.runCollect)
    expect(await Effect.runPromise(first)).toEqual([Buffer.from("x")])
  })

  it("accepts zeros after a gzip member, and nothing after them", async () => {
    const member = gzipSync("x")
    const zeros = Buffer.alloc(600)
    for (const chunks of [[Buffer.concat([member, zeros])], [member, zeros], [member, zeros, zeros]]) {
      expect(await unpacked(chunks)).toEqual({ bytes: Buffer.from("x"), error: undefined })
    }
    const rest = Buffer.concat([zeros, Buffer.from("y")])
    for (const chunks of [
      [Buffer.concat([member, rest])],
      [member, rest],
      [member, zeros, Buffer.from("y")]
    ]) {
      const { error } = await unpacked(chunks)
      expect([error?.reason, error?.offset]).toEqual(["trailing-data", member.length + 600])
    }
  })

  it("skips the zstd frames without data", async () => {
    const skipped = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    const empty = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])
    const all = Buffer.concat([skipped, empty, zstdCompressSync("a"), skipped, zstdCompressSync("b"), empty])
    for (let size = 1; size <= all.length; size++) {
      expect(await unpacked(cut(all, size))).toEqual({ bytes: Buffer.from("ab"), error: undefined })
    }
    expect((await unpacked([all.subarray(0, 6)])).error?.reason).toBe("truncated")
  })
})

/** Frames of one uncompressed block with every form of the header: window, empty dictionary, and size of the content (RFC 8878, section 3.1.1.1). */
const frames = (content: Buffer): ReadonlyArray<readonly [name: string, frame: Buffer]> =>
  [false, true].flatMap((isSingle) =>
    [0, 1, 2, 4].flatMap((dictionary, dictionaryCode) =>
      [isSingle ? 1 : 0, 2, 4, 8].map((length, sizeCode): readonly [string, Buffer] => {
        const size = Buffer.alloc(8)
        // The form of two bytes counts from 256.
        size.writeIntLE(length === 2 ? content.length - 256 : content.length, 0, 6)
        return [
          `${isSingle ? "single segment" : "window"}, ${dictionary} bytes of dictionary, ${length} bytes of size`,
          Buffer.concat([
            Buffer.from([0x28, 0xb5, 0x2f, 0xfd, (sizeCode << 6) | (isSingle ? 0x20 : 0) | dictionaryCode]),
            Buffer.alloc(isSingle ? 0 : 1, 0x58),
            Buffer.alloc(dictionary),
            size.subarray(0, length),
            Buffer.from([(content.length << 3) | 1, content.length >>> 5, content.length >>> 13]),
            content
          ])
        ]
      })
    )
  )

describe("a zstd frame", () => {
  const long = Buffer.from("0123456789".repeat(30))
  const short = long.subarray(0, 250)

  it.each(
    frames(long)
      .filter(([name]) => !name.endsWith(", 1 bytes of size"))
      .concat(frames(short).filter(([name]) => !name.endsWith(", 2 bytes of size")))
  )("is read whatever its header has, before another one: %s", async (_, frame) => {
    const content = zstdDecompressSync(frame)
    const all = Buffer.concat([frame, zstdCompressSync("end")])
    for (const size of [1, 3, all.length]) {
      expect(await unpacked(cut(all, size))).toEqual({
        bytes: Buffer.concat([content, Buffer.from("end")]),
        error: undefined
      })
    }
    const { error } = await unpacked([frame.subarray(0, -1)])
    expect(error?.reason).toBe("truncated")
  })
})

describe("a zstd frame of blocks", () => {
  const block = (size: number, type: number, isLast: boolean) =>
    Buffer.from([((size << 3) | (type << 1) | Number(isLast)) & 255, size >>> 5, size >>> 13])
  const plain = (text: string, isLast = false) =>
    Buffer.concat([block(text.length, 0, isLast), Buffer.from(text)])
  const repeated = (byte: string, size: number, isLast = false) =>
    Buffer.concat([block(size, 1, isLast), Buffer.from(byte)])

  it.each([
    ["of one repeated byte", [repeated("x", 40, true)], "x".repeat(40)],
    [
      "of bytes between repeated ones",
      [repeated("x", 9), plain("ab"), repeated("y", 3, true)],
      "xxxxxxxxxabyyy"
    ],
    ["without bytes", [plain("", true)], ""],
    ["without bytes at its end", [plain("ab"), plain("", true)], "ab"]
  ])("%s is read before another one, from any chunks", async (_, blocks, text) => {
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]), ...blocks])
    for (const end of ["", "end"]) {
      const all = Buffer.concat([frame, end === "" ? Buffer.alloc(0) : zstdCompressSync(end)])
      for (let size = 1; size <= all.length; size++)
        expect(await unpacked(cut(all, size))).toEqual({ bytes: Buffer.from(text + end), error: undefined })
    }
  })
})

describe("an array of 200,000 chunks", () => {
  it("is compressed and restored", async () => {
    const chunks = Array.from({ length: 200_000 }, (_, at) => new Uint8Array([at & 255]))
    const bytes = Buffer.concat(chunks)
    const out = await Effect.runPromise(
      Stream.fromArray(chunks).pipe(Compression.compress("gzip"), Compression.decompress(), Stream.runCollect)
    )
    expect(Buffer.concat(out).equals(bytes)).toBe(true)
  })

  it("is decompressed", async () => {
    const packed = gzipSync("x".repeat(1000))
    const chunks = Array.from({ length: 200_000 }, (_, at) => packed.subarray(at, at + 1))
    const out = await Effect.runPromise(
      Stream.fromArray(chunks).pipe(Compression.decompress(), Stream.runCollect)
    )
    expect(Buffer.concat(out).toString()).toBe("x".repeat(1000))
  })
})
