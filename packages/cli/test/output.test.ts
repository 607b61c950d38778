import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { Dtxsid } from "@chemstream/api"
import { Result } from "effect"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { describe, expect, it } from "vitest"
import { command, environment, folder, run, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"
const benzene = "DTXSID3039242"
const two = ["details", bisphenolA, benzene, "--fields", "dtxsid,casrn,preferredName,nope", "--any-fields"]
const names = [
  { dtxsid: bisphenolA, casrn: "80-05-7", preferredName: "Bisphenol A", nope: null },
  { dtxsid: benzene, casrn: "71-43-2", preferredName: "Benzene", nope: null }
]

const identifiers = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => Result.getOrThrow(Dtxsid.parse(`DTXSID00${10_000 + index}`)))

const recordsOf = (ids: ReadonlyArray<string>, more: object = {}): string =>
  JSON.stringify(ids.map((dtxsid) => ({ dtxsid, ...more })))

/** Runs a shell script. `$0 $1` is the command in it. */
const shell = async (script: string, env: Record<string, string>, cwd?: string) => {
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script, process.execPath, command], {
    cwd,
    env: environment(env),
    maxBuffer: 64 * 1024 * 1024
  })
  return stdout
}

/** The columns of a Parquet file with their types, as another library reads them. */
const columnsOf = (file: Buffer): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    parquetMetadata(bufferOf(file))
      .schema.slice(1)
      .map(({ converted_type, name, type }) => [name, converted_type ?? type])
  )

const bufferOf = (file: Buffer): ArrayBuffer => new Uint8Array(file).buffer

describe("the format of the records", { concurrent: true }, () => {
  it("is that of --format, else of the extension, else NDJSON", async () => {
    const { env } = await sharedService()
    const at = folder()
    const written = async (...args: ReadonlyArray<string>): Promise<Buffer> => {
      const ended = await run([...two, "-q", ...args], { cwd: at, env })
      expect(ended, args.join(" ")).toEqual({
        code: 0,
        stdout: ended.stdout,
        stderr: 'chemstream: warning: --fields: 2 records had no field "nope"\n'
      })
      const file = args[args.indexOf("-o") + 1] ?? ""
      return args.includes("-o") ? readFileSync(join(at, file)) : Buffer.from(ended.stdout)
    }
    const ndjson = await written()
    const csv = await written("--format", "csv")
    const tsv = await written("--format", "tsv")
    const json = await written("--format", "json")
    expect(lines(ndjson.toString())).toEqual(names)
    expect(csv.toString()).toBe(
      `dtxsid,casrn,preferredName,nope\r\n${bisphenolA},80-05-7,Bisphenol A,\r\n${benzene},71-43-2,Benzene,\r\n`
    )
    expect(tsv.toString()).toBe(
      `dtxsid\tcasrn\tpreferredName\tnope\n${bisphenolA}\t80-05-7\tBisphenol A\t\n${benzene}\t71-43-2\tBenzene\t\n`
    )
    expect(JSON.parse(json.toString())).toEqual(names)
    expect(await written("-o", "out.csv")).toEqual(csv)
    expect(await written("-o", "out.jsonl")).toEqual(ndjson)
    expect(gunzipSync(await written("-o", "out.tsv.gz"))).toEqual(tsv)
    expect(await written("-o", "out.csv", "-f", "json")).toEqual(json)
    expect(await written("-o", "out", "-f", "tsv")).toEqual(tsv)
    const parquet = await written("-o", "out.parquet")
    expect([parquet.toString("latin1", 0, 4), parquet.toString("latin1", parquet.length - 4)]).toEqual([
      "PAR1",
      "PAR1"
    ])
    expect(parquet.includes("Bisphenol A")).toBe(true)
    expect(await written("-f", "parquet", "-o", "out")).toEqual(parquet)
    expect(readdirSync(at).sort()).toEqual(["out", "out.csv", "out.jsonl", "out.parquet", "out.tsv.gz"])
  })

  it("applies to all commands, also without records", async () => {
    const { env } = await sharedService("--page-size", "100")
    const all = await run(["all", "-p", "all-ids", "-f", "csv", "-q"], { env })
    const rows = all.stdout.trimEnd().split("\r\n")
    expect(rows[0]).toBe("id,dtxcid,dtxsid")
    expect(rows.length).toBeGreaterThan(200)
    const counts = await run(["formula", "exact", "C15H16O2", "--count", "-f", "csv", "-q"], { env })
    expect(counts.stdout).toBe("query,count\r\nC15H16O2,1\r\n")
    const none = ["details", "DTXSID00100000", "-q"]
    expect(await run([...none, "-f", "json"], { env })).toMatchObject({ code: 0, stdout: "[]\n" })
    expect(await run([...none, "-p", "compact", "-f", "csv"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dtxsid,dtxcid,casrn,preferredName,[^\n]+\r\n$/)
    })
    expect(await run([...none, "-f", "csv", "--fields", "dtxsid,casrn"], { env })).toMatchObject({
      code: 0,
      stdout: "dtxsid,casrn\r\n"
    })
    const cwd = folder()
    const parquet = [...none, "-p", "compact", "-o", "none.parquet"]
    expect(await run(parquet, { cwd, env })).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(columnsOf(readFileSync(join(cwd, "none.parquet")))["dtxcid"]).toBe("UTF8")
  })

  it("has in Parquet the typed columns of the contract, for any first records", async () => {
    const ids = identifiers(1100)
    const { env } = await scripted(({ ids: asked }) => ({
      body: JSON.stringify(
        asked.map((dtxsid) =>
          dtxsid === ids[1050]
            ? { totalAssays: 7, casrn: "71-43-2", monoisotopicMass: 78, dtxsid, ours: 1 }
            : { totalAssays: null, casrn: null, monoisotopicMass: null, dtxsid, ours: 0.5 }
        )
      )
    }))
    const cwd = folder()
    const details = ["details", "-p", "ntatoolkit", "-q", "-o"]
    expect(await run([...details, "all.parquet"], { cwd, env, input: ids.join("\n") })).toMatchObject({
      code: 0
    })
    const all = readFileSync(join(cwd, "all.parquet"))
    const types = columnsOf(all)
    expect(types).toMatchObject({
      totalAssays: "INT64",
      casrn: "UTF8",
      monoisotopicMass: "DOUBLE",
      percentAssays: "DOUBLE",
      // JSON text, because the contract does not have it.
      ours: "UTF8"
    })
    expect(Object.keys(types).slice(0, 3)).toEqual(["preferredName", "activeAssays", "cpdataCount"])
    expect((await parquetReadObjects({ file: bufferOf(all) }))[1050]).toMatchObject({
      totalAssays: 7n,
      ours: "1"
    })
    const few = ["--fields", "totalAssays,ours,dtxsid", "--any-fields"]
    expect(await run([...details, "few.parquet", ...few], { cwd, env, input: ids.join("\n") })).toMatchObject(
      {
        code: 0
      }
    )
    expect(Object.entries(columnsOf(readFileSync(join(cwd, "few.parquet"))))).toEqual([
      ["totalAssays", "INT64"],
      ["ours", "UTF8"],
      ["dtxsid", "UTF8"]
    ])
  })

  it("keeps in Parquet the types of the contract: a value that does not fit is in other_fields", async () => {
    const { env } = await scripted(({ ids: asked }) => ({
      body: JSON.stringify(
        asked.map((dtxsid) => ({ dtxsid, totalAssays: dtxsid === benzene ? 3 : 2.5, preferredName: 7 }))
      )
    }))
    const cwd = folder()
    const fields = ["--fields", "dtxsid,totalAssays,preferredName"]
    const ended = await run(["details", bisphenolA, benzene, "-q", "-o", "odd.parquet", ...fields], {
      cwd,
      env
    })
    expect(ended).toMatchObject({ code: 0 })
    const file = readFileSync(join(cwd, "odd.parquet"))
    expect(columnsOf(file)).toEqual({
      dtxsid: "UTF8",
      totalAssays: "INT64",
      preferredName: "UTF8",
      other_fields: "UTF8"
    })
    expect(await parquetReadObjects({ file: bufferOf(file) })).toEqual([
      { dtxsid: bisphenolA, totalAssays: null, preferredName: "7", other_fields: '{"totalAssays":2.5}' },
      { dtxsid: benzene, totalAssays: 3n, preferredName: "7", other_fields: null }
    ])
  })

  it.each([
    [["formula", "exact", "C15H16O2", "--count"], { query: "UTF8", count: "INT64" }],
    [["search", "equal", "benzene", "--fields", "rank,isMarkush"], { rank: "INT64", isMarkush: "BOOLEAN" }],
    [["msready", "mass", "228.115"], { query: "UTF8", dtxsid: "UTF8" }],
    [["msready", "mass", "--range", "228,228.2"], { query: "UTF8", dtxsid: "UTF8" }],
    [["all", "--fields", "id,qcLevel"], { id: "UTF8", qcLevel: "INT64" }]
  ])("has in Parquet the columns of the contract: %j", async (args, columns) => {
    const { env } = await sharedService()
    const cwd = folder()
    expect(await run([...args, "-q", "-o", "out.parquet"], { cwd, env })).toMatchObject({ code: 0 })
    expect(columnsOf(readFileSync(join(cwd, "out.parquet")))).toEqual(columns)
  })

  it.each(["out.ods", "out.txt.gz", "out.ndjson.bz2"])(
    "is required for an unknown extension: %s",
    async (output) => {
      const { env } = await sharedService()
      const at = folder()
      const ended = await run([...two, "-o", output], { cwd: at, env })
      expect(ended).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toMatch(
        /^chemstream: unknown output format \.(ods|txt|bz2) [^\n]*\.parquet[^\n]*--format\n$/
      )
      expect(readdirSync(at)).toEqual([])
      expect(await run([...two, "-q", "-o", output, "-f", "csv"], { cwd: at, env })).toMatchObject({
        code: 0
      })
      expect(readdirSync(at)).toEqual([output])
    }
  )

  it.each([
    [["details", bisphenolA, "-o", "out.csv", "--errors", "problems.csv"], "--errors problems.csv"],
    [["validate", bisphenolA, "-o", "findings.xlsx"], "--output findings.xlsx"],
    [["harvest", "start", "one", "--mirror", "m", "--report", "r.parquet"], "--report r.parquet"]
  ])("is always NDJSON for some files, which refuse the name of another one: %j", async (args, named) => {
    const at = folder()
    const { env } = await sharedService()
    const ended = await run(args, { cwd: at, env, input: bisphenolA })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toContain(`${named}: its content is NDJSON. Name it .ndjson`)
    expect(readdirSync(at)).toEqual([])
  })

  it("has a column for a field that only a late record has; on standard output this value is refused", async () => {
    const ids = identifiers(1200)
    const { env } = await scripted(({ ids: asked }) => ({
      body: JSON.stringify(
        asked.map((dtxsid) => (dtxsid === ids[1100] ? { dtxsid, ours: "71-43-2" } : { dtxsid }))
      )
    }))
    const at = folder()
    const input = ids.join("\n")
    const late = ["details", "--batch-size", "100", "-q"]
    expect(await run([...late, "-o", "out.csv"], { cwd: at, env, input })).toMatchObject({ code: 0 })
    const [header = "", ...rows] = readFileSync(join(at, "out.csv"), "utf8").trimEnd().split("\r\n")
    expect(header).toMatch(/,ours$/)
    expect([rows.length, rows[1100]]).toEqual([1200, expect.stringMatching(/,71-43-2$/)])
    expect(readdirSync(at)).toEqual(["out.csv"])
    const piped = await run([...late, "-f", "csv"], { cwd: at, env, input })
    expect(piped.stdout.trimEnd().split("\r\n")).toHaveLength(1201)
    expect(piped).toMatchObject({
      code: 1,
      stderr: `chemstream: line 1101 (${ids[1100]}): it has a field that earlier records lack, so the table has no column for it (field "ours"). Write to a file, which keeps every value\n`
    })
  })

  it("is written as responses arrive, if the columns are known", async () => {
    const { env } = await scripted(({ ids }) => ({ body: recordsOf(ids) }))
    const details = start(["details", "-f", "tsv", "--fields", "dtxsid", "-q"], {
      env,
      input: `${bisphenolA}\n`,
      isOpen: true
    })
    await details.prints(new RegExp(`^dtxsid\n${bisphenolA}\n$`))
    details.child.stdin?.end(`${benzene}\n`)
    expect(await details.ended).toEqual({
      code: 0,
      stdout: `dtxsid\n${bisphenolA}\n${benzene}\n`,
      stderr: ""
    })
  })
})

describe("an output that stops early", { concurrent: true }, () => {
  it.each(["ndjson", "csv", "json"])("because the reader closes it exits with 0: %s", async (format) => {
    const { env } = await sharedService()
    const rest = `-f ${format} --batch-size 10 2>err | head -n 3; echo "codes \${PIPESTATUS[*]}"; cat err`
    for (const asked of ["details -q -i ids", "all -q -p all-ids"]) {
      const at = folder()
      const ids = (await run(["all", "-p", "all-ids", "-q"], { env })).stdout
      writeFileSync(join(at, "ids"), ids.repeat(20))
      const args = asked.startsWith("all") ? rest.replace("--batch-size 10 ", "") : `--no-dedupe ${rest}`
      const stdout = await shell(`"$0" "$1" ${asked} ${args}`, env, at)
      expect(stdout.trimEnd().split("\n").slice(3)).toEqual(["codes 0 0"])
    }
  })

  it("keeps the content of a redirected stream of this process, under any name", async ({ expect }) => {
    const { env } = await sharedService()
    const at = folder()
    const args = `"$0" "$1" details ${bisphenolA} DTXSID2099900001 --fields dtxsid -q`
    const record = `{"dtxsid":"${bisphenolA}"}\n`
    const text = (name: string) => readFileSync(join(at, name), "utf8")
    symlinkSync("/dev/stdout", join(at, "link"))
    for (const name of ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"]) {
      await shell(`{ echo start; ${args} -o ${name}; echo end; } > out`, env, at)
      expect(text("out"), name).toBe(`start\n${record}end\n`)
    }
    await shell(`echo prior > both; ${args} --errors /dev/stdout >> both`, env, at)
    const [prior, ...both] = text("both").trimEnd().split("\n")
    expect(prior).toBe("prior")
    expect(both.sort()).toEqual([record.trimEnd(), expect.stringMatching(/^\{"id":"DTXSID2099900001",.*\}$/)])
    const summary = `--json-summary /dev/stderr`
    await shell(`{ echo start >&2; ${args} ${summary}; echo end >&2; } 2> log > /dev/null`, env, at)
    expect(text("log")).toMatch(/^start\n\{"read":2,[^\n]*\}\nend\n$/)
    await shell(`${args} ${summary} -o saved.ndjson --checkpoint saved 2> log`, env, at)
    expect([text("saved.ndjson"), text("log")]).toEqual([record, expect.stringMatching(/^\{"read":2,/)])
    await shell(`{ echo start >&3; ${args} --errors /dev/fd/3; echo end >&3; } 3> third`, env, at)
    expect(text("third")).toMatch(/^start\n\{"id":"DTXSID2099900001",[^\n]*\nend\n$/)
    await shell(`${args} -o >(cat > piped)`, env, at)
    await expect.poll(() => text("piped"), { timeout: 60_000 }).toBe(record)
    expect(await shell(`${args} -o /dev/fd/77 2>&1; echo $?`, env, at)).toMatch(
      /^chemstream: cannot write --output "\/dev\/fd\/77": bad file descriptor[^\n]*\n2\n$/
    )
    expect(readdirSync(at).sort()).toEqual(["both", "link", "log", "out", "piped", "saved.ndjson", "third"])
  })

  it.each([[[]], [["-f", "csv"]], [["-f", "parquet"]]])(
    "because the device is full exits with 1 and one line: %j",
    async (format) => {
      const { env } = await sharedService()
      const ended = await run(["details", bisphenolA, "-o", "/dev/full", "-q", ...format], { env })
      expect(ended).toMatchObject({ code: 1, stdout: "" })
      expect(ended.stderr).toMatch(/^chemstream: cannot write \/dev\/full: no space left on device[^\n]*\n$/)
      expect(await shell(`"$0" "$1" details ${bisphenolA} -q >/dev/full 2>&1; echo $?`, env)).toBe("1\n")
    }
  )

  it.each(["--help", "--version", "--completions bash", "help errors", "config path"])(
    "because standard output is full exits with 1 and one line, too: chemstream %s",
    async (args) => {
      expect(await shell(`"$0" "$1" ${args} 2>&1 >/dev/full; echo $?`, {})).toBe(
        "chemstream: cannot write standard output: no space left on device\n1\n"
      )
    }
  )

  it("because the file may not grow exits with 1, and the run continues when it may grow", async () => {
    const at = folder()
    const ids = identifiers(600)
    writeFileSync(join(at, "ids"), ids.join("\n"))
    const text = "x".repeat(500)
    const { env, requests } = await scripted(({ ids: asked }) => ({ body: recordsOf(asked, { text }) }))
    const args = "details -i ids --batch-size 10 --concurrency 1 -q"
    await shell(`"$0" "$1" ${args} -o whole.ndjson`, env, at)
    const whole = readFileSync(join(at, "whole.ndjson"))
    requests.length = 0
    const saved = `"$0" "$1" ${args} -o out.ndjson --checkpoint saved`
    // In blocks of 1024 bytes: about half of the output.
    const full = await shell(
      `ulimit -f ${Math.floor(whole.length / 2048)}; ${saved} 2>err; echo $?; cat err`,
      env,
      at
    )
    expect(full).toMatch(
      /^1\nchemstream: cannot write out\.ndjson: [^\n]+\nchemstream: kept \d+ records in out\.ndjson\.part, the position in saved\. [^\n]+\n$/
    )
    expect(existsSync(join(at, "out.ndjson"))).toBe(false)
    expect(JSON.parse(readFileSync(join(at, "saved"), "utf8"))).toMatchObject({ complete: false })
    const asked = requests.splice(0).flatMap((request) => request.ids).length
    expect(asked).toBeLessThan(400)
    expect(await shell(`${saved} 2>&1; echo $?`, env, at)).toBe("0\n")
    expect(readFileSync(join(at, "out.ndjson")).equals(whole)).toBe(true)
    // Only the batch that could not be written and the two batches behind it are requested twice.
    expect(asked + requests.flatMap((request) => request.ids).length).toBeLessThanOrEqual(600 + 3 * 10)
    expect(readdirSync(at).sort()).toEqual(["err", "ids", "out.ndjson", "whole.ndjson"])
  })
})

describe("a checkpoint that cannot be written", { concurrent: true }, () => {
  it("is reported after the reason of the stop", async () => {
    const at = folder()
    const ids = identifiers(4)
    const { env } = await scripted(({ ids: asked }, number) => {
      // The folder of the checkpoint is deleted before the first save.
      if (number === 2) rmSync(join(at, "saves"), { recursive: true, force: true })
      return number === 2 ? { status: 401, body: "{}" } : { body: recordsOf(asked) }
    })
    await shell("mkdir saves", {}, at)
    const ended = await run(
      [
        "details",
        ...ids,
        "--batch-size",
        "2",
        "--concurrency",
        "1",
        "-o",
        "out",
        "--checkpoint",
        "saves/one",
        "-q"
      ],
      { cwd: at, env }
    )
    // The run is slow, so that a save is due before its key is rejected.
    expect([1, 3]).toContain(ended.code)
    expect(ended.stderr).toMatch(
      /^(?:chemstream: the service refused the API key [^\n]+\n)?chemstream: cannot write saves\/one: [^\n]+; no position was saved before, so nothing is kept, and the same command starts over\n$/
    )
  })
})

describe("records that differ from the contract", { concurrent: true }, () => {
  const odd = `{"dtxsid":"${bisphenolA}","casrn":80.50}`
  const setUp = () => scripted(() => ({ body: `[${odd},{"dtxsid":"${benzene}","casrn":"71-43-2"}]` }))

  it("are written unchanged and counted, unless the check is off", async () => {
    const { env } = await setUp()
    const args = ["details", bisphenolA, benzene]
    const warned = await run(args, { env })
    expect(warned).toMatchObject({ code: 0, stdout: `${odd}\n{"dtxsid":"${benzene}","casrn":"71-43-2"}\n` })
    expect(warned.stderr).toMatch(
      /^differs from the contract in 1 record: casrn is number, .*string.* expected$/m
    )
    const unseen = await run([...args, "--validate", "off"], { env })
    expect(unseen).toMatchObject({ code: 0, stdout: warned.stdout })
    expect(unseen.stderr).not.toContain("contract")
  })

  it("fail under --validate strict, and are in the errors file digit by digit", async () => {
    const { env } = await setUp()
    const at = folder()
    const args = ["details", bisphenolA, benzene, "--validate", "strict", "--errors", "errors", "-q"]
    const ended = await run(args, { cwd: at, env })
    expect(ended).toMatchObject({ code: 1, stdout: `{"dtxsid":"${benzene}","casrn":"71-43-2"}\n` })
    expect(ended.stderr).toMatch(/^1 failed: MalformedResponse: [^\n]*casrn[^\n]*\n$/)
    const errors = readFileSync(join(at, "errors"), "utf8")
    expect(errors).toContain(`"records":[${odd}]`)
    expect(lines(errors)).toMatchObject([
      { id: bisphenolA, outcome: "failed", error: { tag: "MalformedResponse" }, line: 1 }
    ])
  })

  it("of the list of all chemicals are counted, too, and stop the run under --validate strict", async () => {
    const { env } = await scripted(({ path }) => ({
      body: path.includes("next=1") ? '[{"id":1,"dtxsid":"x","dtxcid":7}]' : "[]"
    }))
    const args = ["all", "-p", "all-ids"]
    const warned = await run(args, { env })
    expect(warned).toMatchObject({ code: 0, stdout: '{"id":1,"dtxsid":"x","dtxcid":7}\n' })
    expect(warned.stderr).toMatch(/differs from the contract in 1 record: dtxcid is number/)
    const strict = await run([...args, "--validate", "strict"], { env })
    expect(strict).toMatchObject({ code: 1, stdout: "" })
    expect(strict.stderr).toMatch(/^chemstream: [^\n]*"dtxcid" is number[^\n]*\n$/)
    const off = await run([...args, "--validate", "off"], { env })
    expect(off).toMatchObject({ code: 0, stdout: warned.stdout })
    expect(off.stderr).not.toContain("contract")
  })
})

describe("wrong usage", { concurrent: true }, () => {
  it("includes an output that is also the input, under any name", async () => {
    const at = folder()
    writeFileSync(join(at, "ids"), "DTXSID7020182\n")
    symlinkSync("ids", join(at, "link"))
    for (const [option, file] of [
      ["--output", "ids"],
      ["--output", "link"],
      ["--json-summary", "./ids"],
      ["--checkpoint", "ids"]
    ] as const) {
      const output = option === "--checkpoint" ? ["--output", "out"] : []
      const ended = await run(["details", "-i", "ids", option, file, ...output], {
        cwd: at,
        env: { CHEMSTREAM_BASE_URL: "http://127.0.0.1:1", CHEMSTREAM_API_KEY: "k" }
      })
      expect(ended, file).toMatchObject({ code: 2, stdout: "" })
      expect(ended.stderr).toContain(`--input and ${option} name the same file: ${file}`)
    }
    expect(readFileSync(join(at, "ids"), "utf8")).toBe("DTXSID7020182\n")
  })

  it.each<[ReadonlyArray<string>, RegExp]>([
    [["search"], /search needs one of equal, start-with, contain, smiles; see chemstream search --help/],
    [["bioactivity"], /bioactivity needs one of data, summary, aed/],
    [["formula", "nope"], /unknown command "nope"; see chemstream formula --help/],
    [["details", "--batch-size"], /--batch-size needs a value/],
    [["details", "--output"], /--output needs a value: FILE/],
    [["details", "--format", "ods"], /use one of ndjson, json, csv, tsv, parquet/],
    [["details", "--validate", "hard"], /use one of strict, warn, off/]
  ])("%j prints one line and exits with 2", async (args, line) => {
    const ended = await run(args, { env: { CHEMSTREAM_API_KEY: "k" } })
    expect(ended).toMatchObject({ code: 2, stdout: "" })
    expect(ended.stderr).toMatch(/^chemstream: [^\n]+\n$/)
    expect(ended.stderr).toMatch(line)
  })
})

it.each([
  ["details", bisphenolA],
  ["search", "equal", "80-05-7"],
  ["formula", "exact", "C6H6"],
  ["msready", "mass", "78"],
  ["synonyms", bisphenolA],
  ["bioactivity", "summary", bisphenolA],
  ["all"]
])(
  "a rejected key exits with 3, an unreachable service with 4: %s",
  { concurrent: true },
  async (...args) => {
    const { env } = await scripted(() => ({ status: 401, body: "{}" }))
    const refused = await run(args, { env })
    expect(refused).toMatchObject({ code: 3, stdout: "" })
    expect(refused.stderr).toMatch(/^chemstream: [^\n]+\n$/)
    const absent = await run([...args, "--retries", "0"], {
      env: { ...env, CHEMSTREAM_BASE_URL: "http://127.0.0.1:1" }
    })
    expect(absent).toMatchObject({ code: 4, stdout: "" })
    expect(absent.stderr).toMatch(/^chemstream: [^\n]*127\.0\.0\.1:1[^\n]*\n$/)
  }
)

describe("a run that finds nothing", { concurrent: true }, () => {
  it.each(["parquet", "arrow"])(
    "writes a table of %s without rows, with the columns of the contract",
    async (kind) => {
      const { env } = await sharedService()
      const at = folder()
      const search = ["search", "equal", "no such name", "-q", "--with-line", "-o", `none.${kind}`]
      expect(await run(search, { env, cwd: at })).toEqual({ code: 0, stdout: "", stderr: "" })
      const bytes = readFileSync(join(at, `none.${kind}`))
      expect(bytes.length).toBeGreaterThan(100)
      for (const name of ["line", "dtxsid", "searchValue"]) expect(bytes.includes(name)).toBe(true)
      const some = [...search.slice(0, -1), `some.${kind}`, "--fields", "dtxsid"]
      expect(await run(some, { env, cwd: at })).toMatchObject({ code: 0 })
      const chosen = readFileSync(join(at, `some.${kind}`))
      expect(chosen.includes("dtxsid")).toBe(true)
      expect(chosen.includes("searchValue")).toBe(false)
    }
  )
})

describe("the errors file of a killed run that cannot be continued", { concurrent: true }, () => {
  it("are removed by the next run of the same file, but not those of a live process", async () => {
    const at = folder()
    const parts = () => readdirSync(at).filter((name) => name.includes(".part-"))
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { env } = await scripted(({ ids }) => ({
      body: "[]",
      ...(ids.includes(benzene) ? { until: held } : {})
    }))
    const part = async (): Promise<void> => {
      while (parts().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const killed = start(["details", benzene, "--errors", "errors"], { env, cwd: at })
    await part()
    killed.child.kill("SIGKILL")
    await killed.ended
    expect(parts()).toHaveLength(1)
    const [left] = parts()
    const living = start(["details", benzene, "--errors", "errors"], { env, cwd: at })
    while (parts().length !== 1 || parts()[0] === left) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await run(["details", bisphenolA, "--errors", "errors", "-q"], { env, cwd: at })).toMatchObject({
      code: 0
    })
    expect(parts()).toHaveLength(1)
    release()
    expect(await living.ended).toMatchObject({ code: 0 })
    expect(parts()).toEqual([])
  })
})

describe("progress", { concurrent: true }, () => {
  it("has plain lines with the option, and nothing on a pipe by default", async () => {
    const { env } = await sharedService()
    const all = ["details", bisphenolA, benzene, "--batch-size", "1", "--concurrency", "1"]
    const plain = await run([...all, "--progress", "plain"], { env })
    expect(plain.stderr).toMatch(/^\[#{30}\] 2\/2 ids, [\d,]+\/s, 2\/2 requests\nread 2 = 2 found/m)
    const piped = await run(["details", "--progress", "plain"], { env, input: `${bisphenolA}\n` })
    expect(piped.stderr).toMatch(/^1 ids, [\d,]+\/s\nread 1 = 1 found/m)
    const silent = await run(all, { env })
    expect(silent.stderr).toMatch(/^read 2 = 2 found/)
  })
})
