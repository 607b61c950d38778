import {
  AsyncIteration,
  Csv,
  Drift,
  Format,
  InvalidOption,
  Ndjson,
  RawArray,
  RawProjection,
  RawRecord,
  RawShape,
  Table,
  TableLayout,
  TableRow,
  Transform,
  WebStream
} from "@chemstream/ndjson"
import { Arrow, Compression, FileFormat, Parquet } from "@chemstream/ndjson/node"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"

const record = RawRecord.fromText('{"id":1}')

/** Any value, so that calls are wrong as those of programs without types are. */
const any = (value: unknown): never => value as never

/** Returns the message of the `InvalidOption` that a call throws, or that the stream or effect it returns dies of. */
const messageOf = async (call: () => unknown): Promise<string> => {
  try {
    const result = call()
    if (Stream.isStream(result)) await Effect.runPromise(Stream.runDrain(result as Stream.Stream<unknown>))
    else if (Effect.isEffect(result)) await Effect.runPromise(result as Effect.Effect<unknown>)
  } catch (error) {
    if (error instanceof InvalidOption.InvalidOption) {
      expect(error.message.startsWith(`${error.option} ${error.wanted}`)).toBe(true)
      return error.message
    }
    throw error
  }
  return "taken"
}

describe("a wrong argument", () => {
  const run =
    (step: (self: never) => unknown, ...items: ReadonlyArray<unknown>) =>
    () =>
      step(any(Stream.fromIterable(items)))
  it.each<[string, () => unknown]>([
    ['bytes must be a Uint8Array, got "{}"', () => RawRecord.fromBytes(any("{}"))],
    ['text must be a text that is not empty, got ""', () => RawRecord.occurrences(record, "")],
    ['record must be a RawRecord, got "{}"', () => RawRecord.value(any("{}"), any("id"))],
    [
      'fields must be a list of texts, got "id"',
      () => RawRecord.pick(record, any("id"), { missing: "omit" })
    ],
    ["options must be an object, got undefined", () => RawRecord.pick(record, ["id"], any(undefined))],
    ["fields must be a list of texts, got a list", () => RawRecord.omit(record, any([1]))],
    ["fields must be a list of pairs, got an object", () => RawRecord.prepend(record, any({ a: 1 }))],
    ["fields must be a list of texts, got null", () => RawProjection.reader(any(null))],
    ["options must be an object, got null", () => RawProjection.picker(["id"], any(null))],
    ["records must be a list of RawRecords, got a list", () => Ndjson.lines(any(["{}"]))],
    ['bytes must be a Uint8Array, got "[]"', () => RawArray.cut(any("[]"))],
    ["shape must be a RawShape, got an object", () => RawArray.decodeWith(any({}))],
    ["shape must be a RawShape, got an object", () => RawShape.read(any({}), record)],
    ["options must be an object, got undefined", () => RawShape.make(any(undefined))],
    [
      "the options of where must be an object of field, operator, value, got undefined",
      () => Transform.where(any(undefined))
    ],
    ["path must be a text, got undefined", () => Format.ofPath(any(undefined))],
    ["format must be an object, got null", run(FileFormat.encodeRaw(any(null)))],
    ["format must be an object, got null", run(FileFormat.encodeTwice(any(null)))],
    ["records must be a stream of Effect, got a list", () => FileFormat.inferColumns(any([]), [], false)],
    ["columns must be a list of columns, got a list", () => TableRow.make(any(["id"]))],
    ["start must be a text, got an object", () => TableLayout.ofText(any(new Uint8Array()), true)],
    ["rows must be a list of rows, got a list", () => TableLayout.headerOf(any([["a"]]), {})],
    ["options must be an object, got undefined", () => TableLayout.headerOf([], any(undefined))],
    ["layout must be a layout, got a list", () => TableLayout.columnOf(any(["a"]), "a")],
    ["name must be a text, got 1", () => TableLayout.columnOf({ columns: ["a"] }, any(1))],
    ["layout must be a layout, got undefined", () => TableLayout.equalNames(any(undefined), "a")],
    ['cells must be a list of texts, got "a"', () => TableLayout.columnNames(any("a"))],
    ["reserved must be a list of texts, got a list", () => TableLayout.columnNames(["a"], any([1]))],
    ["layout must be a layout, got an object", () => TableLayout.decode(Stream.empty, any({}))],
    ["columns must be a list of texts, got undefined", () => TableLayout.recordOf(any(undefined))],
    ["schema must be a schema of Effect, got an object", () => Table.columnsOf(any({}))],
    ['schema must be a schema of Effect, got "id"', () => Table.primaryKeyOf(any("id"))],
    ['the predicate of filter must be a function, got "id"', () => Transform.filter(any("id"))],
    ["a field of pick must be a text, got 1", () => Transform.pick(any(1))],
    [
      "the fields of rename must be an object with a new name for each field, got an object",
      () => Transform.rename(any({ a: 1 }))
    ],
    [
      'the fields of rename must be an object with a new name for each field, got "a"',
      () => Transform.rename(any("a"))
    ],
    [
      "the fields of derive must be an object with a function of the record for each field, got null",
      () => Transform.derive(any(null))
    ],
    ["where needs at least one condition", () => Transform.where()],
    ["uniqueBy needs at least one field or function to compare by", () => Transform.uniqueBy(any([]))],
    [
      "the options of topBy must be an object of count, order, per, maxBytes, got undefined",
      () => Transform.topBy(any(undefined))
    ],
    [
      "the options of join must be an object of table, on, tableOn, kind, combine, maxBytes, got undefined",
      run(Transform.join(any(undefined)))
    ],
    [
      "the table of join must be a stream of Effect, or use AsyncIteration, WebStream or NodeStream, got a list",
      run(Transform.join(any({ table: [], on: "id", tableOn: "id", kind: "left", combine: String })))
    ],
    [
      "the input must be a stream of Effect, or use AsyncIteration, WebStream or NodeStream, got a list",
      () => Ndjson.decode()(any([]))
    ],
    [
      'the input must be bytes (Uint8Array): set no encoding on the stream that reads the file, or encode its texts, e.g. with Stream.encodeText, got "{}"',
      run(Ndjson.decode(), "{}")
    ],
    [
      "the records must be raw records, e.g. of Ndjson.decodeRaw. Write objects with encode, got an object",
      run(Ndjson.encodeRaw(), { id: 1 })
    ],
    [
      "the inputs must be an iterable of chunks, e.g. a list, a file or a body, got 1",
      () => AsyncIteration.make(Ndjson.decode())(any(1))
    ],
    [
      "the transform must be a function on streams, e.g. Csv.decode(), got a function",
      () => WebStream.make(any(() => 1))
    ],
    [
      `start must be a text, got a function`,
      () =>
        TableLayout.ofText(
          any(() => ""),
          true
        )
    ],
    [`path must be a text, got 1`, () => Format.ofPath(any(1n))]
  ])("is refused: %s", async (message, call) => {
    expect(await messageOf(call)).toBe(message)
  })

  it("is shown up to 60 characters", async () => {
    const shown = (length: number) => messageOf(() => Drift.make({ maxFields: any("x".repeat(length)) }))
    expect(await shown(60)).toMatch(/got "x{60}"$/)
    expect(await shown(61)).toMatch(/got "x{60}…"$/)
  })
})

describe("an option", () => {
  const table = {
    columns: undefined,
    sampleRecords: 1,
    expected: undefined,
    rest: "rest",
    onRefused: () => {}
  }
  const owners: Readonly<Record<string, readonly [make: (options: never) => unknown, options: object]>> = {
    "Csv.decode": [
      Csv.decode,
      { separator: ";", quotes: true, columns: ["a"], afterLine: 1, blank: true, maxRowLength: 1 }
    ],
    "Csv.encode": [
      Csv.encode,
      {
        ...table,
        header: true,
        separator: ";",
        lineBreak: "\n",
        escapeFormulas: true,
        escapeControls: true,
        byteOrderMark: true,
        unquotedEmpty: true
      }
    ],
    "Parquet.encode": [Parquet.encode, { ...table, groupRecords: 1, compression: "zstd" }],
    "Arrow.encode": [Arrow.encode, { ...table, batchRecords: 1, layout: "stream" }],
    "RawArray.decode": [RawArray.decode, { maxElementBytes: 1 }],
    topBy: [Transform.topBy, { count: 1, order: "id", per: "id", maxBytes: 1 }],
    uniqueBy: [(options) => Transform.uniqueBy(any("id"), options), { maxBytes: 1, adjacent: true }],
    sortBy: [(options) => Transform.sortBy(any("id"), options), { maxBytes: 1, ways: 2, directory: "/tmp" }],
    join: [
      (options) => Transform.join(options)(any(Stream.empty)),
      { table: Stream.empty, on: "id", tableOn: "id", kind: "left", combine: String, maxBytes: 1 }
    ],
    wide: [Transform.wide, { name: "n", value: "v", per: "id", maxBytes: 1, maxColumns: 1 }],
    where: [Transform.where, { field: "id", operator: "=", value: 1 }]
  }
  it.each(Object.entries(owners))(
    "of %s is accepted by each of its names, and by no other",
    async (owner, [make, options]) => {
      expect(await messageOf(() => void make(any(options)))).toBe("taken")
      const message = await messageOf(() => make(any({ ...options, other: 1 })))
      expect(message).toContain(`"other" is not an option of ${owner}. Its options: `)
      for (const name of Object.keys(options)) expect(message).toContain(name)
      expect(await messageOf(() => make(any(Stream.empty)))).toBe(
        `the options of ${owner} are a stream: write ${owner}() to apply it to one`
      )
    }
  )

  it.each<[string, (bound: number) => unknown]>([
    ["maxLineBytes", (maxLineBytes) => Ndjson.decode({ maxLineBytes })],
    ["maxElementBytes", (maxElementBytes) => RawArray.decode({ maxElementBytes })],
    ["maxRowLength", (maxRowLength) => Csv.decode({ maxRowLength })],
    ["sampleRecords", (sampleRecords) => Csv.encode({ sampleRecords })],
    ["groupRecords", (groupRecords) => Parquet.encode({ groupRecords })],
    ["batchRecords", (batchRecords) => Arrow.encode({ batchRecords })],
    ["maxFields", (maxFields) => Drift.make({ maxFields })],
    ["count", (count) => Transform.topBy(any({ count, order: "id" }))],
    ["maxBytes", (maxBytes) => Transform.uniqueBy(any("id"), { maxBytes })],
    ["maxBytes", (maxBytes) => Transform.sortBy(any("id"), { maxBytes })],
    ["maxBytes", (maxBytes) => Transform.topBy(any({ count: 1, order: "id", maxBytes }))],
    [
      "maxBytes",
      (maxBytes) =>
        Transform.join(any({ table: Stream.empty, on: "id", kind: "left", combine: String, maxBytes }))(
          any(Stream.empty)
        )
    ],
    [
      "maxColumns",
      (maxColumns) => Transform.wide(any({ name: "n", value: "v", per: "id", maxColumns }))(any(Stream.empty))
    ]
  ])("that bounds, %s, is at least 1", async (name, make) => {
    expect(await messageOf(() => void make(1))).toBe("taken")
    for (const bound of [0, Number.NaN])
      expect(await messageOf(() => make(bound))).toBe(`${name} must be a number of at least 1, got ${bound}`)
  })

  it.each([
    ["gzip", 0, 9],
    ["zstd", 1, 22]
  ] as const)("level of %s is an integer from %i to %i", async (format, least, most) => {
    for (const level of [least, most])
      expect(await messageOf(() => void Compression.compress(format, { level }))).toBe("taken")
    for (const level of [least - 1, most + 1, least + 0.5])
      expect(await messageOf(() => Compression.compress(format, { level }))).toBe(
        `level must be an integer from ${least} to ${most} for ${format}, got ${level}`
      )
  })
})
