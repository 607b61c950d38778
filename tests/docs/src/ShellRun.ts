// Executes the shell blocks of a page as a reader would: in order, in one shell and one folder. The folder starts empty
// except for a link to examples/. Files and variables of a block stay for the next ones.
//
//   sh               runs to its end; every command must exit with 0
//   sh exit=N        at least one command exits with N, and all others with 0
//   sh background    runs until the page ends; the `export` lines in its output are executed
//   text             right after one of these: its exact output, standard output and standard error together
//
// In a text, `…` matches anything on its line, and a line of `…` matches any lines. Times, rates, ports and made-up keys
// may differ. https://host.example/ctx-api is replaced by a running service with the key `your-key`, and the default port
// by a free one. Blocks in a comment of the page prepare files. Blocks with npm alone are not executed, because npm sets
// up and tests the checkout.

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

/** The time limit of a block in milliseconds. After it, the page ends. */
export const blockLimit = 120_000

const exampleUrl = "https://host.example/ctx-api"
const defaultPort = 8765
const command = join(root, "packages", "cli", "bin", "chemstream.js")

/** A block of a page, and its expected output if the page gives one. */
export interface Block {
  readonly fence: Fence
  readonly expected?: string
}

/** The problems of each block. An empty list: the block passes. */
export type Problems = ReadonlyMap<Fence, ReadonlyArray<string>>

/** The service that replaces the one at `host.example`. */
export interface Service {
  readonly url: string
  readonly stop: () => void
}

/** Returns the shell blocks to execute, from all blocks of a page. */
export const blocksOf = (fences: ReadonlyArray<Fence>): ReadonlyArray<Block> =>
  fences.flatMap((fence, index) => {
    if (fence.language !== "sh" || isNpmOnly(fence)) return []
    const next = fences[index + 1]
    return [next?.language === "text" ? { fence, expected: next.code } : { fence }]
  })

/** Returns whether a block only calls npm. */
export const isNpmOnly = ({ code }: Fence): boolean =>
  ShellCommand.parse(code).every(({ words: [program] }) => program === "npm")

/** Returns whether an output matches the text of a page, by the rules of this module's header. */
export const matches = (output: string, expected: string): boolean => {
  const lines = normalize(expected)
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(escapeRegExp).join(".*")}\n`))
  return new RegExp(`^${lines.join("")}$`).test(`${normalize(output)}\n`)
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
  throw new Error("the service for host.example does not start")
}

/** Executes the blocks of a page in a new folder. Default of `limit`: `blockLimit`. */
export const execute = async (
  folder: string,
  blocks: ReadonlyArray<Block>,
  service: Service,
  limit: number = blockLimit
): Promise<Problems> => {
  const problems = new Map<Fence, ReadonlyArray<string>>(
    blocks.map(({ fence }) => [fence, ["it was not executed, because a block before it did not finish"]])
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
  const output = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  shell.stdin.on("error", () => {})
  try {
    for (const [index, block] of blocks.entries()) {
      const file = join(own, `${index}`)
      const replace = (text: string) =>
        text.replaceAll(exampleUrl, service.url).replaceAll(`127.0.0.1:${defaultPort}`, `127.0.0.1:${port}`)
      writeFileSync(`${file}.sh`, replace(block.fence.code))
      const expected = block.expected === undefined ? undefined : replace(block.expected)
      const found = block.fence.marks.includes("background")
        ? await runInBackground(shell, file, expected, limit)
        : await runToEnd(shell, output, file, block.fence, expected, limit)
      problems.set(block.fence, found.problems)
      if (found.endsPage) break
    }
  } finally {
    if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL")
    await ended
  }
  return problems
}

interface Found {
  readonly problems: ReadonlyArray<string>
  /** Whether the shell is unusable, so that no further block can run. */
  readonly endsPage: boolean
}

const runToEnd = async (
  shell: ChildProcess,
  lines: AsyncIterator<string>,
  file: string,
  fence: Fence,
  expected: string | undefined,
  limit: number
): Promise<Found> => {
  shell.stdin?.write(
    `trap 'code=$?; test "\${BASH_SOURCE[0]}" != "${file}.sh" || echo "$LINENO $code" >> "${file}.failed"' ERR\n. "${file}.sh" > "${file}.out" 2>&1 < /dev/null\n` +
      "trap - ERR\necho done\n"
  )
  const timeout = new AbortController()
  const line = await Promise.race([lines.next(), wait(limit, undefined, { signal: timeout.signal })])
  timeout.abort()
  const output = read(`${file}.out`)
  if (line === undefined) return endPage(`it has not finished after ${limit / 1000} s`, output)
  if (line.done === true) return endPage("it ends the shell", output)
  const allowed = fence.marks.flatMap((mark) => /^exit=(\d+)$/.exec(mark)?.[1] ?? [])[0] ?? "0"
  const failed = read(`${file}.failed`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "))
  const problems = failed.flatMap(([at, code]) =>
    code === allowed ? [] : [`line ${fence.line + Number(at)} exits with ${code}\n${output}`]
  )
  if (allowed !== "0" && failed.length === 0) problems.push(`no command exits with ${allowed}\n${output}`)
  if (expected !== undefined && !matches(output, expected)) problems.push(`it writes\n${output}`)
  return { problems, endsPage: false }
}

const runInBackground = async (
  shell: ChildProcess,
  file: string,
  expected: string | undefined,
  limit: number
): Promise<Found> => {
  if (expected === undefined)
    return endPage("a block in the background needs a text block, which shows when it is ready", "")
  shell.stdin?.write(`. "${file}.sh" > "${file}.out" 2>&1 < /dev/null &\n`)
  const until = performance.now() + limit
  while (!matches(read(`${file}.out`), expected)) {
    if (performance.now() > until) return endPage("it writes", read(`${file}.out`))
    await wait(50)
  }
  for (const [line] of read(`${file}.out`).matchAll(/export .*/g)) shell.stdin?.write(`${line}\n`)
  return { problems: [], endsPage: false }
}

const endPage = (problem: string, output: string): Found => ({
  problems: [`${problem}\n${output}`.trimEnd()],
  endsPage: true
})

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** The command from the checkout. `serve` without a port gets a free one instead of the default. */
const shim = (port: number): string => `#!/bin/sh
if [ "$1" = serve ]; then
  case " $* " in *" --port "*) ;; *) set -- "$@" --port ${port} ;; esac
fi
exec "${process.execPath}" "${command}" "$@"
`

/** The environment of the user, without settings and variables that change the output. */
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

/** Replaces text that differs between runs. */
const normalize = (text: string): string =>
  text
    .replace(/[ \t\r]+$/gm, "")
    .trimEnd()
    .replace(/\b\d[\d,.]*(?= (?:ms|s|min)\b)/g, "0")
    .replace(/\b\d[\d,.]*\/s/g, "0/s")
    .replace(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:0")
    .replace(/\b[\w-]{43}\b/g, "KEY")

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
