import { rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, expect, it } from "vitest"
import * as Cache from "../src/Cache.ts"
import * as Command from "../src/Command.ts"
import * as Fixtures from "../src/Fixtures.ts"
import * as Gateway from "../src/Gateway.ts"

const cwd = Fixtures.copy("settings", "cache", "service")

afterAll(() => rmSync(cwd, { recursive: true }))

it("reads the settings of an earlier release, and sends its key to its service", async () => {
  Fixtures.protect(join(cwd, "chemstream", "settings.json"))
  const get = (...names: ReadonlyArray<string>) => Command.run(["config", "get", ...names], { cwd })
  expect((await get("base-url")).stdout).toBe(`${Gateway.baseUrl}\n`)
  expect((await get("dialect")).stdout).toBe("specification\n")
  const all = (await get()).stdout
  expect(all).toMatch(/^api-key\t.*chemstream config$/m)
  expect(all).not.toContain(Gateway.key)
  const gateway = await Gateway.start(join(cwd, "service.sqlite"), cwd)
  try {
    const { code, stdout } = await Command.run(["details", Cache.known], { cwd, env: gateway.proxyEnv })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ dtxsid: Cache.known })
  } finally {
    await gateway.stop()
  }
})

it("reads the cache of an earlier release, and sends no request for what it holds", async () => {
  const file = join(cwd, "responses.cache")
  const database = new DatabaseSync(file)
  const [stored] = database.prepare("SELECT min(stored_at) AS at FROM entries").all()
  database.close()
  // Nothing listens at this port, so a request would fail.
  const { found, missing } = await Effect.andThen(
    TestClock.setTime(Number(stored?.["at"]) + 1000),
    Cache.ask(file, "http://127.0.0.1:9")
  ).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  expect(found).toMatchObject([{ dtxsid: Cache.known, preferredName: "Ruzomelocetan" }])
  expect(missing).toBe("NotFound")
})
