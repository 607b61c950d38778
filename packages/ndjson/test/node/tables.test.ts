import { Buffer } from "node:buffer"
import { zstdDecompressSync } from "node:zlib"
import { RawRecord, Table } from "@chemstream/ndjson"
import { Arrow, type MissingPackage, Parquet } from "@chemstream/ndjson/node"
import { tableFromIPC } from "apache-arrow"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"

type Rows = ReadonlyArray<Record<string, unknown>>

/** The common surface of the formats. Another library reads each format. */
interface Format {
  readonly encode: (options: Options) => Encoder<unknown>
  readonly encodeRaw: (options: Options) => Encoder<RawRecord.RawRecord>
  readonly read: (file: Buffer) => Promise<Rows>
  readonly batches: (file: Buffer) => ReadonlyArray<number>
  readonly columns: (file: Buffer) => ReadonlyArray<string>
}

interface Options extends Table.Refusals {
  readonly columns?: ReadonlyArray<Table.Column>
  readonly expected?: ReadonlyArray<Table.ExpectedColumn>
  readonly sampleRecords?: number
  readonly batch?: number
}

type Encoder<A> = <E>(
  self: Stream.Stream<A, E>
) => Stream.Stream<Uint8Array, E | Table.TableError | MissingPackage.MissingPackage>

const bufferOf = (file: Buffer): ArrayBuffer => new Uint8Array(file).buffer

const parquet = (compression: "snappy" | "zstd"): Format => ({
  encode: ({ batch, ...options }) => Parquet.encode({ ...options, groupRecords: batch, compression }),
  encodeRaw: ({ batch, ...options }) => Parquet.encodeRaw({ ...options, groupRecords: batch, compression }),
  read: (file) =>
    parquetReadObjects({ file: bufferOf(file), compressors: { ZSTD: (input) => zstdDecompressSync(input) } }),
  batches: (file) => parquetMetadata(bufferOf(file)).row_groups.map(({ num_rows }) => Number(num_rows)),
  columns: (file) =>
    parquetMetadata(bufferOf(file))
      .schema.slice(1)
      .map(({ name, type, converted_type }) => `${name} ${converted_type ?? type}`)
})

const arrow = (layout: "file" | "stream"): Format => ({
  encode: ({ batch, ...options }) => Arrow.encode({ ...options, batchRecords: batch, layout }),
  encodeRaw: ({ batch, ...options }) => Arrow.encodeRaw({ ...options, batchRecords: batch, layout }),
  read: async (file) =>
    tableFromIPC(file)
      .toArray()
      .map((row) => row.toJSON()),
  batches: (file) => tableFromIPC(file).batches.map(({ numRows }) => numRows),
  columns: (file) => tableFromIPC(file).schema.fields.map(({ name, type }) => `${name} ${type}`)
})

const types = {
  Parquet: { text: "UTF8", integer: "INT64", number: "DOUBLE", boolean: "BOOLEAN", json: "UTF8" },
  Arrow: { text: "Utf8", integer: "Int64", number: "Float64", boolean: "Bool", json: "Utf8" }
}

const outcome = async <E>(bytes: Stream.Stream<Uint8Array, E>) => {
  const pieces: Array<Uint8Array> = []
  const error = await Effect.runPromise(
    bytes.pipe(
      Stream.runForEach((piece) => Effect.sync(() => pieces.push(piece))),
      Effect.match({ onSuccess: () => undefined, onFailure: (failure) => failure })
    )
  )
  return { file: Buffer.concat(pieces), pieces, error }
}

const fileOf = async <E>(bytes: Stream.Stream<Uint8Array, E>): Promise<Buffer> => {
  const { error, file } = await outcome(bytes)
  expect(error).toBeUndefined()
  return file
}

describe.each([
  ["Parquet", "snappy", parquet("snappy")],
  ["Parquet", "zstd", parquet("zstd")],
  ["Arrow", "a file", arrow("file")],
  ["Arrow", "a stream", arrow("stream")]
] as const)("%s as %s", (name, _, format) => {
  const write = (records: Rows | ReadonlyArray<unknown>, options: Options = {}) =>
    outcome(Stream.fromIterable(records).pipe(format.encode(options)))
  const writeRaw = (texts: ReadonlyArray<string>, options: Options = {}) =>
    outcome(Stream.fromIterable(texts.map(RawRecord.fromText)).pipe(format.encodeRaw(options)))

  it("is read back by another library, nested values as JSON text", async () => {
    const { file } = await write([
      { id: "é𝄞", mass: 228.115, found: true, links: [1, "a"], mixed: 1, none: null },
      { id: "", mass: null, found: false, links: { a: null }, mixed: "x" },
      { mass: -0.5 }
    ])
    expect(await format.read(file)).toEqual([
      { id: "é𝄞", mass: 228.115, found: true, links: '[1,"a"]', mixed: "1", none: null },
      { id: "", mass: null, found: false, links: '{"a":null}', mixed: "x", none: null },
      { id: null, mass: -0.5, found: null, links: null, mixed: null, none: null }
    ])
    const { boolean, json, number, text } = types[name]
    expect(format.columns(file)).toEqual([
      `id ${text}`,
      `mass ${number}`,
      `found ${boolean}`,
      `links ${json}`,
      `mixed ${json}`,
      `none ${json}`
    ])
  })

  it("writes the given columns with their order and types, also without records", async () => {
    const columns: ReadonlyArray<Table.Column> = [
      { name: "n", type: "integer" },
      { name: "id", type: "text" }
    ]
    const { integer, text } = types[name]
    const { file } = await write([{ id: "x", n: 3850, extra: 1 }, {}], { columns })
    expect(await format.read(file)).toEqual([
      { n: 3850n, id: "x" },
      { n: null, id: null }
    ])
    const empty = (await write([], { columns })).file
    expect(format.columns(empty)).toEqual([`n ${integer}`, `id ${text}`])
    expect(await format.read(empty)).toEqual([])
  })

  it("keeps the digits of raw records if their column can hold them", async () => {
    const columns: ReadonlyArray<Table.Column> = [
      { name: "big", type: "integer" },
      { name: "whole", type: "integer" },
      { name: "text", type: "json" },
      { name: "near", type: "number" }
    ]
    const { file } = await writeRaw(
      [
        '{"big":9223372036854775807,"whole":3850.0,"text":{"m": 1.50},"near":0.1}',
        '{"big":-9223372036854775808,"text":1.50}'
      ],
      { columns }
    )
    expect(await format.read(file)).toEqual([
      { big: 9223372036854775807n, whole: 3850n, text: '{"m": 1.50}', near: 0.1 },
      { big: -9223372036854775808n, whole: null, text: "1.50", near: null }
    ])
  })

  it.each([
    ["text", '"x"', "[1]"],
    ["integer", "1", "1.5"],
    ["integer", "1", "9223372036854775808"],
    ["integer", "1", '"1"'],
    ["number", "1.5", "9007199254740993"],
    ["number", "1.5", "1e999"],
    ["boolean", "true", "0"]
  ] as const)(
    "rejects a value that does not fit a column of type %s, with its record and field",
    async (type, good, bad) => {
      const columns = [{ name: "v", type }]
      const { error } = await writeRaw([`{"v":${good}}`, '{"v":null}', `{"v":${bad}}`], { columns })
      expect(error).toBeInstanceOf(Table.TableError)
      expect(error).toMatchObject({ reason: "type-mismatch", index: 2, field: "v" })
      expect(error?.message).toContain(
        `the value of "v", ${bad.replaceAll('"', "")}, does not fit its column of type ${type}`
      )
    }
  )

  it.each([
    ["x".repeat(40), "x".repeat(40)],
    ["x".repeat(41), `${"x".repeat(40)}…`],
    [`y${"x".repeat(60)}`, `y${"x".repeat(39)}…`]
  ])("shows the first 40 characters of the value %s that does not fit", async (text, shown) => {
    const { error } = await write([{ v: text }], { columns: [{ name: "v", type: "number" }] })
    expect(error?.message).toMatch(
      new RegExp(
        `^Record 0 cannot be written: the value of "v", ${shown}, does not fit its column of type number\\.`
      )
    )
  })

  it("rejects a later record with a field that has no column", async () => {
    const first = { sampleRecords: 1 }
    expect((await write([{ a: 1 }, { a: "x" }], first)).error).toMatchObject({
      reason: "type-mismatch",
      index: 1,
      field: "a"
    })
    expect((await write([{ a: 1 }, { b: 1 }], first)).error).toMatchObject({
      reason: "unknown-field",
      index: 1,
      field: "b"
    })
    expect((await write([{ a: null }, { a: "x" }, { a: [1] }], first)).error).toBeUndefined()
  })

  it.each([
    [[], "no-columns"],
    [[{}], "no-columns"],
    [[1], "not-an-object"],
    [[{ a: Symbol("x") }], "not-encodable"],
    [[{ a: "\udc00" }], "lone-surrogate"]
  ])("rejects %o as %s", async (records, reason) => {
    expect((await write(records)).error).toMatchObject({ reason, index: 0 })
  })

  it("starts with the expected columns, whose types never change; other fields are text", async () => {
    const expected = [
      { name: "absent", type: "boolean" },
      { name: "whole", type: "integer" },
      { name: "scalar", type: "text" },
      { name: "untyped" }
    ] as const
    const records = [
      { other: "x", untyped: 1, whole: null, scalar: "a" },
      { whole: 0.5, scalar: 2 }
    ]
    const { boolean, integer, json, text } = types[name]
    const refused: Array<string> = []
    const onRefused = ({ field, index, reason }: Table.TableError) =>
      refused.push(`${index} ${field} ${reason}`)
    const { error, file } = await write(records, { expected, onRefused })
    expect(error).toBeUndefined()
    expect(refused).toEqual(["1 whole type-mismatch"])
    const columns = [
      `absent ${boolean}`,
      `whole ${integer}`,
      `scalar ${text}`,
      `untyped ${json}`,
      `other ${json}`
    ]
    expect(format.columns(file)).toEqual(columns)
    expect(await format.read(file)).toMatchObject([
      { scalar: "a", untyped: "1", other: "x" },
      { whole: null, scalar: "2", other: null }
    ])
    const kept = await write([...records, 7], { expected, rest: "rest", onRefused })
    expect(format.columns(kept.file)).toEqual([...columns, `rest ${json}`])
    expect(await format.read(kept.file)).toMatchObject([
      { rest: null },
      { whole: null, rest: '{"whole":0.5}' }
    ])
    expect(refused.slice(1)).toEqual(["2 undefined not-an-object"])
    expect((await write(records, { expected })).error).toMatchObject({
      reason: "type-mismatch",
      field: "whole"
    })
    expect(format.columns((await write([], { expected: [{ name: "a", type: "text" }] })).file)).toEqual([
      `a ${text}`
    ])
    expect(() => format.encode({ expected: [{ name: "a" }, { name: "a" }] })).toThrow(RangeError)
  })

  it("writes batches of the given size, each as soon as it is full", async () => {
    const records = Array.from({ length: 25 }, (_, n) => ({ n, text: `substance ${n}` }))
    const { file, pieces } = await write(records, { batch: 10, sampleRecords: 3 })
    expect(format.batches(file)).toEqual([10, 10, 5])
    expect(pieces.length).toBeGreaterThanOrEqual(3)
    expect(await format.read(file)).toEqual(records)
    let read = 0
    const endless = Stream.fromEffectRepeat(Effect.sync(() => ({ n: read++ }))).pipe(
      format.encode({ batch: 10, sampleRecords: 3 }),
      Stream.drop(1),
      Stream.take(1)
    )
    await Effect.runPromise(Stream.runDrain(endless))
    expect(read).toBeLessThanOrEqual(30)
  })

  it("restores any strings, numbers and booleans, with any batch size", async () => {
    const record = fc.record({
      s: fc.option(fc.string({ unit: "binary" })),
      n: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      b: fc.option(fc.boolean())
    })
    const columns: ReadonlyArray<Table.Column> = [
      { name: "s", type: "text" },
      { name: "n", type: "number" },
      { name: "b", type: "boolean" }
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(record), fc.integer({ min: 1, max: 9 }), async (records, batch) => {
        const file = await fileOf(Stream.fromIterable(records).pipe(format.encode({ columns, batch })))
        // JSON.stringify does not write negative zero.
        expect(await format.read(file)).toEqual(
          records.map((one) => ({ ...one, n: one.n === 0 ? 0 : one.n }))
        )
      }),
      { numRuns: 40 }
    )
  })

  it("passes on the error of its source, after the earlier batches", async () => {
    const source = Stream.make({ a: 1 }, { a: 2 }).pipe(Stream.concat(Stream.fail("gone")))
    const { error, pieces } = await outcome(source.pipe(format.encode({ batch: 1, sampleRecords: 1 })))
    expect(error).toBe("gone")
    expect(pieces.length).toBeGreaterThan(0)
  })

  it("rejects invalid options immediately", () => {
    expect(() => format.encode({ batch: 0 })).toThrow(RangeError)
    expect(() => format.encode({ sampleRecords: 0 })).toThrow(RangeError)
    expect(() => format.encode({ columns: [] })).toThrow(RangeError)
    const column = { name: "a", type: "text" } as const
    expect(() => format.encode({ columns: [column, column] })).toThrow(RangeError)
  })
})

describe("Arrow.encode", () => {
  it("ends a stream with the mark of its end, and a file with its footer, with and without records", async () => {
    const columns = [{ name: "a", type: "text" }] as const
    for (const records of [[], [{ a: "x" }], Array.from({ length: 5 }, () => ({ a: "x" }))]) {
      const endOf = async (layout: "file" | "stream") =>
        (await fileOf(Stream.fromIterable(records).pipe(Arrow.encode({ columns, layout, batchRecords: 2 }))))
          .subarray(layout === "file" ? -6 : -8)
          .toString("latin1")
      expect(await endOf("stream")).toBe("\xff\xff\xff\xff\0\0\0\0")
      expect(await endOf("file")).toBe("ARROW1")
    }
  })

  it("says of each column that it may have nulls", async () => {
    const columns = [{ name: "a", type: "text" }] as const
    const file = await fileOf(Stream.make({ a: "x" }, { a: null }).pipe(Arrow.encode({ columns })))
    expect(tableFromIPC(file).schema.fields.map(({ nullable }) => nullable)).toEqual([true])
  })

  it("writes a batch of long texts as soon as it has 32 Mi characters", async () => {
    const half = "x".repeat(16 * 1024 * 1024)
    const columns = [{ name: "a", type: "text" }] as const
    const records = Stream.fromIterable([half, half.slice(1), "x", "y", null].map((a) => ({ a })))
    const file = await fileOf(records.pipe(Arrow.encode({ columns, layout: "stream" })))
    expect(arrow("stream").batches(file)).toEqual([3, 2])
  })
})
