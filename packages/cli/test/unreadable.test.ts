import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as Encoding from "../src/input/encoding.ts"
import { command, environment, folder, run } from "./process.ts"
import { scripted } from "./scripted.ts"

const one = "DTXSID7020182"

/** Knows every identifier. */
const knowing = () => scripted(({ ids }) => ({ body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }))

/** Knows every word. */
const searching = () =>
  scripted(({ path }) => ({
    body: JSON.stringify([{ dtxsid: one, searchValue: decodeURIComponent(path.split("/").at(-1) ?? "") }])
  }))

describe("an input that is not text in UTF-8", { concurrent: true }, () => {
  const header = (signature: string): Buffer =>
    Buffer.concat([Buffer.from(signature, "latin1"), Buffer.alloc(600)])

  it.each<[string, Buffer, string]>([
    [
      "hits.xlsx",
      header("PK\u0003\u0004\u0014..[Content_Types].xml"),
      "not a workbook (Doesn't look like an `.xlsx` file"
    ],
    [
      "hits.ods",
      header("PK\u0003\u0004..mimetypeapplication/vnd.oasis.opendocument"),
      "an OpenDocument sheet."
    ],
    ["hits.zip", header("PK\u0003\u0004..hits.txt"), "a zip file. Unpack it: unzip -p hits.zip |"],
    [
      "hits.xls",
      header("\u00d0\u00cf\u0011\u00e0\u00a1\u00b1"),
      "an old Excel workbook, or one with a password."
    ],
    ["hits.sql", header("SQLite format 3\u0000"), "a SQLite database. End its name in .sqlite, and name"],
    ["hits.duck", header("\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008DUCK"), "a DuckDB database."],
    ["hits.png", header("\u0089PNG\r\n\u001a\n"), "a picture (PNG). Give the identifiers as text"],
    ["hits.jpg", header("\u00ff\u00d8\u00ff\u00e0"), "a picture (JPEG)."],
    ["hits.gif", header("GIF89a"), "a picture (GIF)."],
    ["hits.pdf", header("%PDF-1.7"), "a PDF."],
    ["hits.bz2", header("BZh91AY&SY"), "compressed with bzip2. Unpack it: bzip2 -dc hits.bz2 |"],
    ["hits.xz", header("\u00fd7zXZ\u0000"), "compressed with xz."],
    [
      "bom.txt",
      Buffer.from(`\uFEFF${one}\r\n`, "utf16le"),
      "in UTF-16. Convert it: iconv -f UTF-16 -t UTF-8 bom.txt > utf8-bom.txt"
    ],
    [
      "big.txt",
      Buffer.from(`\uFEFF${one}\r\n`, "utf16le").swap16(),
      "in UTF-16. Convert it: iconv -f UTF-16 "
    ],
    ["le.txt", Buffer.from(`${one}\r\n`, "utf16le"), "in UTF-16LE. Convert it: iconv -f UTF-16LE "],
    ["be.txt", Buffer.from(`${one}\r\n`, "utf16le").swap16(), "in UTF-16BE. Convert it: iconv -f UTF-16BE "],
    ["some.bin", header("abc"), "not text: it holds zero bytes."],
    [
      "noise.bin",
      Buffer.from("\u0001\u0005\u0092ab\u0010\u0011".repeat(20), "latin1"),
      "not text: it holds control characters."
    ],
    [
      "all.tar",
      Buffer.concat([Buffer.from("ids.txt".padEnd(257, "0")), header("ustar")]),
      "a tar archive. Unpack it: tar -xOf all.tar |"
    ],
    ["twice.gz", gzipSync(gzipSync(one)), "compressed twice. Unpack it: gzip -dc twice.gz |"],
    ["page.csv.gz", gzipSync("<html></html>"), "an HTML page. Fetch the file again"],
    ["page.txt", Buffer.from(`\uFEFF\n<!DOCTYPE HTML>\n<title>${one}`), "an HTML page. Fetch the file again"],
    ["page.csv", Buffer.from('<?xml version="1.0"?>\n<html xmlns="x">\n'), "an HTML page."],
    ["run.mzML", Buffer.from('<?xml version="1.0"?>\n<mzML>\n'), "an XML document."],
    ["card.svg", Buffer.from('<svg width="1">\n'), "an XML document."],
    [
      "note.rtf",
      Buffer.from(`{\\rtf1\\ansi ${one}\n}`),
      "a document in rich text (RTF). Save it as plain text"
    ],
    [
      "page.json",
      Buffer.from(`{\n  "data": ["${one}"]\n}\n`),
      "a JSON object of several lines. Give one object a line: jq -c . page.json |"
    ],
    ["more.json", Buffer.from(`{"data": [\n  "${one}"]}\n`), "a JSON object of several lines."],
    [
      "a.sdf",
      Buffer.from(`Bisphenol A\r\n  -OEChem-\r\n\r\n 17 18  0     0  0  0  0  0  0999 V2000\r\n`),
      "a file of structures (SDF or molfile). Give the values of a field"
    ],
    [
      "a mol",
      Buffer.from("\n  Mrv\n\n  0  0  0     0  0            999 V3000\n"),
      "a file of structures (SDF or molfile). Give the values of a field, one a line: awk '/^>.*<DTXSID>/ { getline; print }' 'a mol' |"
    ],
    ["run.mgf", Buffer.from("BEGIN IONS\nPEPMASS=228.1\n"), "a file of spectra (MGF)."]
  ])("is refused by what it is, named or piped: %s", async (name, bytes, says) => {
    const { env, requests } = await knowing()
    const at = folder()
    writeFileSync(join(at, name), bytes)
    const named = await run(["details", "-i", name], { env, cwd: at })
    expect(named).toMatchObject({ code: 2, stdout: "" })
    expect(named.stderr).toContain(`chemstream: cannot read ${name}: it is ${says}`)
    // The reader of tables takes other ways than the reader of lines.
    const piped = await run(["resolve", "--key", "name"], { env, input: bytes })
    expect(piped).toMatchObject({ code: 2, stdout: "" })
    expect(piped.stderr).toContain(`cannot read standard input: it is ${says.split(/ \(|\./)[0]}`)
    expect(piped.stderr).not.toMatch(/standard input[ '"].*\|/)
    expect(requests).toEqual([])
  })

  it.each([
    [
      "a header of a spreadsheet",
      '"Peak";"CAS No."\n1;80-05-7\n',
      'is a table (header in row 1, separator ;): name the column of the values with --key, one of "Peak", "CAS No."'
    ],
    ["tabs", "first\tsecond\na\tb\n", 'with --key, one of "first", "second".'],
    [
      "rows without a header",
      "# mine\n80-05-7,Bisphenol A,1,2,3,4\n",
      'line 2 looks like a row of a table, with the cells "80-05-7", "Bisphenol A", "1", "2", "3" and 1 more.'
    ],
    [
      "identifiers beside each other",
      `${one}, DTXSID3039242\n`,
      `line 1 has 2 values: "${one}", "DTXSID3039242". Give one value a line`
    ]
  ])("is refused if its lines are no values but a table, by %s", async (_, text, says) => {
    const { env, requests } = await searching()
    const at = folder()
    writeFileSync(join(at, "list.txt"), text)
    for (const command of [["details", "-i", "list.txt"], ["search", "equal"], ["resolve"], ["validate"]]) {
      const ended = await run(command, { env, cwd: at, input: command.includes("-i") ? "" : text })
      expect(ended, command.join(" ")).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toContain(says)
      expect(ended.stderr).toContain("If the line is one value, put quotes around it\n")
    }
    expect(requests).toEqual([])
  })

  it.each([
    "[1,1'-biphenyl]-4-ol",
    "[Na+].[Cl-]",
    "Phenol, 4,4'-(1-methylethylidene)bis-",
    "2,4-D; technical",
    "acetic acid, sodium salt",
    "V2000",
    '"Phenol,name"'
  ])("is a list of values if it starts with %s", async (name) => {
    const { env, requests } = await searching()
    const ended = await run(["search", "equal", "-q"], { env, input: `${name}\nbenzene\n` })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ["lines", "names.txt", "benzene\ncaf\u00e9ine\n", []],
    ["objects", "names.ndjson", '{"name":"benzene"}\n{"name":"caf\u00e9ine"}\n', ["--key", "name"]],
    ["a table", "names.csv", "id,name\n1,caf\u00e9ine\n", ["--key", "id"]],
    ["a comment", "names.txt", "benzene\n# caf\u00e9ine\n", []]
  ])("is refused with its line and the command that converts it: %s", async (_, name, text, args) => {
    const { env, requests } = await searching()
    const at = folder()
    const bytes = Buffer.from(text, "latin1")
    writeFileSync(join(at, name), bytes)
    for (const command of [["search", "equal"], ["validate"]]) {
      const ended = await run([...command, ...args, "-i", name], { env, cwd: at })
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toBe(
        `chemstream: cannot read ${name}: line 2 is not UTF-8. Convert it: iconv -f WINDOWS-1252 -t UTF-8 ${name} > utf8-${name}\n`
      )
    }
    expect(requests).toEqual([])
    writeFileSync(join(at, name), text.replace("\u00e9", "\u00e9 \uFFFD"))
    const converted = await run(["search", "equal", ...args, "-i", name, "-q"], { env, cwd: at })
    expect(converted).toMatchObject({ code: 0, stderr: "" })
  })

  it("is detected at any chunk size", async () => {
    const read = (bytes: Buffer, size: number) =>
      Stream.range(0, Math.ceil(bytes.length / size) - 1).pipe(
        Stream.map((index) => new Uint8Array(bytes.subarray(index * size, (index + 1) * size))),
        Encoding.requireUtf8("it"),
        Stream.runCollect,
        Effect.match({
          onSuccess: (chunks) => Buffer.concat(chunks).toString("latin1"),
          onFailure: ({ message }) => message
        }),
        Effect.runPromise
      )
    const good = Buffer.from("a\n\u00e9\u20ac\u{1d4b3}\n\u{1d4b3}")
    for (let size = 1; size <= good.length; size++) {
      expect(await read(good, size)).toBe(good.toString("latin1"))
      for (const [bad, line] of [
        [Buffer.concat([good, Buffer.from([0xe9])]), 3],
        [Buffer.concat([good.subarray(0, 3), Buffer.from("\nb")]), 2],
        [Buffer.concat([good, Buffer.from([0x80, 0x0a])]), 3]
      ] as const) {
        expect(await read(bad, size)).toMatch(new RegExp(`^cannot read it: line ${line} is not UTF-8\\. `))
      }
    }
  })

  it("may be a file of text that is named as a workbook, or a folder", async () => {
    const { env, requests } = await knowing()
    const at = folder()
    writeFileSync(join(at, "in.xlsx"), "80-05-7\n")
    expect(await run(["details", "--input", "in.xlsx"], { env, cwd: at })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^chemstream: cannot read in\.xlsx: it is not a workbook \(.+\)\. Save it as \.xlsx again, or name it \.csv if it is text\n$/
      )
    })
    expect(await run(["details", "--input", at], { env })).toMatchObject({
      code: 2,
      stderr: `chemstream: cannot read ${at}: it is a folder. Give a file with --input FILE\n`
    })
    expect(requests).toEqual([])
  })

  it("may be a folder on standard input", async () => {
    const { env, requests } = await knowing()
    const line = `"$0" "$1" details < /tmp`
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile("sh", ["-c", line, process.execPath, command], { env: environment(env) }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr })
      )
    })
    expect(ended).toEqual({
      code: 2,
      stderr: "chemstream: cannot read standard input: it is a folder. Give a file with --input FILE\n"
    })
    expect(requests).toEqual([])
  })
})

describe("an input without a valid value", { concurrent: true }, () => {
  it.each<[string, ReadonlyArray<string>, string, string]>([
    [
      "a CAS number",
      ["details"],
      "80-05-7\n",
      '"80-05-7" looks like a CAS number: chemstream search equal 80-05-7. For a list: chemstream resolve --input FILE'
    ],
    [
      "names and a key",
      ["details"],
      "Bisphenol A\nbenzene\nIISBACLAFKSPIT-UHFFFAOYSA-N\n",
      "2 look like names: chemstream search equal 'Bisphenol A'. \"IISBACLAFKSPIT-UHFFFAOYSA-N\" looks like an InChIKey: chemstream search equal IISBACLAFKSPIT-UHFFFAOYSA-N. For a list: chemstream resolve --input FILE"
    ],
    [
      "a list of CAS numbers",
      ["details"],
      "80-05-7\n71-43-2\n",
      "2 look like CAS numbers: chemstream search equal 80-05-7. For a list: chemstream resolve --input FILE"
    ],
    ["a compound", ["details"], "DTXCID30182\n", "chemstream details --by dtxcid DTXCID30182"],
    ["a formula", ["synonyms"], "C15H16O2\n", "a molecular formula: chemstream formula exact C15H16O2"],
    ["masses", ["details"], "228.115\n180.06\n", "2 look like masses: chemstream msready mass 228.115"],
    ["an identifier of a substance", ["formula", "exact"], `${one}\n`, `chemstream details ${one}`]
  ])("ends with 2, and says what takes %s", async (_, args, text, says) => {
    const { env, requests } = await knowing()
    const ended = await run(args, { env, input: text })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain("chemstream: no value of the input is valid. ")
    expect(ended.stderr).toContain(`${says}\n`)
    expect(requests).toEqual([])
  })

  it.each([
    ["show", "80-05-7"],
    ["report", "80-05-7"],
    ["plot", "bioactivity", "80-05-7"]
  ])("ends %s with 2, too", async (...args) => {
    const { env } = await knowing()
    const ended = await run(args, { env })
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain(
      "chemstream search equal 80-05-7. For a list: chemstream resolve --input FILE\n"
    )
  })

  it("is no failure if it is empty, or if one value is valid", async () => {
    const { env } = await knowing()
    for (const text of ["", "\n\n", "# only a comment\n", `80-05-7\n${one}\n`]) {
      expect((await run(["details", "-q"], { env, input: text })).code).toBe(0)
    }
    const { code, stderr } = await run(["details"], { env, input: "\n# only a comment\n" })
    expect([code, stderr]).toEqual([0, expect.stringContaining("no identifier was read from the input\n")])
  })
})
