import { registerHooks } from "node:module"
import { Arrow, MissingPackage, Parquet } from "@chemstream/ndjson/node"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let hooks: ReturnType<typeof registerHooks> | undefined
beforeAll(() => {
  hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (/hyparquet-writer|apache-arrow/.test(specifier)) {
        throw Object.assign(new Error(`Cannot find package ${specifier}`), { code: "ERR_MODULE_NOT_FOUND" })
      }
      return next(specifier, context)
    }
  })
})
afterAll(() => hooks?.deregister())

describe("a format whose package is not installed", () => {
  it.each([
    ["hyparquet-writer", "Parquet", Parquet.encode()],
    ["apache-arrow", "Arrow", Arrow.encode()]
  ])("fails with what to install: %s", async (name, format, encode) => {
    let read = 0
    const records = Stream.sync(() => ({ id: read++ }))
    const error = await Effect.runPromise(records.pipe(encode, Stream.runDrain, Effect.flip))
    expect(error).toBeInstanceOf(MissingPackage.MissingPackage)
    expect(error.message).toBe(
      `Writing ${format} needs the package ${name}, which could not be loaded. Install it: npm install ${name}`
    )
    expect(read).toBe(0)
  })
})
