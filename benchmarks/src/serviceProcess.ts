/**
 * The service over a database, as `chemstream serve` runs it: no access log, no rate limit.
 */
import { Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import * as child from "./child.ts"

/** The message to the parent: the address of the service, and the duration of its start in milliseconds. */
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
      child.reportMemory()
      const ready: Ready = { url, milliseconds: performance.now() - started }
      process.send?.(ready)
      return yield* Effect.never
    })
  )
)
