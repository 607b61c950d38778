// Executes documentation blocks: one module after another in one process, with a result for each.
// A block starts when the block before it has no work left, so a failure in between belongs to the earlier block.
// The argument is a file with a list of Module. The results go to the parent process (DocRun).

import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { format, inspect, isDeepStrictEqual } from "node:util"
import type { Claim } from "./DocClaims.ts"

/** A block to execute. `folder` is its working folder, and `line` the line of its fence in the documentation. */
export interface Module {
  readonly index: number
  readonly path: string
  readonly folder: string
  readonly file: string
  readonly line: number
  readonly claims: ReadonlyArray<Claim>
}

/** `started`, then `ended` with all problems. */
export type Message =
  | { readonly type: "started"; readonly index: number }
  | { readonly type: "ended"; readonly index: number; readonly errors: ReadonlyArray<string> }

/** Marks the output of a claim. */
class Print {
  readonly claim: number
  constructor(claim: number) {
    this.claim = claim
  }
}

interface State {
  readonly module: Module
  readonly errors: Array<string>
  readonly reached: Set<number>
  readonly printed: Map<number, Array<string>>
  evaluated: boolean
  /** The claim for output that has no claim of its own. */
  open?: number | undefined
}

const modules: ReadonlyArray<Module> = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
const send = (message: Message) => process.send?.(message)
let state: State | undefined
let next = 0

const fail = (error: unknown) => {
  if (state === undefined) throw error
  const { path, file, line } = state.module
  const pattern = new RegExp(`(?:file://)?${path.replace(/[^\w/]/g, "\\$&")}:(\\d+)(?::\\d+)?`, "g")
  const text = typeof error === "string" ? error : inspect(error)
  state.errors.push(
    text
      .replace(pattern, (_, at) => `${file}:${line + Number(at)}`)
      .replace(/\n +at .*(?:node:internal|docProcess\.ts).*/g, "")
  )
}

const failClaim = (claim: number, text: string) =>
  fail(`line ${(state?.module.line ?? 0) + (state?.module.claims[claim]?.line ?? 0)}: ${text}`)

/** The functions that rewritten blocks call. */
const docs = {
  equal: <A>(claim: number, actual: A, expected: () => unknown): A => {
    state?.reached.add(claim)
    const value = expected()
    if (!isDeepStrictEqual(actual, value))
      failClaim(claim, `the value is\n${inspect(actual)}\nand the comment says\n${inspect(value)}`)
    return actual
  },
  from: (claim: number): void => {
    if (state !== undefined) state.open = claim
  },
  to: (): void => {
    if (state !== undefined) state.open = undefined
  },
  printer:
    <A>(claim: number, log: (...parts: ReadonlyArray<unknown>) => A) =>
    (...parts: ReadonlyArray<unknown>): A =>
      log(new Print(claim), ...parts)
}

Object.assign(globalThis, { docs__: docs })
console.log = (...parts: ReadonlyArray<unknown>) => {
  const [first] = parts
  const isClaimed = first instanceof Print
  const claim = isClaimed ? first.claim : state?.open
  if (claim === undefined) return
  const lines = state?.printed.get(claim) ?? []
  state?.printed.set(claim, [...lines, format(...(isClaimed ? parts.slice(1) : parts))])
}

const checkPrinted = ({ module, printed }: State) => {
  module.claims.forEach(({ kind, text }, claim) => {
    if (kind !== "print") return
    const lines = (printed.get(claim) ?? [])
      .join("\n")
      .replace(/[ \t]+$/gm, "")
      .trimEnd()
    if (lines !== text) failClaim(claim, `it prints\n${lines}\nand the comment says\n${text}`)
  })
}

const finish = (ended: State) => {
  if (!ended.evaluated) fail("it waits forever")
  else if (ended.errors.length === 0) {
    checkPrinted(ended)
    ended.module.claims.forEach(({ kind }, claim) => {
      if (kind === "value" && !ended.reached.has(claim)) failClaim(claim, "this line is never reached")
    })
  }
  if (process.exitCode !== undefined && process.exitCode !== 0)
    fail(`it sets the exit code ${process.exitCode}`)
  process.exitCode = undefined
  send({ type: "ended", index: ended.module.index, errors: ended.errors })
}

const start = async (module: Module) => {
  send({ type: "started", index: module.index })
  const current: State = { module, errors: [], reached: new Set(), printed: new Map(), evaluated: false }
  state = current
  process.chdir(module.folder)
  try {
    await import(pathToFileURL(module.path).href)
  } catch (error) {
    fail(error)
  }
  current.evaluated = true
}

process.on("uncaughtException", fail)
process.on("unhandledRejection", fail)
process.on("beforeExit", () => {
  if (state !== undefined) finish(state)
  state = undefined
  const module = modules[next++]
  // In an immediate, because an import alone does not keep the process alive.
  if (module !== undefined) setImmediate(start, module)
})
