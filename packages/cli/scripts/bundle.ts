// Bundles the command into dist/bundle: `node scripts/bundle.ts`, after every change of a package that it is made of.
// `node scripts/bundle.ts ENTRY FOLDER` bundles another entry into a folder of dist.
//
// A command is started often and ends soon; loading Effect module by module took it ten times as long as starting Node.
// The bundle is made from the sources, so its source maps lead to them, and names stay as they are there. Subcommands,
// and what they load on demand, are chunks of their own. What stays outside is Node's, has files beside it, or is optional.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative, sep } from "node:path"
import { type OutputChunk, type Plugin, rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")
const packages = join(root, "..")
const [entry = join(root, "src", "start.ts"), folder = "bundle"] = process.argv.slice(2)
const output = join(root, "dist", folder)

const manifest: {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** What is not bundled, though it could be: the users install it, with the command or where they want it. */
const outside = [
  "@duckdb/node-api",
  "@rdkit/rdkit",
  "@resvg/resvg-js",
  "pdfkit",
  "apache-arrow",
  "hyparquet-writer"
]

/** The sources of the packages instead of what is built from them. */
const fromSource: Plugin = {
  name: "from-source",
  resolveId: (specifier) => {
    const [, folder, entry = ""] = /^@chemstream\/([a-z]+)(\/node)?$/.exec(specifier) ?? []
    return folder === undefined ? undefined : join(packages, folder, "src", entry, "index.ts")
  }
}

/** A module that looks for a file beside itself finds it beside what is built from it, wherever its code has gone. */
const besideItself: Plugin = {
  name: "beside-itself",
  transform: (code, id) => {
    if (!id.startsWith(packages) || !code.includes("import.meta.url")) return undefined
    const [folder = "", , ...path] = relative(packages, id).split(sep)
    const built = `dist/${path.join("/").replace(/\.ts$/, ".js")}`
    const home =
      folder === "cli"
        ? 'new URL("../../package.json", import.meta.url)'
        : `import.meta.resolve("@chemstream/${folder}/package.json")`
    // Every line stays where it is, so the source maps hold.
    return { code: code.replaceAll("import.meta.url", `new URL("./${built}", ${home}).href`), map: null }
  }
}

const usedOfUndici = `
import Agent from "undici/lib/dispatcher/agent.js"
import Dispatcher from "undici/lib/dispatcher/dispatcher.js"
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js"
import Pool from "undici/lib/dispatcher/pool.js"
import buildConnector from "undici/lib/core/connect.js"
import api from "undici/lib/api/index.js"
Object.assign(Dispatcher.prototype, api)
export { Agent, buildConnector, EnvHttpProxyAgent, Pool }
`

/** Of undici what the client uses: its mocks, caches and WebSockets take longer to load than a small run takes. */
const smallUndici: Plugin = {
  name: "small-undici",
  transform: (_, id) =>
    id.endsWith(join("@effect", "platform-node", "dist", "Undici.js"))
      ? { code: usedOfUndici, map: { mappings: "" }, moduleSideEffects: true }
      : undefined
}

/**
 * No question is a form, and to find out whether one is Node would load its own fetch first: a tenth of the time until
 * the first request.
 */
const noForms: Plugin = {
  name: "no-forms",
  transform: (code, id) => {
    if (!id.endsWith(join("effect", "dist", "http-api", "HttpApiClient.js"))) return undefined
    const asked = "request.payload instanceof FormData"
    if (!code.includes(asked))
      throw new Error(`${id} does not ask ${asked} any more: see what it asks instead`)
    return { code: code.replace(asked, "false"), map: null }
  }
}

/** Fails where the bundle imports what nobody installs with it. */
const checkImports = (chunks: ReadonlyArray<OutputChunk>): void => {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  const files = new Set(chunks.map((chunk) => chunk.fileName))
  for (const { dynamicImports, imports } of chunks) {
    for (const name of [...imports, ...dynamicImports]) {
      if (!files.has(name) && !isBuiltin(name) && !(name in installed)) {
        throw new Error(`the command imports ${name}, which is neither bundled nor a dependency of it`)
      }
    }
  }
}

/** The licences of what is bundled and not ours. */
const licences = (chunks: ReadonlyArray<OutputChunk>): string => {
  const folders = new Set(
    chunks.flatMap(({ moduleIds }) =>
      moduleIds.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [])
    )
  )
  const texts = Array.from(folders, (folder) => {
    const { author, license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text =
      file === undefined ? `By ${author?.name ?? author}.` : readFileSync(join(folder, file), "utf8").trim()
    return `## ${name} ${version} (${license})\n\n${text}\n`
  })
  return `# Licences of what chemstream is bundled with\n\n${texts.sort().join("\n")}`
}

const bundle = await rolldown({
  input: { start: entry },
  platform: "node",
  external: outside,
  plugins: [fromSource, besideItself, smallUndici, noForms],
  onLog: (level, log, report) => {
    // The thread of the service that writes loads less than the command.
    if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") report(level === "warn" ? "error" : level, log)
  }
})
rmSync(output, { recursive: true, force: true })
const { output: made } = await bundle.write({
  dir: output,
  format: "esm",
  chunkFileNames: "[name]-[hash].js",
  comments: false,
  sourcemap: "hidden"
})
const chunks = made.filter((file) => file.type === "chunk")
checkImports(chunks)
writeFileSync(join(output, "LICENSES.md"), licences(chunks))
