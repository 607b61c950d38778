import { Cause, Effect, Logger } from "effect"
import { expect, it } from "vitest"
import { textOf } from "../src/terminal/logger.ts"

/** Returns the text that an effect logs. */
const written = (effect: Effect.Effect<void>, hasStacks = true): string => {
  let all = ""
  const logger = Logger.map(textOf(hasStacks), (text) => {
    all += text
  })
  Effect.runSync(Effect.provide(effect, Logger.layer([logger])))
  return all
}

it("a warning is one line with its reason, also if the reason has line breaks", () => {
  expect(written(Effect.logWarning("the cache is off"))).toBe("chemstream: warning: the cache is off\n")
  expect(written(Effect.logWarning("no cache", Cause.fail(new Error("no\n  room"))))).toBe(
    "chemstream: warning: no cache: no room\n"
  )
  expect(written(Effect.logInfo("seen", { pages: 2 }))).toBe('chemstream: seen: {"pages":2}\n')
})

it("an error has its stack trace", () => {
  expect(written(Effect.logError("GET / failed"))).toBe("chemstream: error: GET / failed\n")
  expect(written(Effect.logError("GET / failed", Cause.die(new Error("broken"))))).toMatch(
    /^chemstream: error: GET \/ failed\nError: broken\n {4}at [\s\S]*log\.test\.ts/
  )
})

it("an error is one line without its stack trace for the server of assistants", () => {
  const error = Cause.die(new Error("broken\n  by it"))
  expect(written(Effect.logError("a tool failed", error), false)).toBe(
    "chemstream: error: a tool failed: broken by it\n"
  )
})
