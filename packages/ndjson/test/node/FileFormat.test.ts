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

describe("FileFormat.inferColumns", () => {
  type Arguments = Parameters<typeof FileFormat.inferColumns>
  const shapeOf = (
    texts: ReadonlyArray<string>,
    expected: Arguments[1] = [],
    isText = false,
    likely: Arguments[3] = undefined
  ) =>
    Effect.runSync(
      FileFormat.inferColumns(Stream.fromIterable(texts.map(RawRecord.fromText)), expected, isText, likely)
    )

  it("gives each field the type of all its values, and the types that they also fit", () => {
    expect(
      shapeOf([
        '{"a":"x","b":1,"c":true,"d":null,"g":"z","h":1}',
        '{"b":1.5,"c":null,"e":[1],"f":"y","g":true,"h":12345678901234567890}',
        '{"f":1,"g":{},"h":2}'
      ])
    ).toEqual({
      columns: [
        { name: "a", type: "text", alternatives: ["text", "json"] },
        { name: "b", type: "number", alternatives: ["number", "text", "json"] },
        { name: "c", type: "boolean", alternatives: ["boolean", "text", "json"] },
        { name: "d", type: "json", alternatives: ["integer", "number", "boolean", "text", "json"] },
        { name: "g", type: "json", alternatives: ["json"] },
        { name: "h", type: "text", alternatives: ["text", "json"] },
        { name: "e", type: "json", alternatives: ["json"] },
        { name: "f", type: "text", alternatives: ["text", "json"] }
      ],
      rest: undefined
    })
  })

  it("keeps the types of expected columns, has text for others, JSON text for their arrays and objects, and a rest for what does not fit", () => {
    const expected = [{ name: "n", type: "integer" }, { name: "any" }] as const
    const columns = [
      { name: "n", type: "integer" },
      { name: "any", type: "json" },
      { name: "b", type: "text" }
    ]
    expect(shapeOf(['{"n":1,"b":"x","any":[1]}'], expected)).toEqual({ columns, rest: undefined })
    expect(shapeOf(['{"n":null,"b":"x"}'], expected)).toEqual({ columns, rest: undefined })
    expect(shapeOf(['{"b":[1]}', '{"b":"x"}'], expected).columns).toContainEqual({ name: "b", type: "json" })
    expect(shapeOf(['{"n":1.5,"b":1}'], expected)).toEqual({ columns, rest: "other_fields" })
    expect(shapeOf(['{"n":1.5,"b":"x"}'], expected, true)).toEqual({ columns, rest: undefined })
  })

  it.each([
    ["a record that is not an object", ["[1]", '{"a":1}']],
    ["a text that UTF-8 cannot encode", ['{"a":"\\ud800"}']],
    ["a name that UTF-8 cannot encode", ['{"a":1,"\\ud800":1}']]
  ])("has a rest for %s", (_, texts) => {
    expect(shapeOf(texts, [], true)).toMatchObject({ columns: [{ name: "a" }], rest: "other_fields" })
  })

  it("names the rest like no column", () => {
    const shape = shapeOf(['{"other_fields":1,"other_fields_":1}', "[1]"])
    expect(shape.rest).toBe("other_fields__")
    expect(shapeOf(['{"other_fields":1}', "[1]"]).rest).toBe("other_fields_")
  })

  it("has a rest for fields beyond a thousand", () => {
    const wide = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])))
    expect(shapeOf([wide(1000), wide(1000)])).toMatchObject({ columns: { length: 1000 }, rest: undefined })
    expect(shapeOf([wide(1000), wide(1001)])).toMatchObject({
      columns: { length: 1000 },
      rest: "other_fields"
    })
  })

  it("keeps the type of a likely column, but a hint only if all values fit it", () => {
    const likely = [
      { name: "a", type: "integer" },
      { name: "b", type: "number", isHint: true },
      { name: "c", type: "integer", isHint: true },
      { name: "d" }
    ] as const
    expect(shapeOf(['{"a":"x","b":1,"c":"y","d":true}'], [], false, likely).columns).toEqual([
      { name: "a", type: "integer", alternatives: ["text", "json"] },
      { name: "b", type: "number", alternatives: ["integer", "number", "text", "json"] },
      { name: "c", type: "text", alternatives: ["integer", "text", "json"] },
      { name: "d", type: "boolean", alternatives: ["boolean", "text", "json"] }
    ])
  })

  it("has the likely columns for records without fields, or else a column of identifiers", () => {
    const likely = [{ name: "a", type: "number" }] as const
    expect(shapeOf(["{}"], [], false, likely).columns).toMatchObject([{ name: "a", type: "number" }])
    expect(shapeOf([]).columns).toEqual([{ name: "id", type: "text" }])
    const expected = [{ name: "n", type: "integer" }] as const
    expect(shapeOf(["{}"], expected, false, likely).columns).toEqual(expected)
  })
})

describe("FileFormat.encodeTwice", () => {
  const texts = ['{"a":1,"b":"x"}', '{"c":true,"a":2.5}', "[1]"]
  const written = (name: string, options?: Parameters<typeof FileFormat.encodeTwice>[1]) =>
    Effect.runPromise(
      Stream.fromIterable(texts.map(RawRecord.fromText)).pipe(
        FileFormat.encodeTwice(Format.ofPath(name), options),
        Stream.runCollect,
        Effect.map((pieces) => Buffer.concat(pieces))
      )
    )

  it.each([
    ["hits.ndjson", `${texts.join("\n")}\n`],
    ["hits.csv", "a,b,c,other_fields\r\n1,x,,\r\n2.5,,true,\r\n,,,[1]\r\n"],
    ["hits.tsv", "a\tb\tc\tother_fields\n1\tx\t\t\n2.5\t\ttrue\t\n\t\t\t[1]\n"]
  ])("writes %s with a column for every field, and a place for every value", async (name, text) => {
    expect((await written(name)).toString()).toBe(text)
    expect(gunzipSync(await written(`${name}.gz`)).toString()).toBe(text)
  })

  it("writes the types of expected columns, and the settings of spreadsheets", async () => {
    const expected = [
      { name: "c", type: "boolean" },
      { name: "a", type: "integer" }
    ] as const
    const table = tableFromIPC(await written("hits.arrow", { expected }))
    expect(table.toArray().map((row) => row.toJSON())).toEqual([
      { c: null, a: 1n, b: "x", other_fields: null },
      { c: true, a: null, b: null, other_fields: '{"a":2.5}' },
      { c: null, a: null, b: null, other_fields: "[1]" }
    ])
    const csv = await written("hits.csv", { expected, forSpreadsheet: true })
    expect(csv.toString()).toBe("\ufeffc,a,b,other_fields\r\n,1,x,\r\ntrue,2.5,,\r\n,,,[1]\r\n")
  })
})
