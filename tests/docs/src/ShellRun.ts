// Executes the shell blocks of a page as a reader would: in order, in one shell and one folder. The folder starts empty
// except for a link to examples/. Files and variables of a block stay for the next ones.
//
//   sh               runs to its end; every command must exit with 0
//   sh exit=N        at least one command exits with N, and all others with 0
//   sh background    runs until the page ends; the variables that it tells its reader to export are exported
//   text             right after one of these: its exact output, standard output and standard error together
//
// In a text, `…` matches anything on its line, and a line of `…` matches any lines. Times, rates, ports and made-up keys
// may differ. https://host.example/ctx-api stands for a running service that accepts the key `your-key`, and the default
// port of serve for a free one. A block in a comment of the page prepares the files of its reader. Blocks with npm alone
// are not executed, because npm sets up and tests the checkout.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as wait } from "node:timers/promises"
import { root } from "./checkout.ts"
import type { Fence } from "./Fence.ts"
import * as ShellCommand from "./ShellCommand.ts"

/** The time limit of a block in milliseconds. The page ends there. */
export const blockLimit = 120_000

const standIn = "https://host.example/ctx-api"
const usualPort = 8765
const command = join(root, "packages", "cli", "bin", "chemstream.js")

/** A block of a page, and its expected output if the page gives one. */
export interface Block {
  readonly fence: Fence
  readonly expected?: string
}

/** The problems of a block. An empty list: the block does what its page says. */
export type Problems = ReadonlyMap<Fence, ReadonlyArray<string>>

/** A service that stands for the one at `host.example`. */
export interface Service {
  readonly url: string
  readonly stop: () => void
}

/** Returns the shell blocks to execute, from all blocks of a page. */
export const blocksOf = (fences: ReadonlyArray<Fence>): ReadonlyArray<Block> =>
  fences.flatMap((fence, index) => {
    if (fence.language !== "sh" || isOfNpm(fence)) return []
    const next = fences[index + 1]
    return [next?.language === "text" ? { fence, expected: next.code } : { fence }]
  })

/** Returns whether a block only calls npm. */
export const isOfNpm = ({ code }: Fence): boolean =>
  ShellCommand.parse(code).every(({ words: [program] }) => program === "npm")

/** Returns whether an output matches the text of a page, by the rules of this module's header. */
export const fits = (output: string, expected: string): boolean => {
  const lines = tidy(expected)
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(escapeRegExp).join(".*")}\n`))
  return new RegExp(`^${lines.join("")}$`).test(`${tidy(output)}\n`)
}

/** Starts the bundled service on a free port, with the key `your-key`. */
export const serve = async (folder: string): Promise<Service> => {
  const child = spawn(process.execPath, [command, "serve", "--port", "0", "--no-access-log"], {
    cwd: folder,
    env: { ...environment(folder), CHEMSTREAM_API_KEYS: "your-key" },
    stdio: ["ignore", "ignore", "pipe"]
  })
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /serves at (\S+)/.exec(line)?.[1]
    if (url !== undefined) return { url, stop: () => child.kill() }
  }
  throw new Error("the service that stands for host.example does not start")
}

/** Executes the blocks of a page in a folder that does not exist yet; `limit` stands in for `blockLimit`. */
export const execute = async (
  folder: string,
  blocks: ReadonlyArray<Block>,
  service: Service,
  limit: number = blockLimit
): Promise<Problems> => {
  const problems = new Map<Fence, ReadonlyArray<string>>(
    blocks.map(({ fence }) => [fence, ["it was not executed, because a block before it did not end"]])
  )
  const port = await freePort()
  const own = join(folder, ".run")
  mkdirSync(join(own, "bin"), { recursive: true })
  symlinkSync(join(root, "examples"), join(folder, "examples"))
  writeFileSync(join(own, "bin", "chemstream"), shim(port))
  chmodSync(join(own, "bin", "chemstream"), 0o755)
  const shell = spawn("bash", ["--noprofile", "--norc", "-s"], {
    cwd: folder,
    // Its own process group, so that all processes of a block end with the page.
    detached: true,
    env: {
      ...environment(own),
      PATH: `${join(own, "bin")}:${join(root, "node_modules", ".bin")}:${process.env["PATH"]}`,
      CHEMSTREAM_BASE_URL: `http://127.0.0.1:${port}`
    },
    stdio: ["pipe", "pipe", "ignore"]
  })
  const ended = once(shell, "close")
  const said = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  shell.stdin.on("error", () => {})
  try {
    for (const [index, block] of blocks.entries()) {
      const file = join(own, `${index}`)
      const replace = (text: string) =>
        text.replaceAll(standIn, service.url).replaceAll(`127.0.0.1:${usualPort}`, `127.0.0.1:${port}`)
      writeFileSync(`${file}.sh`, replace(block.fence.code))
      const expected = block.expected === undefined ? undefined : replace(block.expected)
      const found = block.fence.marks.includes("background")
        ? await runBehind(shell, file, expected, limit)
        : await runToEnd(shell, said, file, block.fence, expected, limit)
      problems.set(block.fence, found.problems)
      if (found.isOver) break
    }
  } finally {
    if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL")
    await ended
  }
  return problems
}

interface Found {
  readonly problems: ReadonlyArray<string>
  /** Whether the shell is unusable. */
  readonly isOver: boolean
}

const runToEnd = async (
  shell: ChildProcess,
  said: AsyncIterator<string>,
  file: string,
  fence: Fence,
  expected: string | undefined,
  limit: number
): Promise<Found> => {
  shell.stdin?.write(
    `trap 'code=$?; test "\${BASH_SOURCE[0]}" != "${file}.sh" || echo "$LINENO $code" >> "${file}.failed"' ERR\n. "${file}.sh" > "${file}.out" 2>&1 < /dev/null\n` +
      "trap - ERR\necho done\n"
  )
  const late = new AbortController()
  const answer = await Promise.race([said.next(), wait(limit, undefined, { signal: late.signal })])
  late.abort()
  const output = read(`${file}.out`)
  if (answer === undefined) return over(`it has not ended after ${limit / 1000} s`, output)
  if (answer.done === true) return over("it ends the shell", output)
  const allowed = fence.marks.flatMap((mark) => /^exit=(\d+)$/.exec(mark)?.[1] ?? [])[0] ?? "0"
  const failed = read(`${file}.failed`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "))
  const problems = failed.flatMap(([line, code]) =>
    code === allowed ? [] : [`line ${fence.line + Number(line)} ends with ${code}\n${output}`]
  )
  if (allowed !== "0" && failed.length === 0) problems.push(`nothing ends with ${allowed}\n${output}`)
  if (expected !== undefined && !fits(output, expected)) problems.push(`it writes\n${output}`)
  return { problems, isOver: false }
}

const runBehind = async (
  shell: ChildProcess,
  file: string,
  expected: string | undefined,
  limit: number
): Promise<Found> => {
  if (expected === undefined)
    return over("a block in the background needs its output, or nothing says when it is ready", "")
  shell.stdin?.write(`. "${file}.sh" > "${file}.out" 2>&1 < /dev/null &\n`)
  const until = performance.now() + limit
  while (!fits(read(`${file}.out`), expected)) {
    if (performance.now() > until) return over("it writes", read(`${file}.out`))
    await wait(50)
  }
  for (const [line] of read(`${file}.out`).matchAll(/export .*/g)) shell.stdin?.write(`${line}\n`)
  return { problems: [], isOver: false }
}

const over = (problem: string, output: string): Found => ({
  problems: [`${problem}\n${output}`.trimEnd()],
  isOver: true
})

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** The command from the checkout, with a free port where `serve` would take the usual one. */
const shim = (port: number): string => `#!/bin/sh
if [ "$1" = serve ]; then
  case " $* " in *" --port "*) ;; *) set -- "$@" --port ${port} ;; esac
fi
exec "${process.execPath}" "${command}" "$@"
`

/** The user's environment without settings of the user and variables that change an output. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(CHEMSTREAM_|XDG_|VITEST|NODE_OPTIONS$|NODE_ENV$|npm_)/.test(name)
    )
  ),
  HOME: home,
  LC_ALL: "C.UTF-8",
  NO_COLOR: "1",
  TERM: "dumb",
  TZ: "UTC"
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("no free port")
  return address.port
}

/** Normalizes text that differs from run to run. */
const tidy = (text: string): string =>
  text
    .replace(/[ \t\r]+$/gm, "")
    .trimEnd()
    .replace(/\b\d[\d,.]*(?= (?:ms|s|min)\b)/g, "0")
    .replace(/\b\d[\d,.]*\/s/g, "0/s")
    .replace(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:0")
    .replace(/\b[\w-]{43}\b/g, "KEY")

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
