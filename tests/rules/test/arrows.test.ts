import { describe, expect, it } from "vitest"
import * as Arrows from "../src/Arrows.ts"

describe("allowed", () => {
  it("follows the arrows to their end", () => {
    expect([...(Arrows.allowed("stream") ?? [])].sort()).toEqual(["api", "client", "ndjson"])
  })

  it("never leads client, stream or ndjson to the service", () => {
    for (const folder of ["client", "stream", "ndjson"])
      expect(Arrows.allowed(folder)).not.toContain("service")
  })

  it("never leads a package to itself", () => {
    for (const folder of ["api", "ndjson", "client", "stream", "service", "workflow", "cli"]) {
      expect(Arrows.allowed(folder)).not.toContain(folder)
    }
  })

  it("knows nothing of a package without a line", () => {
    expect(Arrows.allowed("unheard-of")).toBeUndefined()
  })
})
