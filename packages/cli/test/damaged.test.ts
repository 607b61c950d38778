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

  it("are named if they are beside a valid one, which is then not taken alone", async () => {
    const { env } = await sharedService()
    const at = folder()
    const texts = ["80-05-7; 71-43-3", "80-05-7 / 71.43.2"]
    const notes = ["80-05-7, 71-43-3 (damaged)", "80-05-7, 71-43-2"].map(
      (both) => `it contains 2 identifiers: ${both}; split them, or choose one`
    )
    const { stdout } = await run(["resolve", "-q", ...texts, "--errors", "errors"], { env, cwd: at })
    const errors = lines(readFileSync(join(at, "errors"), "utf8"))
    for (const [at, note] of notes.entries()) {
      expect(lines(stdout)[at]).toMatchObject({ status: "missing", note: expect.stringContaining(note) })
      expect(errors[at]).toMatchObject({ error: { message: expect.stringContaining(note) } })
    }
    const details = await run(["details", `${bisphenolA} DTXSID302O182`], { env })
    expect(details.stderr).toContain(`${bisphenolA}, DTXSID302O182 (damaged); split them`)
  })

  it("are counted in the summary as often as in the input, also by harvest, and as often as in the notes of resolve", async () => {
    const { env } = await sharedService()
    const at = folder()
    writeFileSync(join(at, "ids"), `DTXSID 7020182\nDTXSID702O182\n\n${bisphenolA}\ndtxsid7020182\n`)
    const said = "3 repaired, the first in line 1: read as DTXSID7020182 (separators)\n"
    const options = { env, cwd: at }
    expect((await run(["details", "-i", "ids"], options)).stderr).toContain(said)
    const harvest = ["harvest", "start", "h", "-i", "ids", "--output", "out", "--detach", "-d", "h.db"]
    const started = await run(harvest, options)
    expect(started.stderr).toContain(said)
    expect(started.stderr).toContain(
      "h started: 4 identifiers in 1 chunk\nleft out 1 blank line: 5 lines in all\n"
    )
    const values = ["CC(C)(c1ccc(O)cc1)c1ccc(O)cc1 bisphenol", "dtxsid7020182", "H6C6", "80.05.7", "Benzene"]
    const resolved = await run(["resolve", ...values], { env })
    const noted = lines(resolved.stdout).filter((row) => JSON.stringify(row).includes('"note":"read as '))
    expect(noted).toHaveLength(2)
    expect(resolved.stderr).toContain("\n2 repaired, the first in line 1: ")
  })

  it("include no symbol of an element, which is never its hydride but with --as smiles", async () => {
    const { env } = await sharedService()
    const symbols = ["S", "N", "F", "Cl", "O"]
    const { stdout } = await run(["resolve", "-q", ...symbols], { env })
    expect(lines(stdout)).toMatchObject(
      symbols.map((input) => ({
        input,
        status: "missing",
        note: expect.stringContaining("the symbol of an element")
      }))
    )
    const water = await run(["resolve", "-q", "--as", "smiles", "O"], { env })
    expect(lines(water.stdout)).toMatchObject([{ preferredName: "Water" }])
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
