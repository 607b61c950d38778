/** The sizes in docs/runtimes.md: what a page downloads for a program, minified and compressed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "vite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const page = fileURLToPath(new URL("../../../docs/runtimes.md", import.meta.url))

/** The rows of the table: a program, and its sizes in kB. */
const rows = [
  ...readFileSync(page, "utf8").matchAll(/^\| `(import .+)` +\| +([\d.]+) +\| +([\d.]+) +\|$/gm)
].map(([, program = "", minified = "", compressed = ""]) => ({
  program,
  minified: Number(minified),
  compressed: Number(compressed)
}))

/** Returns the bytes of a program as a bundler of a page makes it, and these bytes compressed. */
const sizesOf = async (program: string, folder: string) => {
  const entry = join(folder, "program.ts")
  writeFileSync(entry, `${program}\n`)
  const output = await build({
    configFile: false,
    logLevel: "silent",
    root: folder,
    build: {
      write: false,
      minify: true,
      rolldownOptions: { input: entry, output: { format: "es" } },
      modulePreload: false
    }
  })
  const [made] = [output].flat()
  const chunks = made !== undefined && "output" in made ? made.output : []
  const code = chunks.map((chunk) => ("code" in chunk ? chunk.code : "")).join("")
  return { minified: Buffer.byteLength(code) / 1000, compressed: gzipSync(code).byteLength / 1000 }
}

describe("docs/runtimes.md", () => {
  let folder: string
  beforeAll(() => {
    // Beside the packages that it imports.
    folder = mkdtempSync(join(dirname(import.meta.dirname), "node_modules/.sizes-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("has the programs that people write for a page", () => {
    expect(rows.length).toBeGreaterThan(5)
  })

  it.each(rows)("has the sizes of $program", async ({ compressed, minified, program }) => {
    const sizes = await sizesOf(program, folder)
    const shown = `${sizes.minified.toFixed(1)} kB, compressed ${sizes.compressed.toFixed(1)} kB`
    expect(Math.abs(sizes.minified - minified) / minified, shown).toBeLessThan(0.05)
    expect(Math.abs(sizes.compressed - compressed) / compressed, shown).toBeLessThan(0.05)
  })
})
