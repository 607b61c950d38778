import { describe, expect, it } from "vitest"
import { findings } from "../../../scripts/check/foreign-paths.mjs"

/** Written in parts, or this file would be a finding itself. */
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
  ])("lets %s pass", (text) => {
    expect(findings("a.ts", text)).toEqual([])
  })
})
