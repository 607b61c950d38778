// An npm project outside the checkout, like that of a user. It installs packages from tarballs, and runs programs on a
// chosen Node. PATH has nothing of the checkout, and caches and settings of the command stay in the project.

import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, sep } from "node:path"
import { promisify } from "node:util"
import * as NodeRelease from "./NodeRelease.ts"
import * as PublicPackage from "./PublicPackage.ts"

/** A project; `folder` is absolute. */
export interface Project {
  readonly folder: string
  readonly tarballs: PublicPackage.Tarballs
}

/** The time limit of one program, in milliseconds. */
export const programTimeout = 240_000

/** Creates an empty project in the system's folder for temporary files. */
export const create = (tarballs: PublicPackage.Tarballs): Project => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "chemstream-project-")))
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "empty-project", "private": true, "type": "module" }\n'
  )
  return { folder, tarballs }
}

/** Removes a project. */
export const remove = ({ folder }: Project): Promise<void> => rm(folder, { recursive: true, force: true })

/**
 * Installs a package and the siblings it needs from their tarballs, and everything else from npm. npm runs on the oldest
 * Node and refuses a dependency that does not support it.
 */
export const install = async (project: Project, ...packages: ReadonlyArray<string>): Promise<void> => {
  const siblings = packages.flatMap((name) =>
    name in project.tarballs ? PublicPackage.withSiblings(name).map((one) => one.name) : [name]
  )
  const files = siblings.map((name) => project.tarballs[name] ?? name)
  const flags = ["--engine-strict", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  await run(project, NodeRelease.oldest, "npm", ["install", ...flags, ...new Set(files)])
}

/** Whether a package is installed. */
export const has = ({ folder }: Project, name: string): boolean =>
  existsSync(join(folder, "node_modules", name))

/** The path of an installed command. */
export const command = ({ folder }: Project, name: string): string =>
  join(folder, "node_modules", ".bin", name)

/** Creates a folder in the project and returns its path. */
export const makeFolder = ({ folder }: Project, name: string): string => {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

/** The folder and additional environment of a program. Default: the folder of the project, no variables. */
export interface Surroundings {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program and returns its standard output. If it fails, throws an error with its output. */
export const run = async (
  project: Project,
  version: string,
  program: string,
  args: ReadonlyArray<string>,
  { cwd = project.folder, env = {} }: Surroundings = {}
): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, [...args], {
    cwd,
    env: { ...environment(project, version), ...env },
    maxBuffer: 64 * 1024 * 1024,
    timeout: programTimeout,
    killSignal: "SIGKILL"
  })
  return stdout
}

/** Returns the environment of the user with this Node first in PATH, without the checkout and the settings of these tests. */
export const environment = ({ folder }: Project, version: string): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CHEMSTREAM_|XDG_|VITEST|NODE_OPTIONS$|NODE_ENV$|npm_(lifecycle|package|config_local_prefix))/.test(
        name
      )
  )
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((entry) => !entry.startsWith(PublicPackage.root + sep))
  return {
    ...Object.fromEntries(own),
    PATH: [dirname(NodeRelease.binaryOf(version)), ...path].join(delimiter),
    XDG_CACHE_HOME: join(folder, "home", "cache"),
    XDG_CONFIG_HOME: join(folder, "home", "config"),
    XDG_DATA_HOME: join(folder, "home", "data"),
    XDG_STATE_HOME: join(folder, "home", "state")
  }
}
