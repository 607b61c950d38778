import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import * as Fixtures from "../src/Fixtures.ts"
import * as Gateway from "../src/Gateway.ts"
import * as Responses from "../src/Responses.ts"

it("serves a database of an earlier release with the same bytes", async () => {
  const cwd = Fixtures.copy("service")
  const recorded: ReadonlyArray<Responses.Response> = JSON.parse(
    gunzipSync(readFileSync(join(cwd, "responses.json.gz"))).toString()
  )
  const gateway = await Gateway.start(join(cwd, "service.sqlite"), cwd)
  try {
    const requests = recorded.map(({ request }) => request)
    expect(requests.length).toBeGreaterThan(25)
    expect(await Responses.ask(gateway.upstream, requests)).toEqual(recorded)
  } finally {
    await gateway.stop()
    rmSync(cwd, { recursive: true })
  }
})
