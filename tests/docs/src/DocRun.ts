// Executes documentation blocks with docProcess. It writes them as modules into a folder in which every package of the
// workspace resolves, and removes them at the end. Each package has one process, and two run at a time. If a block ends
// its process, or never finishes, a new process runs the blocks after it. DocTypes checks types in the same folder.

import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./checkout.ts"
import * as DocClaims from "./DocClaims.ts"
import type { Message, Module } from "./docProcess.ts"
import type { Fence } from "./Fence.ts"

/** The time limit of a block in milliseconds. After it, the process is killed. */
export const blockLimit = 120_000

/** The number of concurrent processes. */
const processes = 2

/** The problems of each block by its index in the list given to `execute`. */
export type Errors = ReadonlyArray<ReadonlyArray<string>>

/** Makes a folder for one run. It is in `examples`, from which every package resolves. */
export const makeFolder = (): string => {
  const parent = join(root, "examples", ".docs")
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, "run-"))
}

/** Removes the folder, and its parent unless another run uses it. */
export const removeFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  try {
    rmdirSync(join(folder, ".."))
  } catch {
    // The parent contains the folder of another run.
  }
}

/** Executes blocks in a folder of `makeFolder`. Default of `limit`: `blockLimit`. */
export const execute = async (
  folder: string,
  fences: ReadonlyArray<Fence>,
  limit: number = blockLimit
): Promise<Errors> => {
  const errors: Array<ReadonlyArray<string>> = fences.map(() => ["it was not executed"])
  const groups = new Map<string, Array<Module>>()
  fences.forEach((fence, index) => {
    const { module, claims, problem } = DocClaims.plan(fence.code)
    if (problem !== undefined) {
      errors[index] = [problem]
      return
    }
    const own = join(folder, `executed-${index}`)
    const path = join(own, "block.ts")
    mkdirSync(own)
    writeFileSync(path, `${module}\n`)
    const group = /^packages\/[^/]+/.exec(fence.file)?.[0] ?? ""
    const modules = groups.get(group) ?? []
    groups.set(group, [...modules, { index, path, folder: own, file: fence.file, line: fence.line, claims }])
  })
  const waiting = [...groups.values()]
  const worker = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      await executeAll(folder, group, limit, errors)
  }
  await Promise.all(Array.from({ length: processes }, worker))
  return errors
}

const executeAll = async (
  folder: string,
  modules: ReadonlyArray<Module>,
  limit: number,
  errors: Array<ReadonlyArray<string>>
): Promise<void> => {
  let remaining = modules
  while (remaining.length > 0) {
    const done = await executeOnce(folder, remaining, limit, errors)
    remaining = remaining.slice(Math.max(done, 1))
  }
}

/** Runs one process. Returns the number of blocks that it has finished. */
const executeOnce = (
  folder: string,
  modules: ReadonlyArray<Module>,
  limit: number,
  errors: Array<ReadonlyArray<string>>
): Promise<number> =>
  new Promise((resolve, reject) => {
    const list = join(folder, `modules-${modules[0]?.index}.json`)
    writeFileSync(list, JSON.stringify(modules))
    const child = spawn(process.execPath, [join(import.meta.dirname, "docProcess.ts"), list], {
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"]
    })
    let stderr = ""
    let running: number | undefined = modules[0]?.index
    let finished = 0
    let isLate = false
    const stop = () => {
      isLate = true
      child.kill("SIGKILL")
    }
    let timer = setTimeout(stop, limit)
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-2000)
    })
    child.on("message", (message: Message) => {
      clearTimeout(timer)
      timer = setTimeout(stop, limit)
      running = message.type === "started" ? message.index : undefined
      if (message.type === "ended") {
        errors[message.index] = message.errors
        finished++
      }
    })
    child.on("error", reject)
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      if (running !== undefined && finished < modules.length) {
        const how = isLate
          ? `has not finished after ${limit / 1000} s`
          : `ends the process (${code ?? signal})`
        errors[running] = [`it ${how}\n${stderr}`.trimEnd()]
        finished++
      }
      resolve(finished)
    })
  })

/**
 * The environment of the user without variables that change the result of a block. It has no cache of compiled code,
 * because the blocks of each run have new paths and would fill it.
 */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(CHEMSTREAM_|VITEST|NODE_OPTIONS$|NODE_COMPILE_CACHE$|NODE_ENV$)/.test(name)
    )
  )
