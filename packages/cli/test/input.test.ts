import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { Identifiers } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as openInput from "../src/input/openInput.ts"
import { folder, run, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const [one, two, three] = ["DTXSID7020182", "DTXSID3039242", "DTXSID0027480"] as const

/** Knows every identifier. */
const knowing = () => scripted(({ ids }) => ({ body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid }))) }))

/** Knows every word. */
const searching = () =>
  scripted(({ path }) => ({
    body: JSON.stringify([{ dtxsid: one, searchValue: decodeURIComponent(path.split("/").at(-1) ?? "") }])
  }))

/** Reads lines without a named field. */
const anyLine = { given: undefined, own: [] }

/** Returns the values of a file, as the command reads them. */
const read = (file: string): Promise<ReadonlyArray<string>> =>
  openInput.open([], file, anyLine).pipe(
    Effect.flatMap(({ identifiers }) => Stream.runCollect(identifiers)),
    Effect.map((all) => all.map(({ text }) => text)),
    Effect.scoped,
    Effect.runPromise
  )

const found = (stdout: string): ReadonlyArray<unknown> => lines(stdout).map(({ dtxsid }) => dtxsid)

describe("a line of input", { concurrent: true }, () => {
  it("is read without byte-order mark, CRLF, blank lines, spaces, comments and the quotes of a CSV column", async () => {
    const { env } = await knowing()
    const input = `\uFEFF${one}\r\n\r\n  # a comment\r\n \t"${two}" \r\n""\r\n${three}`
    const ended = await run(["details", "-q"], { env, input })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(found(ended.stdout)).toEqual([one, two, three])
  })

  it("is counted by its kind if it has no value, and the counts add up", async () => {
    const { env } = await knowing()
    const at = folder()
    const text = `\uFEFF\r\n# of today\r\n${one}\r\n\r\n \t\r\nnonsense\r\n#\n""\n${one}\n\n\n`
    writeFileSync(join(at, "ids.txt"), text)
    const expected =
      /^read 3 = 1 found \+ 0 missing \+ 0 failed \+ 1 duplicates \+ 1 invalid$[\s\S]*^left out 6 blank lines, 2 comments: 11 lines in all$/m
    const counts = ["--json-summary", "counts.json", "-o", "out.ndjson"]
    const ended = await run(["details", "-i", "ids.txt", ...counts], { cwd: at, env })
    expect(ended.stderr).toMatch(expected)
    expect(JSON.parse(readFileSync(join(at, "counts.json"), "utf8"))).toMatchObject({
      read: 3,
      blank: 6,
      comments: 2
    })
    expect((await run(["details"], { cwd: at, env, input: text })).stderr).toMatch(expected)
    const validated = await run(["validate"], { cwd: at, input: `${one}\n\n# one\n${two}` })
    expect(validated.stderr).toMatch(/^left out 1 blank line, 1 comment: 4 lines in all$/m)
    const plain = await run(["details"], { env, input: `${one}\n${two}` })
    expect(plain.stderr).not.toContain("left out")
  })

  it("is a comment for a search, too, unless the word with # is quoted, an argument or in an object", async () => {
    const { env } = await searching()
    const words = async (args: ReadonlyArray<string>, input?: string) =>
      lines((await run(["search", "equal", "-q", ...args], { env, input: input ?? "" })).stdout).map(
        ({ searchValue }) => searchValue
      )
    expect(await words([], '# a comment\n"#2 oil"\n"say ""hey"", oil"\n')).toEqual([
      "#2 oil",
      'say "hey", oil'
    ])
    expect(await words(["#2 oil"])).toEqual(["#2 oil"])
    expect(await words(["--key", "name"], '{"name":"#2 oil"}\n')).toEqual(["#2 oil"])
  })

  it("is invalid if it is an error of a spreadsheet, which is neither a comment nor requested", async () => {
    const { env, requests } = await searching()
    const input = '#N/A\n#NAME?\n"#REF!"\n#VALUE!\n#DIV/0!\n#note\nbenzene\n'
    const ended = await run(["search", "equal"], { env, input })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toMatch(/^read 6 = 1 found \+ 0 missing \+ 0 failed \+ 0 duplicates \+ 5 invalid$/m)
    expect(ended.stderr).toContain('the first in line 1: placeholder: "#N/A" stands for no value')
    expect(requests).toHaveLength(1)
  })

  it("is an object with the value in the field of the endpoint, or in that of --key", async () => {
    const { env } = await knowing()
    const own = await run(["details", "-q"], {
      env,
      input: `{"dtxsid":"${one}","x":[1]}\n${two}\n {"dtxsid":"${three}"}\n`
    })
    expect(found(own.stdout)).toEqual([one, two, three])
    const named = await run(["details", "-q", "--key", "id"], {
      env,
      input: `{"dtxsid":"${one}","id":"${two}"}\n`
    })
    expect(found(named.stdout)).toEqual([two])
  })

  it("is read in the same way by the library and the command, at any chunk size", async () => {
    // Lines with and without significant differences. Only the command reads objects, and refuses rows of a table.
    const unit = fc.constantFrom(
      '"',
      "#",
      " ",
      "\t",
      "\r",
      "\n",
      "\uFEFF",
      "a",
      "é",
      "𝒳",
      '""',
      "x".repeat(4090)
    )
    const bytes = fc
      .tuple(fc.string({ unit }), fc.uint8Array({ maxLength: 3 }))
      .map(([text, more]) => Buffer.concat([Buffer.from(text), more]))
      .filter((whole) => !whole.includes("{") && !/\S[^\n]*\t[^\n]*\S/.test(whole.toString("latin1")))
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9000 }), async (whole, size) => {
        const chunks = Stream.range(0, Math.ceil(whole.length / size) - 1).pipe(
          Stream.map((index) => new Uint8Array(whole.subarray(index * size, (index + 1) * size)))
        )
        const [library, command] = await Promise.all(
          [Identifiers.fromBytes(chunks), openInput.fromBytes(chunks, { given: undefined, own: [] })].map(
            (identifiers) => Effect.runPromise(Stream.runCollect(identifiers))
          )
        )
        expect(library).toEqual(command)
      })
    )
  })

  it("may be longer than any identifier if it is an object", async () => {
    const { env } = await knowing()
    const ended = await run(["details", "-q"], {
      env,
      input: `{"x":"${"y".repeat(1e6)}","dtxsid":"${one}"}\n`
    })
    expect(found(ended.stdout)).toEqual([one])
  })

  it("may be a number for numbered identifiers", async () => {
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((m4id) => ({ m4id })))
    }))
    const ended = await run(["bioactivity", "data", "--by", "m4id", "-q"], {
      env,
      input: '{"m4id":7}\n{"m4id":8.0}\n'
    })
    expect(ended).toMatchObject({ code: 0, stdout: '{"m4id":7}\n{"m4id":8}\n' })
    expect(requests[0]?.ids).toEqual([7, 8])
  })

  it("is requested again if it is a failed one of an errors file, and skipped if it is missing or invalid", async () => {
    const { env } = await knowing()
    const input = [
      { id: one, outcome: "failed", error: { tag: "ServiceFailure" }, line: 1 },
      { id: two, outcome: "missing", line: 2 },
      { id: "x", outcome: "invalid", line: 3 }
    ]
    const ended = await run(["details"], {
      env,
      input: input.map((line) => `${JSON.stringify(line)}\n`).join("")
    })
    expect(found(ended.stdout)).toEqual([one])
    expect(ended.stderr).toMatch(/^read 1 = 1 found/)
    expect(ended.stderr).toContain("\nleft out 2 outcomes not requested again: 3 lines in all\n")
  })

  it("is invalid if it lacks the field or is not JSON, and the run continues", async () => {
    const { env } = await knowing()
    const errors = join(folder(), "errors")
    const input = `{"casrn":"1"}\n{oops\n{"dtxsid":"${one}"}\n{"dtxsid":null}\n[1]\n{"dtxsid":"${two}`
    const ended = await run(["details", "--errors", errors], { env, input })
    expect(ended).toMatchObject({ code: 0 })
    expect(found(ended.stdout)).toEqual([one])
    expect(ended.stderr).toMatch(/^read 6 = 1 found \+ 0 missing \+ 0 failed \+ 0 duplicates \+ 5 invalid/)
    expect(ended.stderr).toContain('5 invalid, the first in line 1: the object has no field "dtxsid"\n')
    const problems = lines(readFileSync(errors, "utf8"))
    expect(problems.map(({ id, line, outcome }) => [id, line, outcome])).toEqual([
      ["", 1, "invalid"],
      ["{oops", 2, "invalid"],
      ["", 4, "invalid"],
      ["[1]", 5, "invalid"],
      [`{"dtxsid":"${two}`, 6, "invalid"]
    ])
    expect(problems[1]).toMatchObject({
      error: { message: '"{oops" starts as a JSON object but is not valid JSON, wrong at byte 2' }
    })
    expect(problems[2]).toMatchObject({ error: { message: 'the field "dtxsid" of the object is null' } })
  })

  it("is not searched for as a word if it is malformed JSON", async () => {
    const { env, requests } = await searching()
    const ended = await run(["search", "equal"], { env, input: '{oops\n{"searchValue":"benzene"}\n' })
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toMatch(/^read 2 = 1 found .* 1 invalid/)
    expect(requests).toHaveLength(1)
  })

  it("is refused with 2 if no line of the input has the field", async () => {
    const { env } = await knowing()
    const other = await run(["details", "-q"], { env, input: `{"casrn":"1"}\n{"casrn":"2"}\n` })
    expect(other).toMatchObject({ code: 2, stdout: "" })
    expect(other.stderr).toMatch(
      /^chemstream: the object in line 1 has no field "dtxsid": name the field to use with --key FIELD/
    )
  })
})

describe("a table", { concurrent: true }, () => {
  const table = 'row,name,casrn\r\na,"Phenol, 4,4\'",80-05-7\r\nb,"two\nlines",\r\nc,Benzene,71-43-2\r\n'

  it("is read by the column of --key, and keeps the columns of --keep", async () => {
    const { env } = await searching()
    const at = folder()
    writeFileSync(join(at, "table.csv"), `\uFEFF${table}`)
    writeFileSync(join(at, "table.tsv"), "casrn\trow\tname\n80-05-7\ta\t\n")
    const search = ["search", "equal", "--key", "casrn", "--with-line", "--keep", "row,name=given", "-i"]
    const ended = await run([...search, "table.csv"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0 })
    expect(lines(ended.stdout)).toEqual([
      { line: 2, row: "a", given: "Phenol, 4,4'", dtxsid: one, searchValue: "80-05-7" },
      { line: 5, row: "c", given: "Benzene", dtxsid: one, searchValue: "71-43-2" }
    ])
    expect(ended.stderr).toContain("invalid: 1 without an identifier, in line 3")
    const tabs = await run([...search, "table.tsv", "-q"], { cwd: at, env })
    expect(lines(tabs.stdout)).toMatchObject([{ line: 2, row: "a", given: "", searchValue: "80-05-7" }])
  })

  it("is refused before any request if it lacks the column, or is a list", async () => {
    const { env, requests } = await searching()
    const at = folder()
    writeFileSync(join(at, "table.csv"), table)
    const search = ["search", "equal", "--key"]
    const wrong = await run([...search, "cas", "-i", "table.csv"], { cwd: at, env })
    expect(wrong).toMatchObject({ code: 2, stdout: "" })
    expect(wrong.stderr).toBe(
      'chemstream: the table has no column "cas": --key takes one of "row", "name", "casrn"\n'
    )
    const slip = await run([...search, "casrn", "-q", "--keep", "row,nmae=x,cas", "-i", "table.csv"], {
      cwd: at,
      env
    })
    expect(slip).toMatchObject({ code: 2, stdout: "" })
    expect(slip.stderr).toBe(
      'chemstream: the table has no column "nmae" (did you mean name?), "cas": --keep takes some of "row", "name", "casrn"\n'
    )
    const near = await run([...search, "casn", "-i", "table.csv"], { cwd: at, env })
    expect(near.stderr).toContain('no column "casn" (did you mean casrn?): --key takes one of')
    const plain = await run([...search, "casrn"], { env, input: "80-05-7\n" })
    expect(plain).toMatchObject({ code: 2, stdout: "" })
    expect(plain.stderr).toContain("line 1 is not an object: omit --key")
    expect(requests).toEqual([])
  })

  it("may have a row with too few or too many cells, which is invalid and named with its line", async () => {
    const { env } = await searching()
    const at = folder()
    const ragged = 'row,casrn\nshort\na,80-05-7\nb,71-43-2,"x,""y"""\n\nc,64-17-5\n'
    writeFileSync(join(at, "table.csv"), ragged)
    const search = ["search", "equal", "--key", "casrn", "--keep", "row", "-i", "table.csv"]
    const ended = await run([...search, "--errors", "errors.ndjson"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0 })
    expect(lines(ended.stdout).map(({ row, searchValue }) => [row, searchValue])).toEqual([
      ["a", "80-05-7"],
      ["c", "64-17-5"]
    ])
    expect(ended.stderr).toMatch(/^read 4 = 2 found .* 2 invalid$/m)
    expect(ended.stderr).toContain(
      "2 invalid, the first in line 2: the row has 1 cell where the header has 2. Correct the row. A cell with a separator needs quotes.\n"
    )
    const problems = lines(readFileSync(join(at, "errors.ndjson"), "utf8"))
    expect(problems.map(({ id, line }) => [id, line])).toEqual([
      ["short", 2],
      ['b,71-43-2,x,"y"', 4]
    ])
    writeFileSync(join(at, "table.csv"), "row,casrn\na\nb\n")
    expect(await run(search, { cwd: at, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("in line 2 the row has 1 cell where the header has 2")
    })
  })

  it("is read with semicolons between its cells, as spreadsheets write it in many countries", async () => {
    const { env } = await searching()
    const at = folder()
    writeFileSync(join(at, "table.csv"), '\uFEFFrow;"casrn";mass\r\na;80-05-7;228,115\r\n')
    writeFileSync(join(at, "mixed.csv"), "row;casrn;mass,Da\r\na;80-05-7;228,115\r\n")
    const search = ["search", "equal", "--key", "casrn", "--keep", "row,mass", "-i"]
    const ended = await run([...search, "table.csv", "-q"], { cwd: at, env })
    expect(lines(ended.stdout)).toMatchObject([{ row: "a", mass: "228,115", searchValue: "80-05-7" }])
    const wide = ["search", "equal", "--key", "casrn", "--keep", '"mass,Da"=mass', "-i", "mixed.csv"]
    const mixed = await run(wide, { cwd: at, env })
    expect(lines(mixed.stdout)).toMatchObject([{ mass: "228,115", searchValue: "80-05-7" }])
    expect(mixed.stderr).toMatch(
      /^mixed\.csv: header in row 1, columns "row", "casrn", "mass,Da", separator ;$/m
    )
  })

  it("is read as lines if it has one column and none is named", async () => {
    const { env } = await knowing()
    const file = join(folder(), "column.csv")
    writeFileSync(file, `"${one}"\n"${two}"\n`)
    expect(found((await run(["details", "-q", "-i", file], { env })).stdout)).toEqual([one, two])
    writeFileSync(file, `"id, of CompTox; or none"\n${two}\n`)
    const headed = await run(["details", "-i", file], { env })
    expect(headed).toMatchObject({ code: 0, stderr: expect.stringContaining("1 invalid") })
    expect(found(headed.stdout)).toEqual([two])
    writeFileSync(file, `4-no "quote\n`)
    expect((await run(["details", "-i", file], { env })).stderr).toContain("1 invalid")
    writeFileSync(file, `{"row":1,"dtxsid":"${one}"}\n`)
    expect(found((await run(["details", "-q", "-i", file], { env })).stdout)).toEqual([one])
  })

  it.each([
    "2,2-dimethylpropane",
    "1,2-dichloroethane",
    "2,4-D",
    "3,3',5,5'-tetrabromobisphenol A",
    "2,3,7,8-TCDD",
    "trans-1,3-dichloropropene",
    "4,4'-(1-methylethylidene)bisphenol",
    "bis(2,3-dibromopropyl) ether",
    "N,N-diethyl-m-toluamide",
    "N,N'-diphenylurea",
    "O,O-dimethyl phosphorothioate",
    "p,p'-DDT",
    "o,p'-DDE",
    "dibenz[a,h]anthracene",
    "indeno[1,2,3-cd]pyrene",
    "bis-N,N-dimethylaniline"
  ])("is read as lines if it starts with the name %s, whose commas do not separate cells", async (name) => {
    const file = join(folder(), "names.csv")
    writeFileSync(file, `${name}\nbenzene\n2,2-dimethylbutane\n`)
    expect(await read(file)).toEqual([name, "benzene", "2,2-dimethylbutane"])
  })

  it("is searched for line by line if it starts with such a name", async () => {
    const { env, requests } = await searching()
    const at = folder()
    const names = ["3,3',5,5'-tetrabromobisphenol A", "benzene", "2,2-dimethylbutane"]
    writeFileSync(join(at, "names.csv"), names.map((name) => `${name}\n`).join(""))
    const search = ["search", "equal", "--concurrency", "1", "-q", "--fields", "searchValue", "-i"]
    const ended = await run([...search, "names.csv"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout).map(({ searchValue }) => searchValue)).toEqual(names)
    expect(requests.length).toBe(3)
  })

  it("has one value in each row of its only column, including commas", async () => {
    const { env } = await searching()
    const at = folder()
    writeFileSync(
      join(at, "names.csv"),
      '\uFEFFname\r\n2,2-dimethylpropane\r\n"Phenol, 4-nonyl-"\r\nBenzene, 1,2-dichloro-\r\n'
    )
    const ended = await run(["search", "equal", "-q", "--key", "name", "-i", "names.csv"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout).map(({ searchValue }) => searchValue)).toEqual([
      "2,2-dimethylpropane",
      "Phenol, 4-nonyl-",
      "Benzene, 1,2-dichloro-"
    ])
  })

  it("is read as lines, also names with commas, if its extension is .txt", async () => {
    const { env } = await searching()
    const at = folder()
    writeFileSync(join(at, "names.txt"), "Benzene, 1,2-dichloro-\n")
    const ended = await run(["search", "equal", "-q", "-i", "names.txt"], { cwd: at, env })
    expect(lines(ended.stdout)).toMatchObject([{ searchValue: "Benzene, 1,2-dichloro-" }])
  })

  it.each([
    ["table.csv", table, '"row", "name", "casrn"'],
    ["table.csv", '# of today\n\n"row; number";casrn\n1;80-05-7\n', '"row; number", "casrn"'],
    ["table.tsv", "row\tcasrn\na\t80-05-7\n", '"row", "casrn"'],
    // Names of columns, or values of a first row without a header.
    ["table.csv", "id,2-name\na,b\n", '"id", "2-name"'],
    ["table.csv", "1,80-05-7\n", '"1", "80-05-7"'],
    ["table.csv", "80-05-7,1-butanol\n", '"80-05-7", "1-butanol"'],
    ["table.csv", "n,p-value\n1,0.5\n", '"n", "p-value"'],
    ["table.csv", "2,2-dimethylpropane,463-82-1\n", '"2", "2-dimethylpropane", "463-82-1"'],
    // An inverted name looks like two columns.
    ["names.csv", "Benzene, 1,2-dichloro-\n", '"Benzene", "1", "2-dichloro-"']
  ])("is refused with 2 if no column is named and %s has several", async (name, text, columns) => {
    const file = join(folder(), name)
    writeFileSync(file, text)
    const refused = await Effect.runPromise(Effect.scoped(Effect.flip(openInput.open([], file, anyLine))))
    const place = text.startsWith("#")
      ? " (header in row 3, separator ;)"
      : name.endsWith("tsv")
        ? " (header in row 1, separator tab)"
        : ""
    expect(refused).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(
        `${name} is a table${place}: name the column of the values with --key, one of ${columns}.`
      )
    })
  })

  it("is refused before any request if it has several columns and none is named", async () => {
    const { env, requests } = await knowing()
    const at = folder()
    writeFileSync(join(at, "table.csv"), table)
    const ended = await run(["details", "-i", "table.csv"], { cwd: at, env })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(
      /^chemstream: table\.csv is a table: name the column of the values with --key, one of "row", "name", "casrn"\./
    )
    expect(requests).toEqual([])
  })
})

describe("the time of input", { concurrent: true }, () => {
  it("does not matter for a pipe: its lines are looked up as they arrive", async () => {
    const { env, requests } = await knowing()
    const details = start(["details", "-q"], { env, input: `${one}\n`, isOpen: true })
    await details.prints(new RegExp(one))
    details.child.stdin?.write(`${two}\n`)
    await details.prints(new RegExp(two))
    details.child.stdin?.end()
    expect(await details.ended).toMatchObject({ code: 0, stderr: "" })
    expect(requests.map(({ ids }) => ids)).toEqual([[one], [two]])
  })

  it("does not matter for a named pipe either", async () => {
    const { env } = await knowing()
    const pipe = join(folder(), "pipe")
    execFileSync("mkfifo", [pipe])
    const details = start(["details", "-q", "-i", pipe], { env })
    const writer = await open(pipe, "w")
    await writer.write(`${one}\n`)
    await details.prints(new RegExp(one))
    await writer.close()
    expect(await details.ended).toMatchObject({ code: 0 })
  })

  it("does not split the lines of a file into small batches", async () => {
    const { env, requests } = await knowing()
    const file = join(folder(), "ids")
    writeFileSync(file, [one, one, two, three].join("\n"))
    await run(["details", "-q", "-i", file, "--batch-size", "2"], { env })
    expect(requests.map(({ ids }) => ids)).toEqual([[one, two], [three]])
  })
})
