/**
 * The service over a database, as `chemstream serve` runs it: no access log, no rate limit.
 */
import { Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import * as child from "./child.ts"

/** What the parent is told: where the service listens, and the milliseconds from calling it until it did. */
export interface Ready {
  readonly url: string
  readonly milliseconds: number
}

const { database, key } = child.options<{ readonly database: string; readonly key: string }>()

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const started = performance.now()
      const { url } = yield* Service.make({ database, keys: [Redacted.make(key)] })
      child.answerMemory()
      const ready: Ready = { url, milliseconds: performance.now() - started }
      process.send?.(ready)
      return yield* Effect.never
    })
  )
)
