// Turns vitest's JSON report into counts for each workspace. Pure: reading the report is ../test.mjs's.
// Whatever makes a run bad is counted as a failure, so that "0 failed" is only ever said of a good run.

/**
 * @typedef {{ status: string }} Assertion
 * @typedef {{ testResults: ReadonlyArray<{ name: string, status: string, assertionResults: ReadonlyArray<Assertion> }> }} Report
 * @typedef {{ name: string, path: string, hasTests: boolean }} Project `hasTests`: it has at least one test file
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, problems: ReadonlyArray<string> }} Count
 */

/**
 * Counts a report for each project that ran tests and, with `everything`, for each that has test files.
 *
 * - a file that failed without a failed test (it did not load, a hook failed) is one failure;
 * - with `everything`, a project with test files that ran no test is one failure.
 *
 * @param {Report} report
 * @param {ReadonlyArray<Project>} projects
 * @param {{ everything: boolean }} options
 * @returns {ReadonlyArray<Count>}
 */
export const count = (report, projects, options) =>
  projects.flatMap((project) => {
    const files = report.testResults.filter(({ name }) => name.startsWith(`${project.path}/`))
    const tests = files.flatMap((file) => file.assertionResults)
    const passed = tests.filter(({ status }) => status === "passed").length
    const failed = tests.filter(({ status }) => status === "failed").length
    const skipped = tests.length - passed - failed
    const problems = files
      .filter(
        (file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")
      )
      .map((file) => `${file.name.slice(project.path.length + 1)} failed outside of a test`)
    if (options.everything && project.hasTests && passed + failed === 0 && problems.length === 0) {
      problems.push("has test files, but ran no test")
    }
    return (options.everything && project.hasTests) || files.length > 0
      ? [{ name: project.name, passed, failed: failed + problems.length, skipped, problems }]
      : []
  })

/** Adds the counts up; `vitestFailed` without a counted failure (an unhandled error, no test found) is one failure.
 * @param {ReadonlyArray<Count>} counts @param {boolean} vitestFailed */
export const total = (counts, vitestFailed) => {
  /** @param {"passed" | "failed" | "skipped"} key */
  const sum = (key) => counts.reduce((so, project) => so + project[key], 0)
  const failed = sum("failed")
  return { passed: sum("passed"), failed: failed === 0 && vitestFailed ? 1 : failed, skipped: sum("skipped") }
}

/** `3 passed, 0 failed`, and `, 1 skipped` when there were some.
 * @param {{ passed: number, failed: number, skipped: number }} counts */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
