/** A database that is replaced by renaming another one, while the service runs. */
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { fileOf, folder, key, path, retryUntil, run, send } from "./testService.ts"

const id = "DTXSID7020182"

const database = (directory: string, name: string, preferredName: string) => {
  const record = JSON.stringify({ dtxsid: id, preferredName })
  const file = join(directory, name)
  return Effect.as(
    Import.details({ database: file, files: [fileOf(directory, `${name}.ndjson`, record)] }),
    file
  )
}

const service = (file: string) => Service.make({ database: file, keys: [Redacted.make(key)] })

const nameOf = (target: string) => (running: { readonly url: string }) =>
  Effect.map(send(running, target), ({ text }) => /"preferredName":"(\w+)"/.exec(text)?.[1] ?? text)

const detail = nameOf(`${path}${id}`)
const search = nameOf("/chemical/search/start-with/old")
const newSearch = nameOf("/chemical/search/start-with/new")

const ready = (running: { readonly url: string }) =>
  Effect.map(send(running, "/ready"), ({ status }) => status)

it("gives details and searches of the new file together, and is not ready until it is open", () =>
  run(
    Effect.gen(function* () {
      const directory = yield* folder
      const live = yield* database(directory, "live.sqlite", "oldname")
      const next = yield* database(directory, "next.sqlite", "newname")
      const running = yield* service(live)
      expect([yield* detail(running), yield* search(running)]).toEqual(["oldname", "oldname"])
      renameSync(next, live)
      expect(yield* ready(running)).toBe(503)
      yield* retryUntil(ready(running), (status) => status === 200)
      expect([yield* detail(running), yield* newSearch(running)]).toEqual(["newname", "newname"])
      expect(yield* search(running)).not.toBe("oldname")
    })
  ))

it("does not search the new file beside the old one with a thread that starts late", () =>
  run(
    Effect.gen(function* () {
      const directory = yield* folder
      const live = yield* database(directory, "live.sqlite", "oldname")
      const next = yield* database(directory, "next.sqlite", "newname")
      const running = yield* service(live)
      expect(yield* detail(running)).toBe("oldname")
      renameSync(next, live)
      for (let isNew = false; !isNew; ) {
        const before = yield* detail(running)
        const found = yield* newSearch(running)
        const after = yield* detail(running)
        if (before === after && before === "oldname") expect(found).not.toBe("newname")
        isNew = after === "newname"
      }
      expect(yield* newSearch(running)).toBe("newname")
    })
  ))

it("is not ready while the file is gone or no database, and goes on with the old one", () =>
  run(
    Effect.gen(function* () {
      const directory = yield* folder
      const live = yield* database(directory, "live.sqlite", "oldname")
      const next = yield* database(directory, "next.sqlite", "newname")
      const running = yield* service(live)
      rmSync(live)
      expect([yield* ready(running), yield* detail(running)]).toEqual([503, "oldname"])
      writeFileSync(live, "not a database")
      expect([yield* ready(running), yield* detail(running)]).toEqual([503, "oldname"])
      renameSync(next, live)
      yield* retryUntil(ready(running), (status) => status === 200)
      expect(yield* detail(running)).toBe("newname")
    })
  ))
