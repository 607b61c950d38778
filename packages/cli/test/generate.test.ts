import { execFile, execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { Rows } from "@chemstream/api"
import { Import, SqliteStore, Store } from "@chemstream/service"
import { Synthetic } from "@chemstream/synthetic"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Generation from "../src/generate/generation.ts"
import { render } from "../src/terminal/generateProgress.ts"
import { command, environment, run, start, folder as temporaryFolder } from "./process.ts"

const hasNamespaces = (() => {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

const generate = (...args: ReadonlyArray<string>) => run(["generate", ...args])

describe("chemstream generate", () => {
  it("writes a file for each kind of record, and prints the number of records", async () => {
    const folder = temporaryFolder()
    const { code, stderr, stdout } = await generate("--count", "1200", "--seed", "4", "--output", folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
    expect(stderr).toMatch(/^generated 1,200 substances into .*: \d+.* synonym, \d+.* AED records\n$/)
    expect(readdirSync(folder).sort()).toEqual(
      ["aed", "bioactivity", "details", "synonyms"].map((kind) => `${kind}.ndjson`)
    )
  })

  it("writes the same records with and without gzip", async () => {
    const [plain, zipped] = [temporaryFolder(), temporaryFolder()]
    const options = ["--count", "1200", "--seed", "9", "--assays", "0.05", "--output"]
    await generate(...options, plain)
    await generate(...options, zipped, "--gzip")
    for (const kind of ["aed", "bioactivity", "details", "synonyms"]) {
      const text = readFileSync(join(plain, `${kind}.ndjson`), "utf8")
      expect(text.split("\n").length).toBeGreaterThan(1)
      expect(gunzipSync(readFileSync(join(zipped, `${kind}.ndjson.gz`))).toString()).toBe(text)
    }
  })

  it("writes a file for each row of the families, whose import gives the database that it generates", async () => {
    const [files, other] = [temporaryFolder(), temporaryFolder()]
    const options = ["--count", "60", "--seed", "3", "--assays", "0.5", "--families", "0.5"]
    const [generated, imported] = ["generated.sqlite", "imported.sqlite"].map((name) => join(other, name))
    const { stderr } = await generate(...options, "--output", files)
    expect(stderr).toMatch(/ AED records, and [\d,]+ of properties, exposure and hazard\n$/)
    await generate(...options, "--database", generated as string)
    const names = readdirSync(files).map((name) => name.replace(/\.ndjson$/, ""))
    expect(names.sort()).toEqual([...Import.kinds, ...Synthetic.rowNames].sort())
    for (const kind of [...Import.kinds, ...Synthetic.rowNames]) {
      const file = { database: imported as string, files: [join(files, `${kind}.ndjson`)] }
      const isKind = (name: string): name is Import.Kind =>
        (Import.kinds as ReadonlyArray<string>).includes(name)
      await Effect.runPromise(isKind(kind) ? Import[kind](file) : Import.rowRecords(Rows.byName[kind], file))
    }
    const recordsIn = (file: string | undefined) => {
      const database = new DatabaseSync(String(file), { readOnly: true })
      return database.prepare("SELECT * FROM records ORDER BY endpoint, key, number").all()
    }
    const stored = recordsIn(generated)
    expect(new Set(stored.map(({ endpoint }) => endpoint))).toContain("lists.members")
    expect(recordsIn(imported)).toEqual(stored)
  })

  it("names the file that it cannot write, and leaves none", async () => {
    const folder = temporaryFolder()
    await generate("--count", "1", "--output", folder)
    const place = join(folder, "details.ndjson", "below")
    const { code, stderr } = await generate("--count", "1", "--output", place)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/ cannot be written: /) })
    expect(stderr).toContain(place)
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([])
  })

  it("writes the same first records for any count", async () => {
    const folder = temporaryFolder()
    const details = async (count: number) => {
      const own = join(folder, String(count))
      await generate("--count", String(count), "--seed", "4", "--output", own)
      return readFileSync(join(own, "details.ndjson"), "utf8")
    }
    const small = await details(100)
    expect((await details(1500)).startsWith(small)).toBe(true)
    expect(small.split("\n")).toHaveLength(101)
  })

  it("generates into a database that can be served", async () => {
    const database = join(temporaryFolder(), "synthetic.sqlite")
    const generated = await generate("--count", "50", "--database", database, "--quiet")
    expect(generated).toEqual({ code: 0, stdout: "", stderr: "" })
    const served = start(["serve", "--database", database, "--port", "0"], {
      env: { CHEMSTREAM_API_KEYS: "key" }
    })
    const [, url] = await served.says(/serves at (\S+)/)
    const answer = await fetch(`${url}/chemical/detail/search/by-dtxsid/DTXSID00100000001`, {
      headers: { "x-api-key": "key" }
    })
    expect(await answer.json()).toMatchObject({ dtxsid: "DTXSID00100000001", casrn: "NOCAS_100000001" })
  })

  it.each([
    { args: ["--count", "1"], says: "give either --database FILE or --output DIR" },
    {
      args: ["--count", "1", "--database", "a", "--output", "b"],
      says: "give either --database FILE or --output DIR"
    },
    { args: ["--count", "1", "--database", "a", "--gzip"], says: "--gzip is for the files of --output" },
    { args: ["--count", "0", "--output", "b"], says: "--count must be a whole number from 1 to" },
    {
      args: ["--count", "1", "--assays", "2", "--output", "b"],
      says: "--assays must be a share from 0 to 1"
    },
    {
      args: ["--count", "1", "--families", "2", "--output", "b"],
      says: "--families must be a share from 0 to 1"
    }
  ])("refuses $args as wrong usage", async ({ args, says }) => {
    const folder = temporaryFolder()
    const { code, stderr } = await run(["generate", ...args], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain(says)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe("a generation into a database", () => {
  it("reports its progress, then its finish, and stores as many records as it counts", async () => {
    const database = join(temporaryFolder(), "synthetic.sqlite")
    const progress: Array<Generation.Progress> = []
    const counts = await Effect.runPromise(
      Generation.intoDatabase({
        count: 1500,
        seed: 1,
        tested: 0.01,
        database,
        onProgress: (step) => progress.push(step)
      })
    )
    expect(progress).toEqual([
      { phase: "generating", substances: 1000, total: 1500 },
      { phase: "generating", substances: 1500, total: 1500 },
      { phase: "finishing", substances: 1500, total: 1500 }
    ])
    expect(counts.details).toBe(1500)
    expect(counts.bioactivity).toBeGreaterThan(0)
    const stored = Store.Store.use((store) => store.counts).pipe(
      Effect.provide(SqliteStore.layer({ file: database }))
    )
    expect({ ...(await Effect.runPromise(stored)), families: 0 }).toEqual(counts)
  })

  it("refuses a database with records, unless --into-existing is given", async () => {
    const at = temporaryFolder()
    writeFileSync(join(at, "own"), '{"dtxsid":"DTXSID7020182","casrn":"80-05-7"}\n')
    const database = ["--database", "a.sqlite"]
    expect((await run(["import", "own", "--kind", "details", ...database], { cwd: at })).code).toBe(0)
    const refused = await run(["generate", "--count", "2", ...database], { cwd: at })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--into-existing")])
    const added = await run(["generate", "--count", "2", "--into-existing", ...database], { cwd: at })
    expect(added.code).toBe(0)
    const counts = Store.Store.use((store) => store.counts).pipe(
      Effect.provide(SqliteStore.layer({ file: join(at, "a.sqlite") }))
    )
    expect((await Effect.runPromise(counts)).details).toBe(3)
  })

  it.skipIf(!hasNamespaces)("leaves no database on a full disk, nor does an import", async () => {
    const at = temporaryFolder()
    await generate("--count", "3000", "--output", at)
    const script = `mkdir disk && mount -t tmpfs -o size=1m tmpfs disk
      "$NODE" "$COMMAND" generate --count 3000 --database disk/a.sqlite 2>&1; echo "code $?"; ls disk
      "$NODE" "$COMMAND" import details.ndjson --kind details --database disk/a.sqlite 2>&1; echo "code $?"; ls disk`
    const { stdout } = await promisify(execFile)("unshare", ["-rm", "bash", "--norc", "-c", script], {
      cwd: at,
      env: environment({ NODE: process.execPath, COMMAND: command })
    })
    expect(stdout.split("\n")).toEqual([
      expect.stringContaining("is full"),
      "code 1",
      expect.stringContaining("is full"),
      "code 1",
      ""
    ])
  })

  it("leaves no database after an invalid option", async () => {
    const database = join(temporaryFolder(), "synthetic.sqlite")
    await Effect.runPromiseExit(Generation.intoDatabase({ count: 0, seed: 1, database }))
    expect(existsSync(database)).toBe(false)
  })
})

describe("the progress of a generation", () => {
  const progress = (
    substances: number,
    phase: Generation.Progress["phase"] = "generating"
  ): Generation.Progress => ({
    phase,
    substances,
    total: 10_000
  })

  it("shows a bar, the number and the rate", () => {
    expect(render(progress(5000), 1000, 80)).toBe(
      "[###############---------------] 5,000/10,000 substances, 5,000/s"
    )
  })

  it("reports the update of indexes at the end", () => {
    expect(render(progress(10_000, "finishing"), 1000, 200)).toContain("updating indexes")
  })

  it("is not wider than the terminal", () => {
    for (let columns = 10; columns < 120; columns++) {
      expect(render(progress(5000), 1000, columns).length).toBeLessThan(columns)
    }
  })
})
