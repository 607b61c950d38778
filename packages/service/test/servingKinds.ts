/**
 * A service over records of several kinds, for the tests of synonyms and bioactivity. Not a test itself.
 */
import { join } from "node:path"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { ask, fileOf, folder, key } from "./serving.ts"

/** The lines of each kind. */
export type Lines = Partial<Record<Import.Kind, ReadonlyArray<string>>>

/** A database that holds the records of these lines. */
export const databaseOfKinds = (lines: Lines) =>
  Effect.gen(function* () {
    const within = yield* folder
    const database = join(within, "chemicals.sqlite")
    for (const kind of Import.kinds) {
      const file = fileOf(within, `${kind}.ndjson`, (lines[kind] ?? []).join("\n"))
      yield* Import[kind]({ database, files: [file] })
    }
    return database
  })

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
