import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { Format, Ndjson, RawRecord } from "@chemstream/ndjson"
import { Compression, FileFormat } from "@chemstream/ndjson/node"
import { tableFromIPC } from "apache-arrow"
import { Effect, Stream } from "effect"
import { parquetReadObjects } from "hyparquet"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ndjson-formats-"))
})
afterAll(() => rm(folder, { recursive: true }))

const RECORDS = ['{"id":"x, y","mass":3850.0}', '{"id":"é","mass":null}']

/** Writes the records to a file in the format of its name, and returns the bytes of the file. */
const save = async (name: string, options?: FileFormat.EncodeOptions): Promise<Buffer> => {
  const path = join(folder, name)
  const file = Writable.toWeb(createWriteStream(path))
  const bytes = Stream.fromIterable(RECORDS.map(RawRecord.fromText)).pipe(
    FileFormat.encodeRaw(Format.ofPath(path), options)
  )
  await Stream.toReadableStream(bytes).pipeTo(file)
  return readFile(path)
}

const lines = `${RECORDS.join("\n")}\n`

describe("FileFormat.encodeRaw", () => {
  it.each([
    ["hits.ndjson", lines],
    ["hits", lines],
    ["hits.json", `[\n${RECORDS.join(",\n")}\n]\n`],
    ["hits.csv", 'id,mass\r\n"x, y",3850.0\r\né,\r\n'],
    ["hits.tsv", "id\tmass\nx, y\t3850.0\né\t\n"]
  ])("writes %s in the format of its name, also compressed", async (name, text) => {
    expect((await save(name)).toString()).toBe(text)
    expect(gunzipSync(await save(`${name}.gz`)).toString()).toBe(text)
    expect(zstdDecompressSync(await save(`${name}.zst`)).toString()).toBe(text)
  })

  it("writes TSV with one row per line and no tab in a cell", async () => {
    const records = [{ id: "a\tb", "c\td": 'x\r\n"y"' }].map((record) =>
      RawRecord.fromText(JSON.stringify(record))
    )
    const text = Stream.fromIterable(records).pipe(
      FileFormat.encodeRaw(Format.ofPath("hits.tsv")),
      Stream.decodeText,
      Stream.mkString
    )
    expect(await Effect.runPromise(text)).toBe('id\tc\\td\na\\tb\t"x\\r\\n""y"""\n')
  })

  it("writes a Parquet file and an Arrow file that other libraries read", async () => {
    const rows = [
      { id: "x, y", mass: 3850 },
      { id: "é", mass: null }
    ]
    const parquet = new Uint8Array(await save("hits.parquet"))
    expect(await parquetReadObjects({ file: parquet.buffer })).toEqual(rows)
    const arrow = tableFromIPC(await save("hits.arrow"))
    expect(arrow.toArray().map((row) => row.toJSON())).toEqual(rows)
  })

  it("uses the columns and types of its options", async () => {
    const columns = [{ name: "mass", type: "integer" }] as const
    expect((await save("mass.csv", { columns })).toString()).toBe('mass\r\n3850.0\r\n""\r\n')
    const arrow = tableFromIPC(await save("mass.arrow", { columns }))
    expect(arrow.toArray().map((row) => row.toJSON())).toEqual([{ mass: 3850n }, { mass: null }])
  })

  it("reads back the text of every record, with any compression", async () => {
    for (const name of ["back.ndjson", "back.ndjson.gz", "back.ndjson.zst"]) {
      await save(name)
      const file = Readable.toWeb(createReadStream(join(folder, name), { highWaterMark: 7 }))
      const records = Stream.fromReadableStream<Uint8Array, unknown>({
        evaluate: () => file as ReadableStream<Uint8Array>,
        onError: (cause) => cause
      }).pipe(Compression.decompress(), Ndjson.decodeRaw(), Stream.map(RawRecord.toText))
      expect(await Effect.runPromise(Stream.runCollect(records))).toEqual(RECORDS)
    }
  })
})
