import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

// In another process, because a test may have loaded the package in this one.
const program = `
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.includes("resvg")) {
      throw Object.assign(new Error("Cannot find package " + specifier), { code: "ERR_MODULE_NOT_FOUND" })
    }
    return next(specifier, context)
  }
})
const { MissingPackage, Png } = await import("@chemstream/figures")
const Effect = await import("effect/Effect")

const error = await Effect.runPromise(Effect.flip(Png.fromSvg("<svg/>")))
const isMissingPackage = error instanceof MissingPackage.MissingPackage
process.stdout.write(JSON.stringify({ isMissingPackage, message: error.message }))
`

describe("PNG without its optional package", () => {
  it("fails with the command that installs the package", () => {
    const args = ["--input-type=module", "--eval", program]
    const outcome = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" })
    expect(JSON.parse(outcome)).toEqual({
      isMissingPackage: true,
      message: expect.stringContaining("npm install @resvg/resvg-js")
    })
  })
})
