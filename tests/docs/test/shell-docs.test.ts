import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { published } from "../src/checkout.ts"
import * as DocFiles from "../src/DocFiles.ts"
import * as DocRun from "../src/DocRun.ts"
import * as Fence from "../src/Fence.ts"
import * as ShellCommand from "../src/ShellCommand.ts"
import * as ShellRun from "../src/ShellRun.ts"

/** The time limit of all pages together. */
const limit = 600_000

/** The number of concurrent pages. Some commands mostly wait for a lease or a rate. */
const concurrency = 4

const fences = DocFiles.blocks().filter(({ file }) => file.endsWith(".md"))
const pages = [...Map.groupBy(fences, ({ file }) => file).values()]
  .map(ShellRun.blocksOf)
  .filter((blocks) => blocks.length > 0)
  // The longest pages come first, so that no long page runs alone at the end.
  .sort((one, other) => other.length - one.length)
const blocks = pages.flat()
const compared = blocks.filter(({ expected }) => expected !== undefined)

describe("shell blocks of the documentation", () => {
  let folder: string
  let service: ShellRun.Service
  const problems = new Map<Fence.Fence, ReadonlyArray<string>>()

  beforeAll(async () => {
    folder = DocRun.makeFolder()
    service = await ShellRun.serve(folder)
    const waiting = [...pages.entries()]
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, page] = next
        const found = await ShellRun.execute(join(folder, `page-${index}`), page, service)
        for (const [fence, list] of found) problems.set(fence, list)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }, limit)

  afterAll(() => {
    service.stop()
    DocRun.removeFolder(folder)
  })

  it(`are ${blocks.length}, and ${compared.length} of them have a compared output`, () => {
    expect(compared.length).toBeGreaterThan(0)
  })

  it.each(blocks.map(({ fence }) => ({ title: Fence.title(fence), fence })))("$title", ({ fence, title }) => {
    expect((problems.get(fence) ?? ["it was not executed"]).join("\n"), `${title} fails`).toBe("")
  })

  it("are fenced as sh, not as bash", () => {
    expect(fences.filter(({ language }) => language === "bash").map(Fence.title)).toEqual([])
  })
})

describe("npm in the documentation", () => {
  const known = new Set(
    published().flatMap(({ name, peerDependencies }) => [name, ...Object.keys(peerDependencies ?? {})])
  )
  const installed = fences
    .filter(({ language }) => language === "sh")
    .flatMap((fence) =>
      ShellCommand.parse(fence.code).flatMap(({ line, words: [program, verb, ...rest] }) =>
        program === "npm" && verb === "install"
          ? rest
              // `npm run tarballs` makes the tarballs from our packages.
              .filter((word) => !word.startsWith("-") && !word.endsWith("/tarballs/*.tgz"))
              .map((name) => ({ title: `${fence.file}:${fence.line + line} installs ${name}`, name }))
          : []
      )
    )

  it.each(installed)("$title, a package of ours or a peer", ({ name }) => {
    expect(known).toContain(name)
  })
})
