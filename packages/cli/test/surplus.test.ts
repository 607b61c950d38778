import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { setUp, signal } from "./checkpointed.ts"
import { folder, run, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const a = "DTXSID7020182"
const b = "DTXSID3039242"
const stranger = "DTXSID0020232"

/** Responds with the records, an unrequested one, a second one of the first identifier, and one without identifier. */
const generous = () =>
  scripted(({ ids }) => ({
    body: `[${ids.map((id) => `{"dtxsid":"${id}"}`).join()},{"dtxsid":"${stranger}","n":1.0},{"dtxsid":"${ids[0]}","n":2.0},{"n":3.0}]`
  }))

const surplusLine = (error: object, record: string, id?: string) =>
  `${JSON.stringify({ ...(id === undefined ? {} : { id }), outcome: "surplus", error: { tag: "Surplus", ...error } }).slice(0, -1)},"records":[${record}]}\n`

const surplus = [
  surplusLine(
    { reason: "unrequested", message: `the response has a record of ${stranger}, which was not requested` },
    `{"dtxsid":"${stranger}","n":1.0}`,
    stranger
  ),
  surplusLine(
    { reason: "repeated", message: `the response has more than one record of ${a}` },
    `{"dtxsid":"${a}","n":2.0}`,
    a
  ),
  surplusLine(
    { reason: "unidentified", message: "the response has a record without an identifier" },
    '{"n":3.0}'
  )
]

describe("a surplus record", { concurrent: true }, () => {
  it("is a line of the errors file, unchanged, and is counted apart from the identifiers", async () => {
    const { env } = await generous()
    const at = folder()
    const args = ["details", a, b, "--errors", "errors.ndjson", "--json-summary", "summary.json"]
    const ended = await run(args, { cwd: at, env })
    expect(ended).toMatchObject({ code: 0, stdout: `{"dtxsid":"${a}"}\n{"dtxsid":"${b}"}\n` })
    expect(ended.stderr).toContain(
      "read 2 = 2 found + 0 missing + 0 failed + 0 duplicates + 0 invalid\n2 records in"
    )
    expect(ended.stderr).toContain(
      "3 surplus records: not requested, repeated, or without an identifier (in errors.ndjson)\n"
    )
    const errors = readFileSync(join(at, "errors.ndjson"), "utf8").split(/(?<=\n)/)
    expect(errors.toSorted()).toEqual(surplus.toSorted())
    expect(JSON.parse(readFileSync(join(at, "summary.json"), "utf8"))).toMatchObject({
      read: 2,
      found: 2,
      records: 2,
      surplus: 3
    })
  })

  it("is reported with the option --errors, if there is no errors file", async () => {
    const { env } = await generous()
    const ended = await run(["details", a], { env })
    expect(ended.stderr).toContain("(--errors FILE keeps them)\n")
  })

  it("is not requested by retry, alone or with failed identifiers", async () => {
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((dtxsid) => ({ dtxsid })))
    }))
    const at = folder()
    const errors = join(at, "errors.ndjson")
    const failed = `${JSON.stringify({ id: b, outcome: "failed", error: {}, line: 2 })}\n`
    writeFileSync(errors, surplus.join("") + failed)
    const retried = await run(["retry", errors, "--also", "missing", "--also", "invalid", "--", "details"], {
      env
    })
    expect(retried).toMatchObject({ code: 0, stdout: `{"dtxsid":"${b}"}\n` })
    expect(retried.stderr).toContain("left out 3 outcomes not requested again")
    writeFileSync(errors, surplus.join(""))
    expect(await run(["retry", errors, "--", "details", "-q"], { env })).toMatchObject({
      code: 0,
      stdout: ""
    })
    expect(await run(["details", "-i", errors, "-q"], { env })).toMatchObject({ code: 0, stdout: "" })
    expect(requests.map(({ ids }) => ids)).toEqual([[b]])
  })

  it("is counted and written once in a run that was stopped and continued", async () => {
    const { at, ids } = setUp(40)
    const held = signal()
    const third = signal()
    const { env } = await scripted(({ ids: asked }, number) => {
      if (number === 3) third.open()
      const records = asked.map((dtxsid) => ({ dtxsid }))
      return {
        body: JSON.stringify([...records, { dtxsid: stranger }]),
        ...(number === 3 ? { until: held.opened } : {})
      }
    })
    const args = ["details", "-i", "ids", "-o", "out", "--errors", "errors", "--checkpoint", "saved"]
    const options = ["--batch-size", "10", "--concurrency", "1", "--json-summary", "summary"]
    const first = start([...args, ...options], { cwd: at, env })
    await third.opened
    first.child.kill("SIGINT")
    await first.says(/stopping/)
    held.open()
    expect(await first.ended).toMatchObject({ code: 130 })
    const second = await run([...args, ...options], { cwd: at, env })
    expect(second.code).toBe(0)
    expect(JSON.parse(readFileSync(join(at, "summary"), "utf8"))).toMatchObject({
      found: ids.length,
      surplus: 4
    })
    expect(lines(readFileSync(join(at, "errors"), "utf8"))).toHaveLength(4)
  })
})

describe("the tissue summary", () => {
  it("has every record of a list", async () => {
    const records = ["liver cell", "hepatoma", "liver"].map(
      (intendedTargetFamily) =>
        `{"dtxsid":"${a}","tissue":"liver","intendedTargetFamily":"${intendedTargetFamily}"}`
    )
    const { env } = await scripted(() => ({ body: `[ ${records.join(" , ")} ]` }))
    const args = ["bioactivity", "summary", "--by", "tissue", "--tissue", "liver", a]
    const ended = await run(args, { env })
    expect(ended).toMatchObject({ code: 0, stdout: records.map((record) => `${record}\n`).join("") })
    expect(ended.stderr).toContain("3 records in")
  })
})
