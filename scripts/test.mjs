// `npm test`: sets up if needed, then runs every test of every workspace once and prints the counts.
// Arguments are handed to vitest (`npm test -- --project NAME -t TITLE`); with arguments it is a selection, and a
// workspace that ran no test is no failure. The last line is also left in a file, for .ci/run.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bin, cacheFolder, contained, root, workspaces } from "./setup/checkout.mjs"
import { Interrupted, run } from "./setup/child.mjs"
import { SetupFailure, say, stop } from "./setup/message.mjs"
import { ensureSetUp } from "./setup.mjs"
import { count, line, total } from "./test/tally.mjs"

const reportFile = join(cacheFolder, "test-report.json")
const lineFile = join(cacheFolder, "test-line.txt")
const selection = process.argv.slice(2)

const runVitest = async () => {
  await ensureSetUp()
  const result = await run(
    bin("vitest"),
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...selection],
    { cwd: root, env: contained(), output: "inherit" }
  )
  if (result.interruptedBy !== undefined) throw new Interrupted(result.interruptedBy)
  return result.code
}

/** A set-up that failed ran no test: it is reported, and counted like a run without a report. */
const setUpFailed = (/** @type {unknown} */ error) => {
  if (!(error instanceof SetupFailure)) return stop(error)
  say(error.message)
  return 1
}

const readReport = () =>
  existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : { testResults: [] }

/** @param {import("./setup/checkout.mjs").Workspace} workspace */
const toProject = ({ path, manifest }) => {
  const folder = join(path, "test")
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  return { name: manifest.name, path, hasTests: files.some((file) => String(file).endsWith(".test.ts")) }
}

rmSync(reportFile, { force: true })
rmSync(lineFile, { force: true })
const code = await runVitest().catch(setUpFailed)
const counts = count(readReport(), workspaces().map(toProject), { everything: selection.length === 0 })
const sum = total(counts, code !== 0)
const report = counts.flatMap((project) => [
  `${project.name}: ${line(project)}`,
  ...project.problems.map((problem) => `  ${problem}`)
])
mkdirSync(cacheFolder, { recursive: true })
writeFileSync(lineFile, `${line(sum)}\n`)
process.stdout.write(`${[...report, line(sum)].join("\n")}\n`)
process.exitCode = sum.failed > 0 ? (code === 0 ? 1 : code) : 0
