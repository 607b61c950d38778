// Finds and runs the programs of the README of a package, and compares values and output with their comments.

import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import * as DocClaims from "../../docs/src/DocClaims.ts"
import type { Message, Module } from "../../docs/src/docProcess.ts"
import * as Fence from "../../docs/src/Fence.ts"
import * as NodeRelease from "./NodeRelease.ts"
import * as Project from "./Project.ts"
import { type PublicPackage, root } from "./PublicPackage.ts"

const docProcess = join(root, "tests", "docs", "src", "docProcess.ts")

/** Returns the TypeScript blocks of the README of a package. */
export const findAll = ({ folder }: PublicPackage): ReadonlyArray<Fence.Fence> => {
  const file = `${folder}/README.md`
  return Fence.inMarkdown(file, readFileSync(join(root, file), "utf8")).filter(
    ({ language }) => language === "ts"
  )
}

/** Returns the packages that the README of a package installs. */
export const installedPackages = ({ folder }: PublicPackage): ReadonlySet<string> => {
  const text = readFileSync(join(root, folder, "README.md"), "utf8")
  const lines = [...text.matchAll(/\bnpm install ([^#`\n]+)/g)].map(([, names = ""]) => names)
  return new Set(lines.flatMap((names) => names.trim().split(/\s+/)))
}

/** Returns the packages that a program imports: `@scope/name` for the specifier `@scope/name/entry`. */
export const packagesOf = ({ code }: Fence.Fence): ReadonlyArray<string> => {
  const specifiers = [...code.matchAll(/\bfrom "([^"]+)"/g)].map(([, specifier = ""]) => specifier)
  const names = specifiers
    .filter((specifier) => !isBuiltin(specifier))
    .flatMap((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [])
  return [...new Set(names)]
}

/** Runs a program in a new folder, and returns every difference from its comments. */
export const run = async (
  program: Fence.Fence,
  project: Project.Project,
  version: string
): Promise<ReadonlyArray<string>> => {
  const { module, claims, problem } = DocClaims.plan(program.code)
  if (problem !== undefined) return [problem]
  const folder = Project.makeFolder(project, `readme-${program.line}-${version}`)
  const path = join(folder, "program.ts")
  writeFileSync(path, `${module}\n`)
  const list = join(folder, "modules.json")
  const modules: ReadonlyArray<Module> = [
    { index: 0, path, folder, file: program.file, line: program.line, claims }
  ]
  writeFileSync(list, JSON.stringify(modules))

  const child = fork(docProcess, [list], {
    execPath: NodeRelease.binaryOf(version),
    execArgv: [],
    env: Project.environment(project, version),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: Project.programTimeout,
    killSignal: "SIGKILL"
  })
  let errors: ReadonlyArray<string> | undefined
  let stderr = ""
  child.on("message", (message: Message) => {
    if (message.type === "ended") errors = message.errors
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const [code, signal] = await once(child, "close")
  return errors ?? [`The process stops with ${code ?? signal} before the program has finished.\n${stderr}`]
}
