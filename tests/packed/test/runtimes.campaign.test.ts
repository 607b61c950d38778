/** The packed packages on Bun and Deno, where these are installed (docs/runtimes.md). */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import * as Project from "../src/Project.ts"
import * as PublicPackage from "../src/PublicPackage.ts"

const run = promisify(execFile)

/** Each runtime with the arguments before a program, and whether it is installed. */
const runtimes = await Promise.all(
  [
    { name: "bun", args: [] },
    { name: "deno", args: ["run", "--allow-all"] }
  ].map(async (runtime) => {
    const version = run(runtime.name, ["--version"]).then(
      () => true,
      () => false
    )
    return { ...runtime, isInstalled: await version }
  })
)

const programOf = (entry: string) => `
import { createChemstream } from "${entry}"
const chemstream = await createChemstream({ baseUrl: process.argv[2], apiKey: "a-key" })
const ids = ["DTXSID7020182", "DTXSID2099900001"]
for await (const outcome of chemstream.lookup(ids, { endpoint: "details.byDtxsid" })) console.log(outcome._tag, outcome.id)
await chemstream.close()
`

const refused = `
import { createClient } from "@chemstream/client/node"
await createClient({ baseUrl: process.argv[2], apiKey: "a-key", transport: { connections: 2 } }).catch(({ _tag, message }) =>
  console.log(_tag, message))
`

describe.each(runtimes)("on $name", ({ args, isInstalled, name }) => {
  const project = Project.create(inject("tarballs"))
  const service = createServer(async (request, response) => {
    const ids = (await json(request)) as ReadonlyArray<string>
    const known = ids.filter((dtxsid) => dtxsid === "DTXSID7020182").map((dtxsid) => ({ dtxsid }))
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(known))
  })

  beforeAll(async () => {
    if (!isInstalled) return
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
    const peer = "@effect/platform-node"
    await Project.install(
      project,
      "@chemstream/stream",
      `${peer}@${PublicPackage.get("@chemstream/stream").manifest.peerDependencies?.[peer]}`
    )
  })
  afterAll(async () => {
    service.close()
    await Project.remove(project)
  })

  const outputOf = async (program: string): Promise<string> => {
    writeFileSync(join(project.folder, "program.mjs"), program)
    const { port } = service.address() as AddressInfo
    const all = [...args, "program.mjs", `http://127.0.0.1:${port}`]
    return (await run(name, all, { cwd: project.folder })).stdout
  }

  it.skipIf(!isInstalled).each(["@chemstream/stream", "@chemstream/stream/node"])(
    "looks up substances with %s",
    async (entry) => {
      expect(await outputOf(programOf(entry))).toBe("Found DTXSID7020182\nMissing DTXSID2099900001\n")
    }
  )

  it.skipIf(!isInstalled || name !== "bun")("refuses the settings that its fetch does not have", async () => {
    expect(await outputOf(refused)).toMatch(/^InvalidOption .*transport\.connections.*HTTP_PROXY/s)
  })
})
