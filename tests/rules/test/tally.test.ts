import { describe, expect, it } from "vitest"
import { count, line, total } from "../../../scripts/test/tally.mjs"

const project = (name: string, hasTests = true) => ({ name, path: `/checkout/${name}`, hasTests })
const file = (name: string, status: string, ...tests: ReadonlyArray<string>) => ({
  name: `/checkout/${name}`,
  status,
  assertionResults: tests.map((one) => ({ status: one }))
})
const everything = { everything: true }

describe("count", () => {
  it("gives each test to the project whose folder it is in", () => {
    const report = {
      testResults: [
        file("api/test/a.test.ts", "passed", "passed", "skipped"),
        file("api-more/test/b.test.ts", "failed", "failed", "passed", "todo")
      ]
    }
    expect(count(report, [project("api"), project("api-more")], everything)).toEqual([
      { name: "api", passed: 1, failed: 0, skipped: 1, problems: [] },
      { name: "api-more", passed: 1, failed: 1, skipped: 1, problems: [] }
    ])
  })

  it("counts a file that did not load as one failure", () => {
    const report = { testResults: [file("api/test/a.test.ts", "failed")] }
    const [counted] = count(report, [project("api")], everything)
    expect(counted).toMatchObject({ failed: 1, problems: ["test/a.test.ts failed outside of a test"] })
  })

  it("counts a project whose test files ran no test as one failure", () => {
    const report = { testResults: [file("api/test/a.test.ts", "passed", "skipped")] }
    const counted = count(report, [project("api"), project("client")], everything)
    expect(counted.map(({ failed }) => failed)).toEqual([1, 1])
  })

  it("leaves out a project that ran no test when a selection was asked for", () => {
    expect(count({ testResults: [] }, [project("api")], { everything: false })).toEqual([])
  })

  it("leaves out a project without test files", () => {
    expect(count({ testResults: [] }, [project("examples", false)], everything)).toEqual([])
  })
})

describe("total", () => {
  const good = { name: "api", passed: 2, failed: 0, skipped: 0, problems: [] }

  it("counts a failure of vitest that no test shows as one failure", () => {
    expect(total([good], true)).toEqual({ passed: 2, failed: 1, skipped: 0 })
  })

  it("adds nothing when failed tests explain the failure", () => {
    expect(total([good, { ...good, failed: 3 }], true)).toEqual({ passed: 4, failed: 3, skipped: 0 })
  })
})

describe("line", () => {
  it("names skipped tests only when there are some", () => {
    expect(line({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed")
    expect(line({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped")
  })
})
