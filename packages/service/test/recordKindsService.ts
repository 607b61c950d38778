/**
 * A service over records of several kinds, for the tests of synonyms and bioactivity. Not a test itself.
 */
import { type Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { databaseOfKinds, key, type Lines, type ServiceOf, send } from "./testService.ts"

/** A service over the records of a database. */
export const serviceOfDatabase = (database: string): ServiceOf =>
  Service.make({ database, keys: [Redacted.make(key)] })

/** A service over the records of these lines. */
export const serviceOfKinds = (lines: Lines): ServiceOf<Import.ImportError> =>
  Effect.flatMap(databaseOfKinds(lines), serviceOfDatabase)

/** Sends a batch as JSON to a path. */
export const post = (service: Service.Service["Service"], target: string, values: unknown) =>
  send(service, target, {
    method: "POST",
    body: JSON.stringify(values),
    headers: { "content-type": "application/json" }
  })
