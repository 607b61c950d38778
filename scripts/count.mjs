// Counts the tests in the reports of tiers: `node scripts/count.mjs fast thorough`.
// Every problem of a run counts as a failure, so "0 failed" means that nothing went wrong.

import { existsSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { workspaces } from "./checkout.mjs"

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ status: string, fullName: string, failureMessages: ReadonlyArray<string> }} Test
 * @typedef {{ name: string, status: string, message?: string, assertionResults: ReadonlyArray<Test> }} TestFile
 */

/** The script that runs each tier. @type {Readonly<Record<string, string>>} */
const scripts = { fast: "test", thorough: "test:thorough" }

/** @param {string} path @param {string} tier */
const reportFile = (path, tier) => join(path, "reports", `${tier}.json`)

/** @param {string} tier */
export const deleteReports = (tier) => {
  for (const { path } of workspaces()) rmSync(reportFile(path, tier), { force: true })
}

/**
 * Counts the tests of one report. A file without a failed test can fail (it did not load, or a hook failed): this is one
 * failure. A report without any test is one failure, too.
 *
 * @param {ReadonlyArray<TestFile>} files @returns {Counts}
 */
export const count = (files) => {
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter(({ status }) => status === "passed").length
  const failed = tests.filter(({ status }) => status === "failed").length
  const broken = files.filter(
    (file) => file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed")
  )
  const isEmpty = passed + failed + broken.length === 0
  return {
    passed,
    failed: failed + broken.length + (isEmpty ? 1 : 0),
    skipped: tests.length - passed - failed
  }
}

/**
 * Returns the failed tests, and the tests that passed only at the second attempt, each with the first lines of the reason.
 * They are printed before the sum, because people read a long log from its end.
 *
 * @param {ReadonlyArray<TestFile>} files
 */
export const failures = (files) =>
  files.flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.failureMessages.length > 0)
    const isBroken = file.status === "failed" && tests.every(({ status }) => status !== "failed")
    return [
      ...(isBroken ? [describe("FAILED", file.name, "", file.message ?? "")] : []),
      ...tests.map(({ status, fullName, failureMessages }) =>
        describe(status === "passed" ? "UNSTABLE" : "FAILED", file.name, fullName, failureMessages.join("\n"))
      )
    ]
  })

/** @param {string} word @param {string} file @param {string} test @param {string} message */
const describe = (word, file, test, message) => {
  const lines = message.split("\n").slice(0, 12)
  return [
    `${word} ${relative(process.cwd(), file)} ${test}`.trimEnd(),
    ...lines.map((line) => `  ${line}`)
  ].join("\n")
}

/** `3 passed, 0 failed`, and `, 1 skipped` when tests were skipped. @param {Counts} counts */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

/**
 * Prints the counts of each workspace, and their sum as the last line. A workspace without a report is one failure, unless
 * only a selection ran. If the run failed (`hasFailed`) and the reports show no failure, this is one failure.
 *
 * @param {ReadonlyArray<string>} tiers
 * @param {{ isSelection?: boolean, hasFailed?: boolean }} [options]
 * @returns {Counts}
 */
export const printCounts = (tiers, { isSelection = false, hasFailed = false } = {}) => {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const tier of tiers) {
    for (const { path, manifest } of workspaces()) {
      if (manifest.scripts?.[scripts[tier] ?? ""] === undefined) continue
      const file = reportFile(path, tier)
      if (isSelection && !existsSync(file)) continue
      /** @type {ReadonlyArray<TestFile>} */
      const files = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).testResults : []
      const counts = count(files)
      for (const failure of failures(files)) process.stdout.write(`${failure}\n`)
      process.stdout.write(`${manifest.name}: ${line(counts)}${existsSync(file) ? "" : " (no report)"}\n`)
      sum.passed += counts.passed
      sum.failed += counts.failed
      sum.skipped += counts.skipped
    }
  }
  if (hasFailed && sum.failed === 0) sum.failed = 1
  process.stdout.write(`${line(sum)}\n`)
  return sum
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = printCounts(process.argv.slice(2)).failed > 0 ? 1 : 0
