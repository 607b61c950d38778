import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

const grown = `
import { getHeapSpaceStatistics } from "node:v8"
const kept = []
for (let n = 0; n < 2_000_000; n++) {
  kept.push({ n, text: String(n) })
  if (kept.length === 200_000) kept.splice(0, 100_000)
}
const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")
process.stdout.write(String(space_size / 2 ** 20))
`

/** The MiB of the young generation of a process that makes much garbage. */
const youngAfter = (before: string): number =>
  Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", `${before}\n${grown}`], {
      cwd: import.meta.dirname,
      encoding: "utf8"
    })
  )

describe("YoungGeneration.keepSmall", () => {
  it("keeps the young generation small in a process that makes much garbage", () => {
    const loading = 'import { YoungGeneration } from "@chemstream/ndjson/node"'
    const keepingSmall = `${loading}; YoungGeneration.keepSmall()`
    // What loading the modules makes it is there before.
    expect(youngAfter(keepingSmall)).toBeLessThan(youngAfter(loading))
  })
})
