import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Codec } from "@chemstream/ndjson"
import { NodeStream } from "@chemstream/ndjson/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bytesOf, everyCut } from "../chunks.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ndjson-node-stream-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe("NodeStream.transform", () => {
  it("gives the same values wherever the chunks end", async () => {
    for (const cut of everyCut(bytesOf('{"µ":"𝄞"}\r\n\n2\n"x"'))) {
      const values = Readable.from(cut).pipe(NodeStream.transform(Codec.decode()))
      expect(await values.toArray()).toEqual([{ µ: "𝄞" }, 2, "x"])
    }
  })

  it("takes lines from one file to another", async () => {
    const from = join(folder, "in.ndjson")
    const to = join(folder, "out.ndjson")
    const lines = Array.from({ length: 30_000 }, (_, n) => `{"n":${n},"mass":3850.0}`)
    await writeFile(from, lines.join("\r\n"))
    await pipeline(
      createReadStream(from),
      NodeStream.transform(Codec.decodeRaw()),
      NodeStream.transform(Codec.encodeRaw()),
      createWriteStream(to)
    )
    expect(await readFile(to, "utf8")).toBe(`${lines.join("\n")}\n`)
  })

  it("writes values that come together in one piece", async () => {
    const encode = NodeStream.transform(Codec.encode())
    for (let n = 0; n < 10; n++) encode.write({ n })
    encode.end()
    const pieces = await encode.toArray()
    expect(Buffer.concat(pieces).toString()).toBe(
      Array.from({ length: 10 }, (_, n) => `{"n":${n}}\n`).join("")
    )
    expect(pieces.length).toBe(1)
  })

  it("writes a value that comes alone without waiting for another", async () => {
    const encode = NodeStream.transform(Codec.encode())
    encode.write({ n: 1 })
    await once(encode, "readable")
    expect(new TextDecoder().decode(encode.read())).toBe('{"n":1}\n')
  })

  it("ends with the error of a bad line, after the values before it", async () => {
    const seen: Array<unknown> = []
    const take = new Writable({
      objectMode: true,
      write: (value, _encoding, done) => {
        seen.push(value)
        done()
      }
    })
    const run = pipeline(
      Readable.from([bytesOf("1\n2\n"), bytesOf("{]\n3\n")]),
      NodeStream.transform(Codec.decode()),
      take
    )
    await expect(run).rejects.toMatchObject({ _tag: "NdjsonError", line: 3 })
    expect(seen).toEqual([1, 2])
  })

  it("refuses a value null, which a Node stream cannot carry, and says what can", async () => {
    const values = Readable.from([bytesOf("1\nnull\n")]).pipe(NodeStream.transform(Codec.decode()))
    await expect(values.toArray()).rejects.toThrow(NodeStream.NullItemError)
    const raw = Readable.from([bytesOf("1\nnull\n")]).pipe(NodeStream.transform(Codec.decodeRaw()))
    expect((await raw.toArray()).map(String)).toEqual(["1", "null"])
  })

  it("holds its input back while nobody reads", async () => {
    const decode = NodeStream.transform(Codec.decode())
    let written = 0
    while (decode.write(bytesOf("1\n"))) written++
    expect(written).toBeLessThanOrEqual(decode.writableHighWaterMark + decode.readableHighWaterMark)
    decode.destroy()
  })
})
