/** Runs the service over its bundled database in a process that reports its memory on request. */
import { Bundled, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import * as Growth from "./ProcessGrowth.ts"

const program = Effect.gen(function* () {
  const { url } = yield* Service.make({
    database: Bundled.database,
    keys: [Redacted.make(process.argv[2] ?? "")]
  })
  process.on("message", () => process.send?.(Growth.sample()))
  process.send?.(url)
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
