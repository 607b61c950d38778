import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { findings } from "../src/ForeignPaths.ts"
import * as Package from "../src/Package.ts"

/** Joins the parts of a path. Written as one text, it would be a finding in this file. */
const path = (...parts: ReadonlyArray<string>): string => `/${parts.join("/")}`
const host = ["registry", "npmjs", "org"].join(".")

describe("findings", () => {
  it("names the line of a registry host", () => {
    expect(findings("a.yaml", `one\ntarball: https://${host}/x.tgz`)).toEqual([
      expect.stringMatching(/^a\.yaml:2 .*registry/)
    ])
  })

  it.each([path("work", "main"), `"${path("home", "ada", "x")}"`, `file://${path("Users", "ada")}`])(
    "finds the machine's path in %s",
    (text) => {
      expect(findings("a.ts", text)).toHaveLength(1)
    }
  )

  it.each([
    "src/work/main.ts",
    "./home/x",
    "https://example.org/home/ada",
    "https://www.npmjs.com/package/effect"
  ])("accepts %s", (text) => {
    expect(findings("a.ts", text)).toEqual([])
  })
})

describe("the files of the repository", () => {
  it("name no registry host and no path of one machine", () => {
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    const listed = execFileSync("git", args, { cwd: Package.root, encoding: "utf8" }).split("\0")
    // A deleted file is listed until the deletion is committed.
    const files = listed.filter((file) => file !== "" && existsSync(join(Package.root, file)))
    expect(files).toContain("package.json")
    const found = files.flatMap((file) => {
      const content = readFileSync(join(Package.root, file))
      return content.includes(0) ? [] : findings(file, content.toString("utf8"))
    })
    expect(found).toEqual([])
  })
})
