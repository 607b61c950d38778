import { spawnSync } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { command, environment, folder, run, sharedService } from "./process.ts"

const client = fileURLToPath(new URL("../../../clients/python", import.meta.url))

const guide = readFileSync(new URL("../../../docs/guides/python-and-r.md", import.meta.url), "utf8")

const start = (code: string, env: Record<string, string> = {}) =>
  spawnSync("python3", ["-c", code], {
    cwd: folder(),
    encoding: "utf8",
    env: {
      ...environment(env),
      PYTHONPATH: client,
      PYTHONDONTWRITEBYTECODE: "1",
      CHEMSTREAM: `"${process.execPath}" "${command}"`
    }
  })

const hasPython = start("import sys; assert sys.version_info >= (3, 9)").status === 0
const hasPandas = hasPython && start("import pandas").status === 0

/** Runs Python code with a service, and returns what it prints as JSON. */
const python = async (code: string, more: Record<string, string> = {}): Promise<unknown> => {
  const { env } = await sharedService()
  const ended = start(`import json, chemstream\n${code}`, { ...env, ...more })
  expect(ended.stderr).toBe("")
  return JSON.parse(ended.stdout)
}

describe.skipIf(!hasPython)("the Python client (skipped without Python 3.9)", () => {
  it("resolves the rows of a table, and keeps their columns", async () => {
    const rows = await python(`
rows = [{"sample": 1, "name": "Bisphenol A"}, {"sample": 2, "name": 'no, such "name"'}]
print(json.dumps(chemstream.resolve(rows, key="name", fields=["molFormula"])))`)
    expect(rows).toMatchObject([
      { sample: "1", status: "found", dtxsid: "DTXSID7020182", molFormula: "C15H16O2" },
      { sample: "2", name: 'no, such "name"', status: "missing", dtxsid: null }
    ])
  })

  it("looks up identifiers, and leaves out missing values", async () => {
    const records = await python(`
ids = ["DTXSID7020182", None, float("nan"), "DTXSID2099900001"]
print(json.dumps(chemstream.lookup(ids, fields=["dtxsid", "casrn"], quiet=True)
  + chemstream.lookup(["DTXSID7020182"], "properties predicted", fields=["propName", "propValue"])
  + chemstream.lookup([])))`)
    expect(records).toEqual([
      { dtxsid: "DTXSID7020182", casrn: "80-05-7" },
      { propName: "Molar Mass", propValue: 228.29 }
    ])
  })

  it("finds candidates for the m/z of features", async () => {
    const rows = await python(`
features = [{"feature": "F1", "mz": 229.1223}, {"feature": "F2", "mz": 51.0}]
print(json.dumps(chemstream.suspects(features, mz="mz", ppm=5, adducts="[M+H]+", best=1)))`)
    expect(rows).toMatchObject([
      { feature: "F1", dtxsid: "DTXSID7020182" },
      { feature: "F2", dtxsid: null }
    ])
  })

  it("warns about identifiers without a record, names a written file, and refuses rows", async () => {
    const said = await python(`
import os, warnings
with warnings.catch_warnings(record=True) as caught:
  warnings.simplefilter("always")
  chemstream.lookup(["DTXSID7020182", "DTXSID2099900001", "nonsense"])
written = chemstream.suspects([{"mz": 229.1223}], mz="mz", adducts="[M+H]+", output="found.csv")
looked = chemstream.lookup(["DTXSID7020182"], output="details.csv")
try:
  chemstream.lookup([{"dtxsid": "DTXSID7020182"}])
except chemstream.UsageError as error:
  refused = str(error)
card = chemstream.run(["show", "DTXSID7020182"])
print(json.dumps([[str(one.message) for one in caught], written, looked, os.path.exists(written), os.path.exists(looked), refused, "Bisphenol A" in card]))`)
    expect(said).toEqual([
      ['details: 1 missing, 1 invalid of 3; errors="FILE" has the reasons'],
      ...["found.csv", "details.csv", true, true],
      expect.stringContaining('lookup takes identifiers, not rows: lookup(frame["dtxsid"])'),
      true
    ])
  })

  it("takes the name of a file as a table, and gives the messages of the command as warnings", async () => {
    const said = await python(`
import pathlib, warnings
pathlib.Path("samples.csv").write_text("Samples of May\\n\\nsample,name\\n1,Benzene\\n", encoding="utf-8")
with warnings.catch_warnings(record=True) as caught:
  warnings.simplefilter("always")
  found = [chemstream.resolve(file, key="name") for file in ("samples.csv", pathlib.Path("samples.csv"))]
  chemstream.run(["convert", "samples.csv", *chemstream._flags({"fields": ["sample", "n,m"]})])
top = chemstream.lookup(["DTXSID7020182"], "bioactivity top", quiet=True)
print(json.dumps([found, [str(one.message) for one in caught], list(top[0])[:2]]))`)
    const row = expect.objectContaining({ sample: "1", name: "Benzene", dtxsid: "DTXSID3039242" })
    expect(said).toEqual([
      [[row], [row]],
      ['warning: --fields: no record has the field "n,m", only sample, name'],
      ["dtxsid", "aeid"]
    ])
  })

  it("raises an exception with the exit code and the message of the command", async () => {
    const failures = await python(
      `
def failure(call):
  try:
    return call()
  except chemstream.ChemstreamError as error:
    return [type(error).__name__, error.code, str(error)]
print(json.dumps([
  failure(lambda: chemstream.lookup(["DTXSID7020182"], "details", projection="none")),
  failure(lambda: chemstream.lookup(["nothing valid"])),
  failure(lambda: chemstream.lookup(["DTXSID7020182"], base_url="http://127.0.0.1:1", wait="0s", retries=0)),
]))`
    )
    expect(failures).toEqual([
      ["UsageError", 2, expect.stringContaining("--projection")],
      ["UsageError", 2, expect.stringContaining("no value of the input is valid")],
      ["ServiceError", 4, expect.stringContaining("cannot reach the service")]
    ])
  })

  it("names the command that cannot be started", async () => {
    const ended = start(
      "import os, chemstream; os.environ['CHEMSTREAM'] = 'no-such-command'; chemstream.run([])"
    )
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/UsageError: cannot start no-such-command: install chemstream/)
  })

  it("gives the same records as the command", async () => {
    const { env } = await sharedService()
    const { stdout } = await run(["details", "DTXSID3039242", "-q"], { env })
    expect(await python(`print(json.dumps(chemstream.lookup(["DTXSID3039242"])))`)).toEqual([
      JSON.parse(stdout)
    ])
  })

  it("prints what the guide shows", async () => {
    const blocks = [...guide.matchAll(/```python\n(.*?)```\n\n```text\n(.*?)```/gs)]
    expect(blocks.length).toBe(5)
    const { env } = await sharedService()
    const ended = start(blocks.map(([, code]) => code).join("\n"), env)
    expect(ended.stderr).toMatch(/^[^\n]* UserWarning: properties predicted: 1 missing of 2; .*\n$/)
    expect(ended.stdout).toBe(blocks.map(([, , text]) => text).join(""))
  })

  it.skipIf(!hasPandas)("takes and gives data frames (skipped without pandas)", async () => {
    const rows = await python(`
import pandas
frame = pandas.DataFrame({"name": ["Benzene", None], "amount": [1.5, 2]})
found = chemstream.resolve(frame, key="name")
details = chemstream.lookup(found["dtxsid"], fields=["dtxsid", "molFormula"])
print(found.merge(details, on="dtxsid", how="left")[["name", "amount", "molFormula"]].to_json(orient="records"))`)
    expect(rows).toMatchObject([{ name: "Benzene", amount: "1.5", molFormula: "C6H6" }, { molFormula: null }])
  })
})

/** The blocks of R code, by their first call. */
const rBlocks = [...guide.matchAll(/```r\n(.*?)```/gs)].map(
  ([, code = ""]): readonly [call: string, code: string] => [
    /\w+2?\("chemstream", c\("\w+"/.exec(code)?.[0] ?? "",
    code
  ]
)

describe("the R code of the guide", () => {
  it("uses options that the commands have", async () => {
    const calls = [...guide.matchAll(/c\("(details|resolve|hazard)"([^)]*)/g)]
    expect(calls.length).toBe(4)
    for (const [call, name = "", rest = ""] of calls) {
      const words = name === "hazard" ? ["hazard", "toxval"] : [name]
      const { stdout } = await run([...words, "--help"])
      const options = rest.match(/--[a-z-]+/g) ?? []
      expect(options.length).toBeGreaterThan(0)
      for (const option of options) expect(stdout, call).toMatch(new RegExp(`(^|\\s)${option}\\b`))
    }
  })

  it.for(rBlocks)("runs (skipped without R and its packages): %s", async ([, code], { skip }) => {
    const packages = [...code.matchAll(/library\((\w+)\)|(\w+)::/g)].map(([, one, other]) => one ?? other)
    const asked = packages.map((name) => `requireNamespace("${name}", quietly = TRUE)`).join(", ")
    if (spawnSync("Rscript", ["-e", `stopifnot(${asked})`]).status !== 0) skip(packages.join(", "))
    const { env } = await sharedService()
    const cwd = folder()
    writeFileSync(join(cwd, "chemstream"), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`)
    chmodSync(join(cwd, "chemstream"), 0o755)
    writeFileSync(join(cwd, "ids.txt"), "DTXSID7020182\nDTXSID3039242\n")
    writeFileSync(join(cwd, "samples.csv"), "casrn,name\n80-05-7,Bisphenol A\n")
    const own = environment({ ...env, PATH: `${cwd}:${process.env["PATH"]}` })
    const show =
      'if (exists("details")) stopifnot(nrow(details) == 2) else stopifnot(found$dtxsid == "DTXSID7020182")'
    const ended = spawnSync("Rscript", ["-e", `${code}\n${show}`], { cwd, encoding: "utf8", env: own })
    expect(ended).toMatchObject({ status: 0 })
  })
})
