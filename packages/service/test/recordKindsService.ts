/**
 * A service over records of several kinds, for the tests of synonyms and bioactivity. Not a test itself.
 */
import { Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { ask, databaseOfKinds, key, type Lines } from "./testService.ts"

/** A service over the records of a database. */
export const servingDatabase = (database: string) => Service.make({ database, keys: [Redacted.make(key)] })

/** A service over the records of these lines. */
export const servingKinds = (lines: Lines) => Effect.flatMap(databaseOfKinds(lines), servingDatabase)

/** Sends a batch as JSON to a path. */
export const post = (service: Service.Service["Service"], target: string, values: unknown) =>
  ask(service, target, {
    method: "POST",
    body: JSON.stringify(values),
    headers: { "content-type": "application/json" }
  })
