import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { Dtxsid } from "@chemstream/api"
import { Import, SqliteStore, Store } from "@chemstream/service"
import { Array as Arr, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Head } from "../src/internal/import/fileForm.ts"
import { fileOf, folder, run } from "./testService.ts"

const id = (number: number): string => Dtxsid.fromNumber(number)
const line = (number: number, rest = ""): string => `{"dtxsid":"${id(number)}","casrn":null${rest}}`

/** Returns the texts of the records of a database. */
const stored = (database: string, ...numbers: ReadonlyArray<number>) =>
  Store.Store.use((store) => Effect.forEach(numbers, (number) => store.detail(id(number)))).pipe(
    Effect.map((records) => Arr.getSomes(records).map(({ record }) => new TextDecoder().decode(record))),
    Effect.provide(SqliteStore.layer({ file: database }))
  )

const counted = (database: string) =>
  Store.Store.use((store) => store.counts).pipe(Effect.provide(SqliteStore.layer({ file: database })))

describe("an import", () => {
  const odd = line(
    1,
    ',"mass" : 1.10,"n":3850.0,"big":1e400,"long":12345678901234567890,"x":{"y":[ 1 ]},"né":"\\u00e9"'
  )
  const lines = [odd, line(2), line(3)]
  const array = `[${lines.join(" ,\n")}]`

  it.each([
    ["NDJSON", lines.join("\n")],
    ["NDJSON with CRLF, blank lines and a byte-order mark", `\uFEFF${lines.join("\r\n\r\n")}\r\n`],
    ["a JSON array", array],
    ["a JSON array after white space and a byte-order mark", `\uFEFF\n \t${array}\n`],
    ["gzipped NDJSON", gzipSync(lines.join("\n"))],
    ["a gzipped JSON array", gzipSync(array)],
    ["a JSON array compressed by zstd", zstdCompressSync(array)],
    ["gzip in two members", Buffer.concat([gzipSync(`${odd}\n`), gzipSync(`${line(2)}\n${line(3)}`)])]
  ])("reads %s and keeps the text of every record", (_, content) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const bytes = Buffer.from(content)
        const report = yield* Import.details({ database, files: [fileOf(directory, "records", bytes)] })
        expect(report).toEqual({ records: 3, replaced: 0, bytes: bytes.length })
        expect(yield* stored(database, 1, 2, 3)).toEqual(lines)
      })
    )
  )

  it("drops only the white space between tokens of a record that spans lines", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const pretty = `[\n  {\n    "dtxsid": "${id(1)}",\n    "mass": 1.10,\n    "preferredName": "a  b: , c"\n  }\n]`
        yield* Import.details({ database, files: [fileOf(directory, "a.json", pretty)] })
        expect(yield* stored(database, 1)).toEqual([
          `{"dtxsid":"${id(1)}","mass":1.10,"preferredName":"a  b: , c"}`
        ])
      })
    ))

  it.each([
    ["on one line", "{A}"],
    ["on one line, after white space and a byte-order mark", "\uFEFF \n{A}\n"],
    ["pretty-printed", "{\n  A\n}\n"],
    [
      "pretty-printed, from its second line on",
      '{"dtxsid":"DTXSID7020182",\r\n  "mass" : 1.10,\r\n "preferredName":"a  b: , c"}'
    ],
    ["pretty-printed, after white space and a byte-order mark", "\uFEFF\n\t{\n  A }"]
  ])("reads a single object %s", (_, template) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const fields = '"dtxsid":"DTXSID7020182",\n "mass":1.10,"preferredName":"a  b: , c"'
        const onOneLine = template.startsWith("{A") || template.includes("\n{A}")
        const content = template.replace("A", onOneLine ? fields.replace("\n ", "") : fields)
        const report = yield* Import.details({ database, files: [fileOf(directory, "a.json", content)] })
        expect(report.records).toBe(1)
        const store = yield* SqliteStore.make({ file: database })
        const [found] = yield* store.details(["DTXSID7020182"])
        expect(new TextDecoder().decode(found?.record)).toBe(
          '{"dtxsid":"DTXSID7020182","mass":1.10,"preferredName":"a  b: , c"}'
        )
      })
    )
  )

  it("reads a single object that spans lines and several reads of the file", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const text = "β".repeat(700_000)
        const content = `{\n  "preferredName": "${text}",\n  "dtxsid": "${id(1)}"\n}`
        yield* Import.details({ database, files: [fileOf(directory, "a.json", gzipSync(content))] })
        expect(yield* stored(database, 1)).toEqual([`{"preferredName":"${text}","dtxsid":"${id(1)}"}`])
      })
    ))

  it("reads several files, also empty ones", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const files = [
          fileOf(directory, "1", line(1)),
          fileOf(directory, "2", `[${line(2)}]`),
          fileOf(directory, "3", ""),
          fileOf(directory, "4", "[]"),
          fileOf(directory, "5", "\n\n")
        ]
        expect(yield* Import.details({ database, files })).toMatchObject({ records: 2, replaced: 0 })
        expect(yield* counted(database)).toMatchObject({ details: 2 })
      })
    ))

  it("replaces records with the same identifier, of the database or earlier in the files, and counts them", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        yield* Import.details({ database, files: [fileOf(directory, "1", `${line(1)}\n${line(2)}`)] })
        const second = fileOf(directory, "2", [line(2, ',"n":1'), line(3), line(3, ',"n":2')].join("\n"))
        expect(yield* Import.details({ database, files: [second] })).toMatchObject({
          records: 3,
          replaced: 2
        })
        expect(yield* stored(database, 1, 2, 3)).toEqual([line(1), line(2, ',"n":1'), line(3, ',"n":2')])
      })
    ))

  it("reads all records of a file that needs several reads, at any size of a read", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const many = Array.from({ length: 3000 }, (_, i) => line(i + 1, `,"text":"${"β".repeat(i % 400)}"`))
        yield* Import.details({ database, files: [fileOf(directory, "a", many.join("\n"))] })
        expect(yield* stored(database, ...many.map((_, i) => i + 1))).toEqual(many)
        yield* Import.details({ database, files: [fileOf(directory, "b", `[${many.join(",")}]`)] })
        expect(yield* stored(database, ...many.map((_, i) => i + 1))).toEqual(many)
      })
    ))
})

describe("a file that cannot be imported", () => {
  const good = line(1)
  it.each([
    ["a malformed line", `${good}\n\n{"dtxsid":}\n`, { reason: "malformed", line: 3 }, /bad, line 3: /],
    ["a line that is cut off", `${good}\n{"dtxsid":"DTX`, { reason: "malformed", line: 2 }, /bad, line 2: /],
    [
      "a line that is not an object",
      `${good}\n7\n`,
      { reason: "malformed", line: 2 },
      /must be a JSON object, this is a number/
    ],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from(`${good}\n{"dtxsid":"`), Buffer.from([0xff]), Buffer.from('"}')]),
      { reason: "malformed", line: 2 },
      /UTF-8/
    ],
    ["a record without dtxsid", `${good}\r\n{"a":1}`, { reason: "identifier", line: 2 }, /has no dtxsid/],
    ["a dtxsid that is null", '{"dtxsid":null}', { reason: "identifier", line: 1 }, /a dtxsid that is null/],
    [
      "a dtxsid that is a number",
      '{"dtxsid":7020182}',
      { reason: "identifier", line: 1 },
      /a dtxsid that is a number/
    ],
    [
      "a malformed dtxsid",
      '\uFEFF\n{"dtxsid":"BPA"}',
      { reason: "identifier", line: 2 },
      /"BPA" is not a DTXSID/
    ],
    [
      "a dtxsid in lower case",
      '{"dtxsid":"dtxsid7020182"}',
      { reason: "identifier", line: 1 },
      /must be written DTXSID7020182/
    ],
    [
      "an array with a malformed element",
      `[${good},{"dtxsid":}]`,
      { reason: "malformed", element: 2 },
      /bad, element 2: /
    ],
    [
      "an array with an element without dtxsid",
      `[${good},\n{}]`,
      { reason: "identifier", element: 2 },
      /bad, element 2: .*no dtxsid/
    ],
    [
      "an array without a comma",
      `[${good} ${good}]`,
      { reason: "malformed", offset: good.length + 2 },
      /bad, byte \d+: /
    ],
    [
      "an array that is cut off",
      `[${good},`,
      { reason: "malformed", offset: good.length + 2 },
      /bad, byte \d+: /
    ],
    [
      "something after the array",
      `[${good}] x`,
      { reason: "malformed", offset: good.length + 3 },
      /bad, byte \d+: /
    ],
    [
      "gzip that is cut off",
      gzipSync(good).subarray(0, 20),
      { reason: "malformed" },
      /bad is a damaged gzip file/
    ]
  ])("is refused with the place and the reason: %s", (_, content, fields, message) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const file = fileOf(directory, "bad", content)
        const error = yield* Effect.flip(
          Import.details({ database: join(directory, "a.sqlite"), files: [file] })
        )
        expect(error).toMatchObject({ _tag: "ImportError", file, ...fields })
        expect(error.message).toMatch(message)
        if (error.reason !== "unreadable" && !error.message.includes("gzip")) {
          expect(error.message).toMatch(/Nothing was imported\.$/)
        }
      })
    )
  )

  it("is refused before a database is created if it is missing or a folder", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const absent = yield* Effect.flip(Import.details({ database, files: [join(directory, "no")] }))
        expect(absent).toMatchObject({ _tag: "ImportError", reason: "unreadable" })
        expect(absent.message).toContain("no such file")
        const aFolder = yield* Effect.flip(Import.details({ database, files: [directory] }))
        expect(aFolder.message).toContain("it is a folder")
        expect(existsSync(database)).toBe(false)
      })
    ))

  it("leaves the database unchanged, without the records of the files before it", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        yield* Import.details({ database, files: [fileOf(directory, "0", `${line(1)}\n${line(2)}`)] })
        const files = [
          fileOf(directory, "1", line(1, ',"changed":true')),
          fileOf(directory, "2", line(3)),
          fileOf(directory, "3", `${line(4)}\n{`)
        ]
        const error = yield* Effect.flip(Import.details({ database, files }))
        expect(error).toMatchObject({ file: files[2], line: 2 })
        expect(yield* counted(database)).toMatchObject({ details: 2 })
        expect(yield* stored(database, 1, 2, 3, 4)).toEqual([line(1), line(2)])
      })
    ))

  it("leaves no new database behind", () =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const database = join(directory, "a.sqlite")
        const files = [fileOf(directory, "1", line(1)), fileOf(directory, "2", "{")]
        yield* Effect.flip(Import.details({ database, files }))
        expect(readdirSync(directory).sort()).toEqual(["1", "2"])
      })
    ))
})

describe("a text of which the form is not known from its first bytes", () => {
  const forms: ReadonlyArray<readonly [string, string, string]> = [
    ["lines", `${line(1)}\n${line(2)}`, "lines"],
    ["one line without an end", line(1), "more"],
    ["an object over several lines", `{\n"dtxsid":"${id(1)}"}`, "object"],
    ["an array after blank lines and a byte-order mark", `\uFEFF\n \n[${line(1)}]`, "array"],
    ["anything else", "text\n", "lines"]
  ]
  it.each(forms)("is %s at every chunk size", (_, text, form) => {
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size++) {
      const head = new Head()
      let found: string | undefined
      for (let at = 0; at < bytes.length && found === undefined; at += size) {
        found = head.add(bytes.subarray(at, at + size))
      }
      expect([size, found ?? "more"]).toEqual([size, form])
    }
  })

  it.each([
    ["no record", Buffer.alloc(300_000_000, "a"), "line 1: it is longer than 64 MiB"],
    ["blanks", Buffer.alloc(300_000_000, " "), "line 1: it is longer than 64 MiB"],
    [
      "a record",
      Buffer.concat([Buffer.from('{"dtxsid":"'), Buffer.alloc(300_000_000, "a")]),
      "line 1: it is longer"
    ],
    [
      "a record over lines",
      Buffer.concat([Buffer.from('{\n"dtxsid":"'), Buffer.alloc(300_000_000, "a")]),
      "line 1: "
    ],
    ["an array", Buffer.concat([Buffer.from('[{"dtxsid":"'), Buffer.alloc(300_000_000, "a")]), "byte 1: "],
    [
      "a second line",
      Buffer.concat([Buffer.from(`${line(1)}\n{"x":"`), Buffer.alloc(300_000_000, "a")]),
      "line 2: it is longer"
    ]
  ])("is refused at 64 MiB if it expands from 300 kB to 300 MB: %s", (_, text, message) =>
    run(
      Effect.gen(function* () {
        const directory = yield* folder
        const files = [fileOf(directory, "bomb", gzipSync(text, { level: 1 }))]
        const error = yield* Effect.flip(Import.details({ database: join(directory, "a.sqlite"), files }))
        expect(error).toMatchObject({ reason: "malformed", message: expect.stringContaining(message) })
        expect(existsSync(join(directory, "a.sqlite"))).toBe(false)
      })
    )
  )
})
