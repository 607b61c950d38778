/**
 * Runs the examples as processes, with a real service, and a proxy that can withhold requests.
 */
import { spawn } from "node:child_process"
import { chmodSync, copyFileSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { Bundled, Import, Service } from "@chemstream/service"
import { Effect, Exit, Redacted, Scope } from "effect"

/** The folder of the examples. */
export const folder: string = fileURLToPath(new URL("..", import.meta.url))

const command = fileURLToPath(new URL("../../packages/cli/bin/chemstream.js", import.meta.url))

/** The key that the service of the tests accepts. */
export const apiKey = "the-key-of-the-tests"

/** The result of a process. */
export interface ProcessResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The options of a process. */
export interface ProcessOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Receives a function that kills the process. */
  readonly onStart?: (kill: () => void) => void
}

/** Runs a program. */
export const runProgram = (
  program: string,
  args: ReadonlyArray<string>,
  { cwd, env, input = "", onStart }: ProcessOptions
): Promise<ProcessResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text
    })
    onStart?.(() => child.kill("SIGKILL"))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    // A script that reads no input may exit before all of it is written.
    child.stdin.on("error", () => {}).end(input)
  })

/** Runs an example. */
export const runExample = (
  script: string,
  args: ReadonlyArray<string>,
  start: ProcessOptions
): Promise<ProcessResult> => runProgram(process.execPath, [join(folder, script), ...args], start)

/** A running server. */
export interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts an HTTP server on a free port. */
export const listen = async (listener: RequestListener): Promise<Server> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const stop = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/** Makes a database of the bundled substances, 300 synthetic ones (half of them with assays), and the given data records. */
export const makeDatabase = async (cwd: string, measurements: ReadonlyArray<object>): Promise<string> => {
  const database = join(cwd, "chemicals.sqlite")
  const records = join(cwd, "measured.ndjson")
  copyFileSync(Bundled.database, database)
  chmodSync(database, 0o644)
  writeFileSync(records, measurements.map((record) => `${JSON.stringify(record)}\n`).join(""))
  const options = [
    "--count",
    "300",
    "--assays",
    "0.5",
    "--no-fingerprints",
    "--into-existing",
    "--database",
    database
  ]
  const generated = await runProgram(process.execPath, [command, "generate", ...options], { cwd })
  if (generated.code !== 0) throw new Error(generated.stderr)
  await Effect.runPromise(Import.bioactivity({ database, files: [records] }))
  return database
}

/** Starts the service over a database, with a hundred chemicals on each page. */
export const serve = async (database: string): Promise<Server> => {
  const scope = Scope.makeUnsafe()
  const keys = [Redacted.make(apiKey)]
  const service = await Effect.runPromise(
    Scope.provide(Service.make({ database, keys, pageSize: 100, stopTimeout: 0 }), scope)
  )
  return { url: service.url, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Starts a proxy that passes each request to `isWithheld`, and sends no response if that returns true. */
export const startProxy = (url: string, isWithheld: (request: string) => boolean): Promise<Server> =>
  listen(async (request, response) => {
    const body = await buffer(request)
    if (isWithheld(`${request.method} ${request.url}`)) return
    const upstream = await fetch(`${url}${request.url}`, {
      method: request.method ?? "GET",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) })
    })
    response.writeHead(upstream.status, { "content-type": upstream.headers.get("content-type") ?? "" })
    response.end(Buffer.from(await upstream.arrayBuffer()))
  })
