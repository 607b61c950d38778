import { describe, expect, it } from "vitest"
import { count, failures, line } from "../../../scripts/count.mjs"

const file = (status: string, ...tests: ReadonlyArray<string>) => ({
  name: "a.test.ts",
  status,
  message: "SyntaxError: unexpected token",
  assertionResults: tests.map((one) => ({
    status: one,
    fullName: `that ${one}`,
    failureMessages: one === "failed" ? ["1 is not 2"] : []
  }))
})

describe("count", () => {
  it("adds the tests of all files, and counts tests that neither passed nor failed as skipped", () => {
    const files = [file("passed", "passed", "skipped"), file("failed", "failed", "passed", "todo")]
    expect(count(files)).toEqual({ passed: 2, failed: 1, skipped: 2 })
  })

  it("counts a file that failed outside of a test as one failure", () => {
    expect(count([file("passed", "passed"), file("failed")])).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it.each([
    ["without files", []],
    ["whose tests were all skipped", [file("passed", "skipped")]]
  ])("counts a report %s as one failure", (_, files) => {
    expect(count(files).failed).toBe(1)
  })
})

describe("failures", () => {
  it("names each failed test with the reason, and a file that failed outside of a test", () => {
    expect(failures([file("failed", "passed", "failed"), file("failed")])).toEqual([
      "FAILED a.test.ts that failed\n  1 is not 2",
      "FAILED a.test.ts\n  SyntaxError: unexpected token"
    ])
  })

  it("names each test that passed only at the second attempt", () => {
    const unstable = { status: "passed", fullName: "that waits", failureMessages: ["a timeout"] }
    expect(failures([{ name: "a.test.ts", status: "passed", assertionResults: [unstable] }])).toEqual([
      "UNSTABLE a.test.ts that waits\n  a timeout"
    ])
  })
})

describe("line", () => {
  it("names skipped tests only if there are some", () => {
    expect(line({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed")
    expect(line({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped")
  })
})
