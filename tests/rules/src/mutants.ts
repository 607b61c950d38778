// `npm run mutants -- PACKAGE [--count 12] [--seed 1]`: changes random places of a package's sources, one at a time, and runs
// the package's fast tests that reach the place. A test that fails notices the change. Changes that the compiler refuses are
// left out. Works in a copy of the package in a temporary folder, which is removed at the end. `mutations.ts` says what changes,
// `equivalents.ts` which changes are none.

import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { API } from "typescript/unstable/sync"
import { equivalents } from "./equivalents.ts"
import { type Mutation, mutationsOf } from "./mutations.ts"
import { root } from "./Package.ts"

/** The longest that one test, the tests of a mutant, and all tests may take, in seconds. */
const limits = { test: 30, mutant: 300, all: 1800 }

/** A mutation in a file, whose path is relative to `src`. */
interface Mutant extends Mutation {
  readonly file: string
  readonly source: string
}

/** A test file with the seconds it takes and the numbers of the mutants it reaches. */
interface TestFile {
  readonly path: string
  readonly seconds: number
  readonly reaches: ReadonlySet<number>
}

const write = (text: string): boolean => process.stdout.write(text)

const edit = (
  text: string,
  change: { readonly start: number; readonly end: number; readonly text: string }
) => text.slice(0, change.start) + change.text + text.slice(change.end)

/** Compiles a module as `tsc` does. */
const compile = (text: string): string =>
  stripTypeScriptTypes(text).replaceAll(/((?:from|import\(?)\s*"\.[^"]*)\.ts"/g, '$1.js"')

const compiles = (mutant: Mutant): boolean => {
  try {
    compile(edit(mutant.source, mutant))
    return true
  } catch {
    return false
  }
}

/** The lines of a mutant before and after its change, and the number of the first. */
const linesOf = (
  mutant: Mutant
): { readonly line: number; readonly before: string; readonly after: string } => {
  const from = mutant.source.lastIndexOf("\n", mutant.start - 1) + 1
  const before = mutant.source.slice(from, mutant.source.indexOf("\n", mutant.end))
  const after = edit(before, { start: mutant.start - from, end: mutant.end - from, text: mutant.text })
  return { line: mutant.source.slice(0, from).split("\n").length, before, after }
}

/** Returns numbers from 0 to 1 that a seed determines (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws different mutants of a package. Rows and record schemas are left out: they only declare. */
const draw = (folder: string, count: number, seed: number): ReadonlyArray<Mutant> => {
  const api = new API({})
  const openProjects = globSync(join(folder, "tsconfig.{src,node}.json"))
  const projects = api.updateSnapshot({ openProjects }).getProjects()
  const src = join(folder, "src")
  const files = globSync("**/*.ts", { cwd: src, exclude: ["records/**", "rows/**"] })
  const all = files.sort().flatMap((file) => {
    const programs = projects.map(({ program }) => program.getSourceFile(join(src, file)))
    const source = programs.find((found) => found !== undefined)
    return source === undefined
      ? []
      : mutationsOf(source).map((mutation) => ({ ...mutation, file, source: source.text }))
  })
  api.close()
  const random = randomOf(seed)
  const drawn = new Set<Mutant>()
  for (let attempts = 0; drawn.size < count && attempts < 100 * count; attempts++) {
    const mutant = all[Math.floor(random() * all.length)]
    if (mutant !== undefined && compiles(mutant)) drawn.add(mutant)
  }
  return [...drawn]
}

/** Copies a package into a checkout of links, and returns the copy. */
const copy = (name: string, temporary: string): string => {
  const packages = join(temporary, "checkout", "packages")
  mkdirSync(packages, { recursive: true })
  const link = (from: string, to: string, except: string): void => {
    for (const entry of readdirSync(from))
      if (entry !== except) symlinkSync(join(from, entry), join(to, entry))
  }
  link(root, join(packages, ".."), "packages")
  link(join(root, "packages"), packages, name)
  if (existsSync(join(root, "../shared"))) symlinkSync(join(root, "../shared"), join(temporary, "shared"))
  cpSync(join(root, "packages", name), join(packages, name), { recursive: true, verbatimSymlinks: true })
  return join(packages, name)
}

/** Runs tests. Returns the failed test, the reason of another failure, or nothing when all pass. */
const run = (folder: string, args: ReadonlyArray<string>, seconds: number, node = ""): Promise<string> => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const flags = ["run", "--retry=0", `--testTimeout=${limits.test * 1000}`]
  const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: node }
  // A group of its own, so that the end of the time also ends what the tests started.
  const child = spawn(process.execPath, [vitest, ...flags, ...args], { cwd: folder, env, detached: true })
  const stop = (): boolean => process.kill(-(child.pid as number), "SIGKILL")
  // Before the copy is removed.
  process.prependOnceListener("exit", stop)
  const timer = setTimeout(stop, seconds * 1000)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data))
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(timer)
      process.removeListener("exit", stop)
      const failure = /^ *FAIL +(.+)$/m.exec(output)?.[1] ?? `exit code ${code}: ${output.slice(-300)}`
      resolve(code === 0 ? "" : code === null ? `no end after ${seconds} s` : failure)
    })
  })
}

/** Whether the compiler accepts a mutant. One that it refuses is noticed before any test. */
const typeChecks = async (folder: string, { file, source, ...change }: Mutant): Promise<boolean> => {
  const path = join(folder, "src", file)
  const own = join(folder, "tsconfig.node.json")
  const project = file.startsWith("node/") && existsSync(own) ? own : join(folder, "tsconfig.src.json")
  writeFileSync(path, edit(source, change))
  const tsc = spawn(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    project,
    "--noEmit"
  ])
  const [code] = await once(tsc, "close")
  writeFileSync(path, source)
  return code === 0
}

/** Inserts probes, which report the numbers of the mutants, into a source. */
const probed = (source: string, mutants: ReadonlyArray<readonly [number, Mutant]>): string =>
  mutants
    .flatMap(([id, { reached }]) => [
      // A range that contains another opens before it, and closes after it.
      {
        at: reached.start,
        order: 1,
        size: reached.start - reached.end,
        text: opening(id, reached.statement)
      },
      { at: reached.end, order: 0, size: reached.end - reached.start, text: ")" }
    ])
    .sort((a, b) => b.at - a.at || b.order - a.order || b.size - a.size)
    .reduce((text, { at, text: probe }) => edit(text, { start: at, end: at, text: probe }), source)

/** A statement must not start with a parenthesis, because no semicolon ends the one before. */
const opening = (id: number, statement: boolean): string =>
  statement ? `globalThis.reached?.(${id}) || (` : `(globalThis.reached?.(${id}), `

/**
 * Runs all tests once with probes at the places of the mutants, which say where each test file gets. A test file that fails
 * does not count. What runs outside a test, when a module is loaded or in another process, is reached by every file.
 */
const findTests = async (
  folder: string,
  mutants: ReadonlyArray<Mutant>
): Promise<ReadonlyArray<TestFile>> => {
  const module = join(folder, "probe.cjs")
  const log = join(folder, "reached")
  const report = join(folder, "report.json")
  writeFileSync(
    module,
    `const { appendFileSync } = require("node:fs")
const seen = new Set()
globalThis.reached = (id) => {
  const worker = globalThis.__vitest_worker__
  // A file that imports a module is no test: without isolation, the next files use the same module.
  const line = JSON.stringify([id, worker?.current?.type === "test" ? worker.filepath : ""]) + "\\n"
  if (!seen.has(line)) appendFileSync(${JSON.stringify(log)}, line)
  seen.add(line)
}
`
  )
  writeFileSync(log, "")
  const files = Map.groupBy([...mutants.entries()], ([, { file }]) => file)
  for (const [file, sampled] of files)
    build(folder, file, probed((sampled[0] as [number, Mutant])[1].source, sampled))
  const failure = await run(
    folder,
    [`--outputFile.json=${report}`, "--reporter=json"],
    limits.all,
    `--require=${module}`
  )
  for (const [file, [first]] of files) build(folder, file, (first as [number, Mutant])[1].source)
  if (!existsSync(report)) throw new Error(`The tests did not run: ${failure}`)
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1)
  const reached = lines.map((line) => JSON.parse(line) as [number, string])
  const results = JSON.parse(readFileSync(report, "utf8")).testResults as ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
  }>
  return results.flatMap(({ name: path, status, startTime, endTime }) => {
    if (status !== "passed") write(`does not count: ${path}, ${status}\n`)
    const reaches = new Set(reached.filter(([, by]) => by === "" || by === path).map(([id]) => id))
    return status === "passed" ? [{ path, seconds: (endTime - startTime) / 1000, reaches }] : []
  })
}

/** Replaces a module: what is built, and the source, which some tests import. */
const build = (folder: string, file: string, source: string): void => {
  writeFileSync(join(folder, "src", file), source)
  writeFileSync(join(folder, "dist", file.replace(/ts$/, "js")), compile(source))
}

/** Tries one mutant, prints the result, and returns it. */
const attempt = async (
  folder: string,
  mutant: Mutant,
  tests: ReadonlyArray<TestFile>
): Promise<"noticed" | "NOT NOTICED" | "equivalent"> => {
  const { line, before, after } = linesOf(mutant)
  const [from, to] = [before, after].map((text) => text.trim().replaceAll(/\s+/g, " "))
  const path = `${folder.slice(folder.indexOf("packages/"))}/src/${mutant.file}`
  const same = equivalents.find((known) => known.file === path && known.from === from && known.to === to)
  const paths = tests.map((test) => test.path.slice(folder.length + 1))
  const seconds = tests.reduce((sum, test) => sum + test.seconds, 0)
  let failure = ""
  if (same === undefined && tests.length > 0) {
    build(folder, mutant.file, edit(mutant.source, mutant))
    const limit = Math.min(limits.mutant, 30 + 3 * seconds)
    failure = await run(folder, ["--bail=1", "--reporter=dot", ...paths], limit)
    build(folder, mutant.file, mutant.source)
  }
  const result = same !== undefined ? "equivalent" : failure === "" ? "NOT NOTICED" : "noticed"
  const reason =
    same?.reason ?? (failure || (paths.length === 0 ? "no test gets there" : `by ${paths.join(", ")}`))
  write(`${result.padEnd(12)} ${path}:${line}  ${reason.slice(0, 300)}\n`)
  write(`${before.replaceAll(/^/gm, "  - ")}\n${after.replaceAll(/^/gm, "  + ")}\n`)
  return result
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "12" }, seed: { type: "string", default: "1" } }
})
const [name = ""] = positionals
if (!existsSync(join(root, "packages", name, "dist"))) throw new Error(`No built package: "${name}"`)
const temporary = mkdtempSync(join(tmpdir(), "mutants-"))
process.once("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }))
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1))
const folder = copy(name, temporary)
const count = Number(values.count)
const mutants: Array<Mutant> = []
for (const mutant of draw(join(root, "packages", name), 3 * count, Number(values.seed)))
  if (mutants.length < count && (await typeChecks(folder, mutant))) mutants.push(mutant)
const tests = await findTests(folder, mutants)
const results: Array<string> = []
for (const [id, mutant] of mutants.entries()) {
  const reaching = tests.filter((test) => test.reaches.has(id)).sort((a, b) => a.seconds - b.seconds)
  results.push(await attempt(folder, mutant, reaching))
}
const noticed = results.filter((result) => result === "noticed").length
const different = results.filter((result) => result !== "equivalent").length
write(
  `${name}, seed ${values.seed}: ${noticed} of ${different} noticed, ${results.length - different} equivalent\n`
)
