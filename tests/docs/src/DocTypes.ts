// Checks the types of all documentation blocks in one run of the compiler.
// The options are those of the packages, except that a block may have unused names.

import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "./checkout.ts"
import type { Fence } from "./Fence.ts"

/** The errors of each block by its index, and all other lines of the compiler. */
export interface Report {
  readonly errors: ReadonlyArray<ReadonlyArray<string>>
  readonly otherErrors: ReadonlyArray<string>
}

/** Checks blocks in a folder of `DocRun.makeFolder`. */
export const check = async (folder: string, fences: ReadonlyArray<Fence>): Promise<Report> => {
  mkdirSync(join(folder, "types"))
  fences.forEach(({ code }, index) => {
    writeFileSync(join(folder, "types", `${index}.ts`), `${code}\n`)
  })
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config(folder)))
  const output = await compile(folder)
  const errors = fences.map((): Array<string> => [])
  const otherErrors: Array<string> = []
  let last: Array<string> = otherErrors
  for (const line of output.split("\n").filter((one) => one.trim() !== "")) {
    const [, index, at, text] = /(\d+)\.ts\((\d+),\d+\): (.*)$/.exec(line) ?? []
    const fence = fences[Number(index)]
    // An indented line continues the error before it.
    if (fence === undefined && /^\s/.test(line) && last.length > 0) {
      last[last.length - 1] += `\n${line}`
    } else {
      last = fence === undefined ? otherErrors : (errors[Number(index)] ?? otherErrors)
      last.push(fence === undefined ? line : `line ${fence.line + Number(at)}: ${text}`)
    }
  }
  return { errors, otherErrors }
}

const config = (folder: string) => ({
  extends: join(relative(folder, root), "tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    rewriteRelativeImportExtensions: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: "force",
    types: ["node"]
  },
  include: ["types"]
})

const compile = (folder: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const compiler = join(root, "node_modules", ".bin", "tsc")
    execFile(compiler, ["-p", folder, "--pretty", "false"], { cwd: folder }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(error)
      else if (error !== null && stdout.trim() === "") reject(new Error(`tsc failed: ${stderr}`))
      else resolve(stdout)
    })
  })
