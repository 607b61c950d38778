/**
 * Hover texts and completions of the calls and lookups, which are generated from rows, in both language services:
 * TypeScript 6 and TypeScript 7.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { Operation, type Row, Rows } from "@chemstream/api"
import { Lookup } from "@chemstream/stream"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as LanguageServer from "../src/languageServer.ts"

const file = fileURLToPath(new URL("hovered.ts", import.meta.url))

const modules: Readonly<Record<string, string>> = { msready: "MsReady" }

const moduleOf = (group: string): string => modules[group] ?? group.charAt(0).toUpperCase() + group.slice(1)

const rows: ReadonlyArray<Row.Row> = Rows.all

/** The modules of the lookups. */
const families: ReadonlySet<string> = new Set(rows.map(({ name }) => moduleOf(Operation.groupOf(name))))

/** A call of each operation, and the lookup of each row. */
const expressions = [
  ...Operation.ofRows(rows).map(({ name }) => `client.${name}`),
  ...rows.map(({ name }) => `${moduleOf(Operation.groupOf(name))}.${Operation.methodOf(name)}`)
]

/** Options in a call, each with the beginning of its text. */
const options: ReadonlyArray<readonly [call: string, text: string]> = [
  ["ChemClient.make({ ...address, maxBodyBytes◆: 1 })", "The largest body of a response, in bytes"],
  [
    "ChemClient.make({ ...address, limits: { requestsPerSecond◆: 1 } })",
    "Requests per second, above 0, evenly spaced"
  ],
  ["createClient({ ...address, cache◆: undefined })", "The cache of responses"],
  ["ResponseCache.memory({ maxBytes◆: 1 })", "The largest size of all responses, in bytes"],
  ["DiskCache.make({ file◆: 'cache' })", "The path of the file"],
  ["Details.byDtxsid({ projection◆: 'compact' })", "The projection of the records"],
  ["MsReady.byMass({ ppm◆: 5 })", "The tolerance on both sides, in parts per million"],
  [
    "Lookup.outcomes(ids, Details.byDtxsid(), { batchSize◆: 10 })",
    "The largest number of identifiers in one call"
  ],
  ["Lookup.outcomes(ids, Details.byDtxsid(), { window◆: 10 })", "The longest time an identifier waits"],
  [
    "Lookup.outcomes(ids, Details.byDtxsid(), { availability: { wait◆: 10 } })",
    "How long calls wait for a service that is unavailable"
  ],
  ["createClient({ ...address, timeouts◆: {} })", "The timeouts of one attempt"],
  ["createClient({ ...address, cache: { store, ttl◆: 1 } })", "How long an entry is served"],
  ["createNodeClient({ ...address, limits◆: {} })", "The limits on requests"],
  [
    "Enrich.lookup({ details: Details.byDtxsid() }, { onFailure◆: 'abort' })",
    "What to do with a failed batch"
  ],
  [
    "Crawl.outcomes(ids, { search: Search.equal(), lookup: Details.byDtxsid(), discover◆: undefined })",
    "Returns the identifiers in a record of the search"
  ],
  ["Resolve.outcomes(ids, { maxCandidates◆: 1 })", "The largest number of candidates of a row"]
]

const text = [
  'import { ChemClient, createClient, ResponseCache } from "@chemstream/client"',
  'import { createClient as createNodeClient, DiskCache } from "@chemstream/client/node"',
  `import { ${[...families].join(", ")}, Crawl, Enrich, type Identifiers, Lookup, Resolve } from "@chemstream/stream"`,
  'import type { Redacted, Stream } from "effect"',
  "declare const client: ChemClient.Calls",
  "declare const store: ResponseCache.Store",
  "declare const ids: Stream.Stream<Identifiers.Identifier>",
  "declare const address: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted }",
  ...expressions,
  ...options.map(([call]) => call.replace("◆", "")),
  "Lookup.outcomes(ids, Details.byDtxsid(), {  })",
  "client.bioactivity."
].join("\n")

/** The last character of an option. */
const optionOf = (call: string): number => text.indexOf(`\n${call.replace("◆", "")}\n`) + call.indexOf("◆")

/** The place between the braces. */
const openOptions = text.indexOf("{  })") + 2

/** The last character of an expression. */
const endOf = (expression: string): number => text.indexOf(`\n${expression}\n`) + expression.length

/** The place after the last dot. */
const open = text.length

const bioactivityCalls = Operation.ofRows(rows)
  .filter(({ name }) => Operation.groupOf(name) === "bioactivity")
  .map(({ name }) => Operation.methodOf(name))

/** The language service of TypeScript 6. */
const service = (): Pick<LanguageServer.LanguageServer, "hover" | "completions"> => {
  const config = fileURLToPath(new URL("../tsconfig.json", import.meta.url))
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config)
  )
  const made = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) =>
      name === file
        ? ts.ScriptSnapshot.fromString(text)
        : ts.sys.fileExists(name)
          ? ts.ScriptSnapshot.fromString(readFileSync(name, "utf8"))
          : undefined,
    getCurrentDirectory: () => dirname(config),
    getCompilationSettings: () => ({ ...options, composite: false, incremental: false }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath })
  })
  return {
    hover: async (offset) =>
      ts.displayPartsToString(made.getQuickInfoAtPosition(file, offset)?.documentation ?? []),
    completions: async (offset) =>
      (made.getCompletionsAtPosition(file, offset, undefined)?.entries ?? []).map(({ name }) => name)
  }
}

/** The language server of TypeScript 7, which checks this workspace. */
const server = (): Promise<LanguageServer.LanguageServer> => {
  const require = createRequire(new URL("../../../package.json", import.meta.url))
  const command = fileURLToPath(
    new URL("bin/tsc", `file://${dirname(require.resolve("typescript/package.json"))}/`)
  )
  return LanguageServer.start(command, { folder: dirname(file), uri: `file://${file}`, text })
}

describe.each([
  ["TypeScript 6", async () => ({ ...service(), stop: () => {} })],
  ["TypeScript 7", server]
] as const)("the language service of %s", (_, make) => {
  let language: LanguageServer.LanguageServer

  beforeAll(async () => {
    language = await make()
  }, 60_000)

  afterAll(() => language.stop())

  it("shows a text for each call and each lookup", { timeout: 120_000 }, async () => {
    const without: Array<string> = []
    for (const expression of expressions) {
      const hover = await language.hover(endOf(expression))
      if (!/(Gets|Finds|Looks up|Lists|Streams|Searches) [a-zA-Z]/.test(hover))
        without.push(`${expression}: ${hover}`)
    }
    expect(expressions.length).toBeGreaterThan(50)
    expect(without).toEqual([])
  })

  it("shows a text for each option", { timeout: 120_000 }, async () => {
    const without: Array<string> = []
    for (const [call, expected] of options) {
      const hover = await language.hover(optionOf(call))
      if (!hover.includes(expected)) without.push(`${call}: ${hover}`)
    }
    expect(without).toEqual([])
  })

  it("completes the options of a run", async () => {
    const names = Object.keys(Lookup.optionSet.fields)
    const completed = await language.completions(openOptions)
    expect(completed.map((name) => name.replace("?", ""))).toEqual(expect.arrayContaining(names))
  })

  it("completes the calls of a group", async () => {
    expect(await language.completions(open)).toEqual(expect.arrayContaining(bioactivityCalls))
  })
})
