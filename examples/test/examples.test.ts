import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const folder = fileURLToPath(new URL("..", import.meta.url))

const run = (script: string) => promisify(execFile)(process.execPath, [`${folder}/${script}`])

const scripts = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "vitest.config.ts")

describe("details.ts", () => {
  it("writes the records found, in the order asked, and says what is missing", async () => {
    const { stderr, stdout } = await run("details.ts")
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(records).toMatchObject([
      { dtxsid: "DTXSID7020182", preferredName: "Bisphenol A", molFormula: "C15H16O2" },
      { dtxsid: "DTXSID3039242", preferredName: "Benzene", molFormula: "C6H6" }
    ])
    expect(stderr).toBe("Missing DTXSID2099900001\n")
  })

  it("stands in the README as it is", () => {
    const readme = readFileSync(`${folder}/../README.md`, "utf8")
    expect(readme).toContain(`\`\`\`ts\n${readFileSync(`${folder}/details.ts`, "utf8")}\`\`\``)
  })
})

describe("the examples", () => {
  it.each(scripts)("%s is at most 60 lines and listed in the README", (script) => {
    expect(readFileSync(`${folder}/${script}`, "utf8").split("\n").length).toBeLessThanOrEqual(61)
    expect(readFileSync(`${folder}/README.md`, "utf8")).toContain(`[${script}](${script})`)
  })
})
