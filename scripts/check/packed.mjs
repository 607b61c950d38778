// Checks packages as their users get them: packed by pnpm, then linted by publint, installed by npm into an empty
// project outside the checkout, and imported there; of the examples, one is run there. Siblings a package needs are
// installed from their tarballs too. npm takes third-party dependencies from its cache where it can, from the registry otherwise.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, binFolder, environment, nodePath } from "../setup/checkout.mjs"
import { finish } from "../setup/child.mjs"

/** @typedef {import("../setup/checkout.mjs").Workspace} Workspace */

/**
 * The checks of the public packages, two for each. `dispose` removes everything they wrote.
 * @param {ReadonlyArray<Workspace>} packages
 */
export const checksOf = (packages) => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-packed-"))
  /** @type {Map<string, Promise<string>>} */
  const tarballs = new Map()

  /** @param {Workspace} workspace */
  const tarball = (workspace) => {
    const name = workspace.manifest.name
    const known = tarballs.get(name)
    if (known !== undefined) return known
    const packed = pack(workspace, join(folder, "tarballs", name.replace("/", "-")))
    tarballs.set(name, packed)
    return packed
  }

  /** @param {Workspace} workspace @returns {ReadonlyArray<Workspace>} itself and all siblings it needs */
  const closure = (workspace) => {
    const found = new Set([workspace])
    for (const { manifest } of found) {
      const needed = { ...manifest.dependencies, ...manifest.peerDependencies }
      for (const sibling of packages) if (sibling.manifest.name in needed) found.add(sibling)
    }
    return [...found]
  }

  /** @param {Workspace} workspace */
  const installs = async (workspace) => {
    const { name, version } = workspace.manifest
    const project = join(folder, "projects", name.replace("/", "-"))
    const files = await Promise.all(closure(workspace).map(tarball))
    mkdirSync(project, { recursive: true })
    writeFileSync(
      join(project, "package.json"),
      '{ "name": "empty-project", "private": true, "type": "module" }\n'
    )
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    await succeed("npm", ["install", ...flags, ...files], project)
    if (workspace.manifest.exports?.["."] !== undefined) {
      await succeed(nodePath, ["--input-type=module", "--eval", importProgram(name)], project)
    }
    if (name === examples) await runExample(project)
    for (const command of commandsOf(workspace)) {
      const text = await succeed(
        "npx",
        ["--no-install", command, "--version"],
        project,
        withoutCheckout(project)
      )
      if (!text.includes(version ?? "")) throw new Error(`\`${command} --version\` printed:\n${text}`)
    }
  }

  return {
    checks: packages.flatMap((workspace) => {
      const name = workspace.manifest.name
      return [
        {
          title: `publint ${name}`,
          run: async () => {
            await succeed(bin("publint"), ["run", await tarball(workspace), "--strict"], folder)
          }
        },
        { title: `install ${name} from its tarball`, run: () => installs(workspace) }
      ]
    }),
    dispose: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Workspace} workspace @param {string} destination */
const pack = async (workspace, destination) => {
  mkdirSync(destination, { recursive: true })
  await succeed(bin("pnpm"), ["pack", "--pack-destination", destination], workspace.path)
  const file = readdirSync(destination).find((name) => name.endsWith(".tgz"))
  if (file === undefined) throw new Error(`pnpm pack wrote no tarball of ${workspace.folder}.`)
  return join(destination, file)
}

/** The scripts to copy, the one package that is not imported. */
const examples = "@chemstream/examples"

/** An example as its README says: copied out of `node_modules`, and run beside it with a file of data.
 * @param {string} project */
const runExample = async (project) => {
  await succeed("cp", ["-R", join("node_modules", examples), "examples"], project)
  const records = await succeed(nodePath, ["examples/details.ts"], project)
  if (!records.includes('"preferredName":"Bisphenol A"')) throw new Error(`details.ts printed:\n${records}`)
  const scripts = readdirSync(join(project, "examples"))
  for (const file of ["data", "package.json", "README.md", "enrich-csv.ts"]) {
    if (!scripts.includes(file)) throw new Error(`${file} is not in the package: ${scripts.join(", ")}`)
  }
}

/** @param {string} name */
const importProgram = (name) => `
  import * as entry from ${JSON.stringify(name)}
  if (Object.keys(entry).length === 0) throw new Error(${JSON.stringify(`${name} exports nothing.`)})
`

/** @param {Workspace} workspace */
const commandsOf = ({ manifest }) => Object.keys(manifest.bin ?? {})

/**
 * The installed command must be the one npx finds, so the checkout's own .bin is not in PATH; its Node is. What the
 * command caches stays in the project.
 * @param {string} project
 */
const withoutCheckout = (project) => {
  const env = environment()
  return {
    ...env,
    XDG_CACHE_HOME: join(project, "cache"),
    PATH: env.PATH.replace(binFolder, join(binFolder, "..", "node", "bin"))
  }
}

/** Runs a program to a good end and gives its output; throws the output otherwise.
 * @param {string} program @param {ReadonlyArray<string>} args @param {string} cwd @param {NodeJS.ProcessEnv} [env] */
export const succeed = async (program, args, cwd, env = environment()) => {
  const result = await finish(program, args, { cwd, env, output: "capture" })
  if (result.code !== 0)
    throw new Error(`${program} ended with exit code ${result.code}:\n${result.text.trim()}`)
  return result.text
}
