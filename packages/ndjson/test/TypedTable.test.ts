import { RawRecord, TypedTable } from "@chemstream/ndjson"
import { Arrow, Parquet } from "@chemstream/ndjson/node"
import {
  Table as ArrowTable,
  Binary,
  DateDay,
  Decimal,
  Int64,
  makeData,
  TimeMicrosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  tableToIPC,
  Vector,
  vectorFromArray
} from "apache-arrow"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { bytesOf } from "./chunks.ts"

const written = async (encoder: typeof Parquet.encode | typeof Arrow.encode) => {
  const records = Stream.make<[object, ...Array<object>]>(
    { casrn: "80-05-7", n: 1.5, ok: true, list: ["a"] },
    { casrn: "71-43-2", n: null, ok: false, list: null }
  )
  const pieces = await Effect.runPromise(records.pipe(encoder(), Stream.runCollect))
  return new Uint8Array(Buffer.concat(pieces))
}

/** The same bytes as a part of others. */
const within = (bytes: Uint8Array): Uint8Array => {
  const all = new Uint8Array(bytes.length + 30)
  all.set(bytes, 17)
  return all.subarray(17, 17 + bytes.length)
}

const read = (bytes: Uint8Array) => Effect.runPromise(TypedTable.read(bytes))
const messageOf = async (bytes: Uint8Array) => {
  const error = await Effect.runPromise(Effect.flip(TypedTable.read(bytes)))
  expect(error._tag).toBe("TypedTableError")
  return error.message
}

const recordsOf = (given: ReadonlyArray<string>, ...rows: ReadonlyArray<TypedTable.Values>) => {
  const table = TypedTable.decode(given, Stream.fromIterable(rows))
  const found = Effect.runSync(Stream.runCollect(table.rows))
  return { columns: table.columns, rows: found.map(({ line, record }) => [line, RawRecord.toText(record)]) }
}

describe.each([
  ["Parquet", Parquet.encode],
  ["Arrow", Arrow.encode]
] as const)("TypedTable.read of %s", (_, encoder) => {
  it("returns the columns and values, also of bytes that are a part of others", async () => {
    const bytes = await written(encoder)
    expect(TypedTable.is(bytes)).toBe(true)
    for (const one of [bytes, within(bytes)]) {
      const { columns, rows } = await read(one)
      expect(columns).toEqual(["casrn", "n", "ok", "list"])
      expect(rows.map(({ casrn, n, ok }) => [casrn, n, ok])).toEqual([
        ["80-05-7", 1.5, true],
        ["71-43-2", null, false]
      ])
    }
  })

  it("returns the values of a column of any name", async () => {
    const records = Stream.make(JSON.parse('{"__proto__":"x","constructor":"y"}'))
    const pieces = await Effect.runPromise(records.pipe(encoder(), Stream.runCollect))
    const { columns, rows } = await read(new Uint8Array(Buffer.concat(pieces)))
    expect(recordsOf(columns, ...rows).rows).toEqual([[1, '{"__proto__":"x","constructor":"y"}']])
  })

  it("fails with a reason for a damaged file", async () => {
    const bytes = await written(encoder)
    expect(await messageOf(bytes.subarray(0, 20))).toMatch(/./)
  })
})

describe("TypedTable.read", () => {
  it("returns the days and times of Arrow as dates, and null for none", async () => {
    const at = new Date("1980-05-07T12:30:00Z")
    const day = new Date("1980-05-07T00:00:00Z")
    const table = new ArrowTable({
      day: vectorFromArray([day, null], new DateDay()),
      at: vectorFromArray([at, null], new TimestampMillisecond()),
      n: vectorFromArray([1, 2])
    })
    expect((await read(tableToIPC(table, "file"))).rows).toEqual([
      { day, at, n: 1 },
      { day: null, at: null, n: 2 }
    ])
  })

  it("keeps all digits of the decimals, instants and times of Arrow", async () => {
    const ints = (...values: ReadonlyArray<bigint | null>) => vectorFromArray(values, new Int64())
    const as = (vector: Vector<Int64>, type: TimestampMicrosecond | TimestampNanosecond) =>
      new Vector(vector.data.map((data) => data.clone(type)))
    // 128 bits each, the lowest 32 first.
    const words = [12345678901234567890n, -1n, 150n].flatMap((value) =>
      [0n, 32n, 64n, 96n].map((shift) => Number(BigInt.asUintN(32, value >> shift)))
    )
    const decimals = makeData({ type: new Decimal(2, 38), length: 3, data: Uint32Array.from(words) })
    const table = new ArrowTable({
      decimal: new Vector([decimals]),
      micros: as(ints(-1n, 0n, null), new TimestampMicrosecond()),
      nanos: as(ints(1_704_067_200_123_456_789n, -1n, 1_704_067_200_123_000_000n), new TimestampNanosecond()),
      time: vectorFromArray([3_723_000_001n, 0n, null], new TimeMicrosecond()),
      second: vectorFromArray([3723, 0, null], new TimeSecond()),
      bytes: vectorFromArray([new Uint8Array([255, 0]), new Uint8Array([98]), null], new Binary())
    })
    const { columns, rows } = await read(tableToIPC(table, "file"))
    expect(recordsOf(columns, ...rows).rows.map(([, text]) => JSON.parse(String(text)))).toEqual([
      {
        decimal: "123456789012345678.90",
        micros: "1969-12-31T23:59:59.999999Z",
        nanos: "2024-01-01T00:00:00.123456789Z",
        time: "01:02:03.000001",
        second: "01:02:03",
        bytes: "ff00"
      },
      {
        decimal: -0.01,
        micros: "1970-01-01",
        nanos: "1969-12-31T23:59:59.999999999Z",
        time: "00:00:00",
        second: "00:00:00",
        bytes: "62"
      },
      { decimal: 1.5, micros: null, nanos: "2024-01-01T00:00:00.123Z", time: null, second: null, bytes: null }
    ])
  })

  it.each([bytesOf(""), bytesOf("PAR"), bytesOf("casrn\n80-05-7\n"), bytesOf("xPAR1"), bytesOf("ARROW2")])(
    "refuses what is no such file: %s",
    async (bytes) => {
      expect(TypedTable.is(bytes)).toBe(false)
      expect(await messageOf(bytes)).toBe("it is not Parquet or Arrow")
    }
  )

  it("refuses what are no bytes", () => {
    expect(() => TypedTable.is("PAR1" as never)).toThrow("bytes must be a Uint8Array")
  })
})

describe("TypedTable.decode", () => {
  it("numbers the rows from 1, and gives each column its own name", () => {
    expect(recordsOf(["a", "", "A"], { a: 1, "": "x", A: true }, { a: 2 })).toEqual({
      columns: ["a", "column_2", "A_2"],
      rows: [
        [1, '{"a":1,"column_2":"x","A_2":true}'],
        [2, '{"a":2,"column_2":null,"A_2":null}']
      ]
    })
  })

  it.each([
    ["texts, numbers and booleans as they are", ["a", 1.5, true, null], ["a", 1.5, true, null]],
    ["numbers that JSON lacks as text", [Number.NaN, -Infinity], ["NaN", "-Infinity"]],
    ["integers that a double holds as numbers", [1n, -(2n ** 53n - 1n)], [1, -(2 ** 53 - 1)]],
    ["larger integers as text", [2n ** 53n, -(2n ** 64n)], ["9007199254740992", "-18446744073709551616"]],
    [
      "dates as ISO dates, days without a time",
      [new Date("1980-05-07T00:00:00Z"), new Date("1980-05-07T00:00:00.001Z")],
      ["1980-05-07", "1980-05-07T00:00:00.001Z"]
    ],
    ["dates beyond the calendar as text", [new Date(Number.NaN)], ["Invalid Date"]],
    ["bytes as hexadecimal text", [new Uint8Array([0, 10, 255]), new Uint8Array()], ["000aff", ""]],
    ["lists, of any kind, with their values", [[1n, [Number.NaN]], new Set([2n])], [[1, ["NaN"]], [2]]],
    ["objects with their values", [{ a: 1n, b: { c: new Date(0) } }], [{ a: 1, b: { c: "1970-01-01" } }]]
  ])("returns %s", (_, values, expected) => {
    const rows = values.map((value) => ({ value }))
    expect(recordsOf(["value"], ...rows).rows).toEqual(
      expected.map((value, at) => [at + 1, JSON.stringify({ value })])
    )
  })

  it("refuses what is no stream", () => {
    expect(() => TypedTable.decode(["a"], [] as never)).toThrow("rows must be a stream of Effect")
  })
})
