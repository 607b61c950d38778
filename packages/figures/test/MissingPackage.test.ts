import { registerHooks } from "node:module"
import { MissingPackage, Png } from "@chemstream/figures"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let hooks: ReturnType<typeof registerHooks> | undefined
beforeAll(() => {
  hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.includes("resvg")) {
        throw Object.assign(new Error(`Cannot find package ${specifier}`), { code: "ERR_MODULE_NOT_FOUND" })
      }
      return next(specifier, context)
    }
  })
})
afterAll(() => hooks?.deregister())

describe("a picture whose package is not installed", () => {
  it("fails with what to install", async () => {
    const error = await Effect.runPromise(Effect.flip(Png.fromSvg("<svg/>")))
    expect(error).toBeInstanceOf(MissingPackage.MissingPackage)
    expect(error.message).toContain("npm install @resvg/resvg-js")
  })
})
