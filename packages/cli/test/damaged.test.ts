import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, run, sharedService } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const bisphenolA = "DTXSID7020182"

describe("damaged identifiers", { concurrent: true }, () => {
  it("are repaired with the same note by validate, resolve, details and search", async () => {
    const { env } = await sharedService()
    const dtxsid = "DTXSID 702O182"
    const note = `read as ${bisphenolA} (separators, letters for digits)`
    const validated = await run(["validate", "-q", dtxsid])
    expect(lines(validated.stdout)).toMatchObject([{ valid: false, message: note, suggestion: bisphenolA }])
    const resolved = await run(["resolve", dtxsid, "71-43-2", "80.05.7"], { env })
    expect(lines(resolved.stdout)[0]).toMatchObject({ status: "found", dtxsid: bisphenolA, note })
    expect(resolved.stderr).toContain(`2 repaired, the first in line 1: ${note}`)
    const details = await run(["details", dtxsid], { env })
    expect(lines(details.stdout)).toMatchObject([{ dtxsid: bisphenolA }])
    expect(details.stderr).toContain(`1 repaired, the first in line 1: ${note}`)
    const search = await run(["search", "equal", "80.05.7"], { env })
    expect(lines(search.stdout)).toMatchObject([{ dtxsid: bisphenolA }])
    expect(search.stderr).toContain("1 repaired, the first in line 1: read as 80-05-7 (separators)")
  })

  it("are named with their repair in the errors file if the service does not know them", async () => {
    const { env } = await sharedService()
    const at = folder()
    await run(["details", "-q", "DTXSID 90999999", "--errors", "errors"], { env, cwd: at })
    expect(lines(readFileSync(join(at, "errors"), "utf8"))).toMatchObject([
      {
        id: "DTXSID90999999",
        given: "DTXSID 90999999",
        outcome: "missing",
        error: {
          message: expect.stringMatching(/^read as DTXSID90999999 \(separators\); the service does not know/)
        }
      }
    ])
  })

  it("are sent as they are if they are valid, whatever their spelling is", async () => {
    const words = ["80-05-7", "dtxsid7020182", "Benzol", "IISBACLAFKSPIT-UHFFFAOYSA-N", "β-Carotene"]
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((searchValue) => ({ searchValue, dtxsid: null })))
    }))
    await run(["search", "equal", "-q", ...words], { env })
    const sent = requests.map(({ path }) => decodeURIComponent(path.split("/").at(-1) ?? ""))
    expect(sent.sort()).toEqual(words.sort())
  })
})

describe("placeholders", { concurrent: true }, () => {
  it("are invalid in each column of identifiers, and are searched for with --as name", async () => {
    const hit = [{ dtxsid: "DTXSID4049748", searchName: "Synonym", searchValue: "NA", rank: 15 }]
    const { env, requests } = await scripted(() => ({ body: JSON.stringify(hit) }))
    const at = folder()
    writeFileSync(join(at, "t.csv"), "casrn,name\nNA,NA\n-,not available\n")
    const table = await run(["resolve", "-i", "t.csv", "--key", "casrn,name", "--format", "ndjson"], {
      env,
      cwd: at
    })
    expect(lines(table.stdout)).toMatchObject([
      { status: "invalid", note: 'placeholder: "NA" stands for no value' },
      { status: "invalid", note: 'placeholder: "-" stands for no value' }
    ])
    expect(requests).toEqual([])
    for (const command of [["details"], ["search", "equal"], ["formula", "exact"]]) {
      const { stderr } = await run([...command, "NaN", "#N/A"], { env })
      expect(stderr).toContain('placeholder: "NaN" stands for no value')
    }
    expect(requests).toEqual([])
    const literal = await run(["resolve", "-q", "--as", "name", "NA"], { env })
    expect(lines(literal.stdout)).toMatchObject([{ status: "found", dtxsid: "DTXSID4049748" }])
    expect(requests[0]?.ids).toEqual(["NA"])
  })
})
