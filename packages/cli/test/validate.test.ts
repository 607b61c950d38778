import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { Dtxcid, Dtxsid } from "@chemstream/api"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as IdentifierCheck from "../src/input/identifierCheck.ts"
import { folder, run, sharedService, start } from "./process.ts"
import { lines, scripted } from "./scripted.ts"

const inchikey = "IISBACLAFKSPIT-UHFFFAOYSA-N"

describe("the kind and the check of a text", () => {
  it.each([
    ["DTXSID7020182", "dtxsid", true, null],
    [" dtxsid7020182", "dtxsid", true, "DTXSID7020182"],
    ["DTXSID1020182", "dtxsid", false, null],
    ["DTXSID 702O182", "dtxsid", false, "DTXSID7020182"],
    ["DTXSID9999999", "dtxsid", false, null],
    ["DTXCID30182", "dtxcid", true, null],
    ["DTXCID10182", "dtxcid", false, null],
    ["80-05-7", "casrn", true, null],
    ["80-05-8", "casrn", false, null],
    ["80–05–7", "casrn", false, "80-05-7"],
    ["CAS 80 05 7", "casrn", false, "80-05-7"],
    ["000080-05-7", "casrn", false, "80-05-7"],
    ["80057", "casrn", false, "80-05-7"],
    ["80058", "casrn", false, null],
    ["NOCAS_12", "casrn", true, null],
    ["NOCAS12", "casrn", false, "NOCAS_12"],
    [inchikey, "inchikey", true, null],
    [inchikey.toLowerCase(), "inchikey", true, inchikey],
    [`InChIKey=${inchikey}`, "inchikey", true, inchikey],
    [inchikey.replaceAll("-", ""), "inchikey", false, inchikey],
    [`${inchikey}X`, "inchikey", false, null],
    ["H6C6", "formula", true, "C6H6"],
    ["C₁₅H₁₆O₂", "formula", false, "C15H16O2"],
    ["C15 H16 O2", "formula", false, "C15H16O2"],
    ["C15Xx2", "formula", false, null],
    ["DTXSID7020182,", "dtxsid", false, "DTXSID7020182"],
    ["DTXSID7020182 ;", "dtxsid", false, "DTXSID7020182"],
    ["\u200BDTXSID702\u200B0182\uFEFF", "dtxsid", false, "DTXSID7020182"],
    ["71-43-2;", "casrn", false, "71-43-2"],
    ["C15H16O2,", "formula", false, "C15H16O2"],
    ["bisphenol a", null, false, null],
    ["Bisphenol A (80-05-7)", "casrn", false, "80-05-7"],
    ["80-05-7; 71-43-2", null, false, null],
    ["NaN", null, false, null],
    ["80057.0", "casrn", false, "80-05-7"],
    ["https://comptox.epa.gov/dashboard/chemical/details/DTXSID7020182", "dtxsid", false, "DTXSID7020182"],
    ["", null, false, null]
  ])("%j is told as %s, valid: %s, meant: %j", (text, kind, valid, suggestion) => {
    const finding = IdentifierCheck.find(text, "auto")
    expect(finding).toMatchObject({ kind, valid, suggestion })
    expect([finding.reason, finding.message].every((one) => (one === null) === valid)).toBe(true)
  })

  it("uses the requested kind, not the one that the text looks like", () => {
    expect(IdentifierCheck.find("DTXCID30182", "dtxsid")).toMatchObject({
      valid: false,
      kind: "dtxsid",
      reason: "malformed",
      message: expect.stringContaining("names a compound")
    })
  })

  it("accepts every valid identifier, and suggests no correction for a wrong check digit", () => {
    const casrn = (number: number): string => {
      const digits = String(number)
      const sum = [...digits].reduceRight((total, digit, i) => total + Number(digit) * (digits.length - i), 0)
      return `${digits.slice(0, -2)}-${digits.slice(-2)}-${sum % 10}`
    }
    const identifier = fc.oneof(
      fc
        .nat(999_999_999)
        .map((number) => ({ kind: "dtxsid" as const, at: 6, text: Dtxsid.fromNumber(number) })),
      fc
        .nat(999_999_999)
        .map((number) => ({ kind: "dtxcid" as const, at: 6, text: Dtxcid.fromNumber(number) })),
      fc.integer({ min: 5000, max: 999_999_999 }).map((number) => {
        const text = casrn(number)
        return { kind: "casrn" as const, at: text.length - 1, text }
      })
    )
    fc.assert(
      fc.property(identifier, fc.integer({ min: 1, max: 9 }), ({ at, kind, text }, more) => {
        expect(IdentifierCheck.find(text, "auto")).toMatchObject({ valid: true, kind, suggestion: null })
        const digit = String((Number(text[at]) + more) % 10)
        const wrong = text.slice(0, at) + digit + text.slice(at + 1)
        expect(IdentifierCheck.find(wrong, "auto")).toMatchObject({
          valid: false,
          kind,
          reason: "check-digit",
          suggestion: null
        })
      })
    )
  })

  it("suggests only valid identifiers", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."DTXSIDC0123456789-–O ._ABNHab₂=InChIKey") }),
        fc.constantFrom("auto" as const, ...IdentifierCheck.kinds),
        (text, asked) => {
          const { kind, suggestion } = IdentifierCheck.find(text, asked)
          if (suggestion === null || kind === null) return
          expect(IdentifierCheck.find(suggestion, kind)).toMatchObject({ valid: true, suggestion: null })
        }
      )
    )
  })
})

describe("chemstream validate", { concurrent: true }, () => {
  it("writes a line for each value, sends no request, and exits with 1 for an invalid value", async () => {
    const { code, stderr, stdout } = await run(["validate", "80-05-7", "80-05-8", "what?"])
    expect(code).toBe(1)
    expect(lines(stdout)).toEqual([
      { id: "80-05-7", line: 1, valid: true, kind: "casrn", reason: null, message: null, suggestion: null },
      {
        id: "80-05-8",
        line: 2,
        valid: false,
        kind: "casrn",
        reason: "check-digit",
        message: "80-05-8 has the check digit 8, but its other digits give 7; any digit may be wrong",
        suggestion: null
      },
      {
        id: "what?",
        line: 3,
        valid: false,
        kind: null,
        reason: "malformed",
        message: expect.stringContaining("looks like none of"),
        suggestion: null
      }
    ])
    expect(stderr).toBe("read 3 = 1 valid + 1 with a wrong check digit + 1 malformed\n")
  })

  it("requests with --lookup only the identifiers near a wrong one", async () => {
    const { env } = await sharedService()
    const values = ["80-05-8", "DTXSID1020182", "DTXCID10182", "71-43-2", "80-50-7", "x"]
    const { code, stderr, stdout } = await run(["validate", "--lookup", ...values], { env })
    const rows = lines(stdout) as ReadonlyArray<{
      readonly didYouMean: ReadonlyArray<{ readonly id: string }>
    }>
    const [casrn, dtxsid, dtxcid, correct, swapped, malformed] = rows.map(({ didYouMean }) => didYouMean)
    const bisphenolA = { id: "80-05-7", preferredName: "Bisphenol A" }
    expect(casrn).toContainEqual(bisphenolA)
    expect(swapped).toContainEqual(bisphenolA)
    expect(dtxsid).toContainEqual({ id: "DTXSID7020182", preferredName: "Bisphenol A" })
    expect(dtxcid).toContainEqual({ id: "DTXCID30182", preferredName: "Bisphenol A" })
    expect(correct).toEqual([])
    expect(malformed).toEqual([])
    expect(stderr).toContain("4 with a similar identifier that the service knows")
    expect(code).toBe(1)
  })

  it("requests with --lookup what is near equal values once, in full batches, as planned with --dry-run", async () => {
    const { env, requests } = await scripted(({ ids }) => ({
      body: JSON.stringify(ids.map((searchValue) => ({ searchValue, dtxsid: null })))
    }))
    const wrong = ["80-05-8", "71-43-3", "80-05-8", "50-00-1", "64-17-6"]
    const values = Array.from({ length: 500 }, (_, at) =>
      at % 100 === 7 ? wrong[(at / 100) | 0] : "80-05-7"
    )
    const file = join(folder(), "numbers")
    writeFileSync(file, values.join("\n"))
    const args = ["validate", "--lookup", "--input", file]
    const plan = await run([...args, "--dry-run"], { env })
    expect(plan.stdout).toMatch(/^identifiers: with a wrong check digit 4\nrequests: 1\n/)
    expect(requests).toEqual([])
    const ended = await run([...args, "--quiet"], { env })
    expect(lines(ended.stdout)).toHaveLength(500)
    expect(requests).toHaveLength(1)
    expect(new Set(requests.flatMap(({ ids }) => ids)).size).toBe(requests.flatMap(({ ids }) => ids).length)
  })

  it("prints with --lookup the values before a failure of the standard input", async () => {
    const { env } = await sharedService()
    const values = Array.from({ length: 5000 }, (_, at) => `name ${at * 7919}`).join("\n")
    const whole = gzipSync(`80-05-8\n${values}\n`)
    const args = ["validate", "--lookup", "--quiet"]
    const { code, stderr, stdout } = await run(args, { env, input: whole.subarray(0, whole.length - 9) })
    expect(stderr).toContain("cut off")
    expect(lines(stdout)[0]).toMatchObject({ id: "80-05-8", didYouMean: expect.any(Array) })
    expect(code).toBe(2)
  })

  it("fails with --lookup if the service fails, and reports it", async () => {
    const { env } = await scripted(() => ({ status: 401, body: "{}" }))
    const refused = await run(["validate", "--lookup", "80-05-8"], { env })
    expect(refused.code).toBe(3)
    const none = await run(["validate", "80-05-8"], { env })
    expect(none.code).toBe(1)
  })

  it("exits with 0 if all values are valid, and prints no summary when quiet", async () => {
    const ended = await run(["validate", "-q", "80-05-7", "DTXSID7020182"])
    expect(ended).toMatchObject({ code: 0, stderr: "" })
    expect(lines(ended.stdout)).toHaveLength(2)
  })

  it("reads input as the other commands do: quotes, comments, CRLF, a byte-order mark, and objects", async () => {
    const text = await run(["validate", "-q"], { input: '\uFEFF# mine\r\n"80-05-7"\r\n\r\n  7732-18-5 \r\n' })
    expect(lines(text.stdout).map(({ id, line, valid }) => [id, line, valid])).toEqual([
      ["80-05-7", 2, true],
      ["7732-18-5", 4, true]
    ])
    const file = join(folder(), "records.ndjson")
    writeFileSync(file, `{"dtxsid":"DTXSID7020182","cas":"80-05-8"}\n`)
    const own = await run(["validate", "-q", "--kind", "dtxsid", "--input", file])
    expect(lines(own.stdout)).toMatchObject([{ id: "DTXSID7020182", valid: true }])
    const named = await run(["validate", "-q", "--key", "cas", "--input", file])
    expect(named.code).toBe(1)
    expect(lines(named.stdout)).toMatchObject([{ id: "80-05-8", reason: "check-digit" }])
  })

  it("reads objects between other lines, each by its first field with an identifier", async () => {
    const input = '80-05-7\n{"n":1}\n{oops\n{"name":"x","casrn":"71-43-2","molFormula":"C6H6"}\n'
    const ended = await run(["validate"], { input })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("read 4 = 2 valid") })
    expect(lines(ended.stdout).map(({ id, kind, line, valid }) => [id, line, kind, valid])).toEqual([
      ["80-05-7", 1, "casrn", true],
      ["", 2, null, false],
      ["{oops", 3, null, false],
      ["71-43-2", 4, "casrn", true]
    ])
  })

  it("writes a file that appears when it is complete, and refuses its input as output", async () => {
    const at = folder()
    const written = await run(["validate", "80-05-7", "80-05-8", "-o", "found.ndjson.gz"], { cwd: at })
    expect(written).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("read 2 = 1 valid")
    })
    expect(lines(gunzipSync(readFileSync(join(at, "found.ndjson.gz"))).toString())).toMatchObject([
      { id: "80-05-7", valid: true },
      { id: "80-05-8", valid: false }
    ])
    writeFileSync(join(at, "ids"), "80-05-7\n")
    expect(await run(["validate", "-i", "ids", "-o", "ids"], { cwd: at })).toMatchObject({ code: 2 })
    expect(readFileSync(join(at, "ids"), "utf8")).toBe("80-05-7\n")
  })

  it("writes a line before the input ends", async () => {
    const { child, ended, prints } = start(["validate"], { input: "80-05-7\n", isOpen: true })
    await prints(/"id":"80-05-7".*\n/)
    child.stdin?.end()
    expect(await ended).toMatchObject({ code: 0 })
  })

  it("stops without a message if the reader closes the pipe", async () => {
    const input = "80-05-8\n".repeat(100_000)
    const { child, ended, prints } = start(["validate"], { input })
    await prints(/\n/)
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: "" })
  })

  it("exits with 2 for an unknown kind or a missing file", async () => {
    const kind = await run(["validate", "--kind", "name", "C"])
    expect(kind).toMatchObject({ code: 2, stdout: "" })
    expect(kind.stderr).toContain("auto, dtxsid, dtxcid, casrn, inchikey, inchi, smiles, formula")
    expect(await run(["validate", "--input", join(folder(), "none")])).toMatchObject({ code: 2, stdout: "" })
  })
})
