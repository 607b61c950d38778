/**
 * What the tests of this package start from: a folder of their own, a service on a free port over records they name,
 * and a request with a key. Not a test itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted, type Scope } from "effect"

export const key = "the-right-key"

export const path = "/chemical/detail/search/by-dtxsid/"

/** A temporary folder that is removed with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "chemstream-"))),
  (name) => Effect.sync(() => rmSync(name, { recursive: true, force: true }))
)

/** A file of that text in a folder. */
export const fileOf = (within: string, name: string, content: string | Uint8Array): string => {
  const file = join(within, name)
  writeFileSync(file, content)
  return file
}

/** A database that holds the records of these lines. */
export const databaseOf = (lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const within = yield* folder
    const database = join(within, "chemicals.sqlite")
    yield* Import.details({ database, files: [fileOf(within, "details.ndjson", lines.join("\n"))] })
    return database
  })

/** A service over the records of these lines. */
export const serving = (lines: ReadonlyArray<string>, options: Partial<Service.Options> = {}) =>
  Effect.flatMap(databaseOf(lines), (database) =>
    Service.make({ database, keys: [Redacted.make(key)], ...options })
  )

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request with the right key, unless `headers` say otherwise. */
export const ask = (
  service: Service.Service["Service"],
  target: string,
  init: RequestInit & { readonly headers?: Record<string, string> } = {}
): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetch(`${service.url}${target}`, {
      ...init,
      headers: { "x-api-key": key, connection: "close", ...init.headers }
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** Sends a batch as JSON. */
export const askBatch = (
  service: Service.Service["Service"],
  body: string,
  query = "",
  headers: Record<string, string> = {}
): Effect.Effect<Answer> =>
  ask(service, `${path}${query}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers }
  })

/** Runs a scoped program. */
export const run = <A, E>(program: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(program))
