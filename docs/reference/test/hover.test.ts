/**
 * Hover texts and completions of the calls and lookups, which are generated from rows, in both language services:
 * TypeScript 6 and TypeScript 7.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { Operation, type Row, Rows } from "@chemstream/api"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as LanguageServer from "../src/languageServer.ts"

const file = fileURLToPath(new URL("hovered.ts", import.meta.url))

const modules: Readonly<Record<string, string>> = { msready: "MsReady" }

const moduleOf = (group: string): string => modules[group] ?? group.charAt(0).toUpperCase() + group.slice(1)

const rows: ReadonlyArray<Row.Row> = Rows.all

/** A call of each operation, and the lookup of each row. */
const expressions = [
  ...Operation.ofRows(rows).map(({ name }) => `client.${name}`),
  ...rows.map(({ name }) => `${moduleOf(Operation.groupOf(name))}.${Operation.methodOf(name)}`)
]

const text = [
  'import type { ChemClient } from "@chemstream/client"',
  'import { Bioactivity, Details, MsReady, Search, Synonyms } from "@chemstream/stream"',
  "declare const client: ChemClient.Calls",
  ...expressions,
  "client.bioactivity."
].join("\n")

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
      if (!/(Gets|Finds|Looks up|Streams|Searches) [a-zA-Z]/.test(hover))
        without.push(`${expression}: ${hover}`)
    }
    expect(expressions.length).toBeGreaterThan(50)
    expect(without).toEqual([])
  })

  it("completes the calls of a group", async () => {
    expect(await language.completions(open)).toEqual(expect.arrayContaining(bioactivityCalls))
  })
})
