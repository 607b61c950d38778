import { execFileSync } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"

// Runs in a new process, because another test may have loaded the packages in this one.
const program = `
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    if (/hyparquet-writer|apache-arrow/.test(specifier)) {
      throw Object.assign(new Error("Cannot find package " + specifier), { code: "ERR_MODULE_NOT_FOUND" })
    }
    return next(specifier, context)
  }
})
const { Arrow, MissingPackage, Parquet } = await import("@chemstream/ndjson/node")
const Effect = await import("effect/Effect")
const Stream = await import("effect/Stream")

const outcomes = {}
for (const [format, encode] of Object.entries({ Parquet: Parquet.encode(), Arrow: Arrow.encode() })) {
  let read = 0
  const records = Stream.sync(() => ({ id: read++ }))
  const error = await Effect.runPromise(records.pipe(encode, Stream.runDrain, Effect.flip))
  const isMissingPackage = error instanceof MissingPackage.MissingPackage
  outcomes[format] = { isMissingPackage, message: error.message, read }
}
process.stdout.write(JSON.stringify(outcomes))
`

describe("a format whose package is not installed", () => {
  let outcomes: Record<string, unknown>
  beforeAll(() => {
    const args = ["--input-type=module", "--eval", program]
    outcomes = JSON.parse(
      execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" })
    )
  }, 60_000)

  it.each([
    ["hyparquet-writer", "Parquet"],
    ["apache-arrow", "Arrow"]
  ])("fails with the package to install: %s", (name, format) => {
    expect(outcomes[format]).toEqual({
      isMissingPackage: true,
      message: `Writing ${format} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`,
      read: 0
    })
  })
})
