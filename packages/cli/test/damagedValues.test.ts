/** Every command reads a damaged identifier as the same one, or refuses it for the same reason. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Damaged, values } from "./damagedValues.ts"
import { folder, run, sharedService } from "./process.ts"
import { lines } from "./scripted.ts"

type Row = Readonly<Record<string, unknown>>

/** The substances of the values, by each of their identifiers. */
const substances: Readonly<Record<string, string>> = {
  ...{ DTXSID7020182: "DTXSID7020182", DTXCID30182: "DTXSID7020182", "80-05-7": "DTXSID7020182" },
  ...{ "IISBACLAFKSPIT-UHFFFAOYSA-N": "DTXSID7020182", "71-43-2": "DTXSID3039242" },
  ...{ "50-00-0": "DTXSID7020637", "58-08-2": "DTXSID0020232", DTXSID0020232: "DTXSID0020232" }
}

/** Runs a command over values, each with its position, and returns its rows by position. */
const over = async (
  some: ReadonlyArray<{ readonly value: string; readonly at: number }>,
  ...args: ReadonlyArray<string>
) => {
  const { env } = await sharedService()
  const folderOfRun = folder()
  const text = some.map(({ at, value }) => `${JSON.stringify({ at, value })}\n`).join("")
  writeFileSync(join(folderOfRun, "values.ndjson"), text)
  const { code, stdout, stderr } = await run([...args, "--input", "values.ndjson", "--key", "value"], {
    env,
    cwd: folderOfRun
  })
  return { code, stderr, rows: lines(stdout) as ReadonlyArray<Row> }
}

const numbered = values.map((one, at) => ({ ...one, at }))

describe("the damaged values", () => {
  it("are at least 200, each once, with a source", () => {
    expect(values.length).toBeGreaterThanOrEqual(200)
    expect(new Set(values.map(({ value }) => value)).size).toBe(values.length)
  })

  it("are read by validate and resolve as the same identifier, with the same note", async () => {
    const { rows: checked } = await over(numbered, "validate", "-q")
    const { rows: resolved } = await over(numbered, "resolve", "-q")
    expect([checked.length, resolved.length]).toEqual([values.length, values.length])
    const seen = numbered.map(({ at, is, value }) => {
      const { message, reason, suggestion } = checked[at] ?? {}
      const { dtxsid, note, status } = resolved[at] ?? {}
      if (is === "name") return [value, is, status === "invalid" ? note : is]
      if (is === "suspicious")
        return [value, is, reason === "check-digit" && status === "missing" ? is : note]
      if (is === "invalid")
        return [value, is, status === "invalid" && suggestion === null ? is : [note, suggestion]]
      const isFound = substances[is] === undefined || (status === "found" && dtxsid === substances[is])
      // White space around a value is no damage.
      const read = value.trim() === is ? is : suggestion
      const isSaid = value.trim() === is || String(note).includes(String(message))
      return [value, is, isFound && isSaid ? read : [status, dtxsid, note, message]]
    })
    expect(seen.filter(([, is, read]) => is !== read)).toEqual([])
  })

  it.each([
    ["DTXSIDs", ["details", "--fields", "dtxsid"], /^DTXSID/],
    ["the other keys", ["search", "equal"], /^(?:DTXCID|\d+-\d\d-\d$|[A-Z]{14}-)/]
  ] as const)(
    "that are %s are found by their endpoint, and placeholders are refused",
    async (_, command, form) => {
      // A word is searched for as it is, so a text around an identifier makes it another word.
      const isWord = ({ source }: Damaged) => command[0] === "search" && source === "one identifier in a text"
      const wanted = numbered.filter((one) => form.test(one.is) && !isWord(one))
      const placeholders = numbered.filter(({ source }) => source === "placeholders")
      const { rows, stderr } = await over([...wanted, ...placeholders], ...command, "--keep", "at")
      const found = new Map(rows.map(({ at, dtxsid }) => [at, dtxsid]))
      const seen = wanted.map(({ at, is, value }) => [value, is, found.get(at)])
      expect(seen.filter(([, is, dtxsid]) => substances[String(is)] !== dtxsid)).toEqual([])
      expect(stderr).toMatch(new RegExp(` ${placeholders.length} invalid$`, "m"))
      expect(wanted.length).toBeGreaterThan(60)
    }
  )
})
