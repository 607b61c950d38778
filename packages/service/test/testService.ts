/**
 * Helpers of the tests: temporary folders, services on a free port over given records, and requests with a key. Not a
 * test itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Import, type InvalidOption, Service, type Store } from "@chemstream/service"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll } from "vitest"

export const key = "the-right-key"

export const path = "/chemical/detail/search/by-dtxsid/"

/** A temporary folder that is removed with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "chemstream-"))),
  (name) => Effect.sync(() => rmSync(name, { recursive: true, force: true }))
)

/** Writes a file into a folder, and returns its path. */
export const fileOf = (directory: string, name: string, content: string | Uint8Array): string => {
  const file = join(directory, name)
  writeFileSync(file, content)
  return file
}

/** The records of each kind, one per line. */
export type Lines = Partial<Record<Import.Kind, ReadonlyArray<string>>>

/** Makes a database of these records, imported in the order of `Import.kinds`. */
export const databaseOfKinds = (lines: Lines) =>
  Effect.gen(function* () {
    const directory = yield* folder
    const database = join(directory, "chemicals.sqlite")
    for (const kind of Import.kinds) {
      const records = lines[kind] ?? []
      if (records.length === 0) continue
      yield* Import[kind]({
        database,
        files: [fileOf(directory, `${kind}.ndjson`, records.join("\n"))],
        anyFields: true
      })
    }
    return database
  })

/** Makes a database of the detail records of these lines. */
export const databaseOf = (details: ReadonlyArray<string>) => databaseOfKinds({ details })

/** A service that is made for a test. */
export type ServiceOf<E = never> = Effect.Effect<
  Service.Service["Service"],
  E | InvalidOption.InvalidOption | Service.ListenError | Store.StoreError,
  Scope.Scope
>

/** A service over the records of these lines. */
export const serviceOf = (
  lines: ReadonlyArray<string>,
  options: Partial<Service.Options> = {}
): ServiceOf<Import.ImportError> =>
  Effect.flatMap(databaseOf(lines), (database) =>
    Service.make({ database, keys: [Redacted.make(key)], ...options })
  )

/**
 * A resource that the tests of a file share. The first test that uses it makes it; it is released after the last
 * test.
 */
const shared = <A>(make: Effect.Effect<A, unknown, Scope.Scope>): Effect.Effect<A> => {
  const scope = Scope.makeUnsafe()
  let resource: Promise<A> | undefined
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.promise(() => {
    resource ??= Effect.runPromise(Scope.provide(make, scope))
    return resource
  })
}

/** A database of these records that the tests of a file share. */
export const sharedDatabase = (lines: Lines): Effect.Effect<string> => shared(databaseOfKinds(lines))

/**
 * A service over these records, or over a database, that the tests of a file share. An import and the threads of a
 * store cost far more than a request.
 */
export const sharedService = (
  lines: Lines | Effect.Effect<string>,
  options: Partial<Service.Options> = {}
): Effect.Effect<Service.Service["Service"]> => {
  const database: Effect.Effect<string, unknown, Scope.Scope> = Effect.isEffect(lines)
    ? lines
    : databaseOfKinds(lines)
  return shared(
    Effect.flatMap(database, (database) => Service.make({ database, keys: [Redacted.make(key)], ...options }))
  )
}

export interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request with the right key, unless `headers` say otherwise. */
export const send = (
  service: { readonly url: string },
  target: string,
  init: RequestInit & { readonly headers?: Record<string, string> } = {}
): Effect.Effect<TextResponse> =>
  Effect.promise(async () => {
    const response = await fetch(`${service.url}${target}`, {
      ...init,
      headers: { "x-api-key": key, connection: "close", ...init.headers }
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** Sends a batch as JSON. */
export const sendBatch = (
  service: Service.Service["Service"],
  body: string,
  query = "",
  headers: Record<string, string> = {}
): Effect.Effect<TextResponse> =>
  send(service, `${path}${query}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers }
  })

/** Retries an effect until its result is right: it waits for an event of the server that clients cannot see. */
export const retryUntil = <A>(effect: Effect.Effect<A>, isRight: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(effect, (answer) =>
    isRight(answer) ? Effect.succeed(answer) : Effect.andThen(Effect.sleep(20), retryUntil(effect, isRight))
  )

/** Runs a scoped program. */
export const run = <A, E>(program: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(program))
