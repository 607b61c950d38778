/**
 * Runs the service for the tests of a file, and makes a folder for each test. The tests of a file run concurrently.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { apiKey, makeDatabase, type ProcessResult, runExample, type Server, serve } from "./running.ts"

/** A folder for one test, with functions that work in it. */
export interface ExampleFolder {
  readonly cwd: string
  /** Runs an example in the folder, with the address and key of the service. */
  readonly run: (
    script: string,
    args?: ReadonlyArray<string>,
    input?: string,
    env?: Readonly<Record<string, string>>
  ) => Promise<ProcessResult>
  /** Writes a file into the folder, and returns its name. */
  readonly write: (name: string, text: string) => string
}

/** The service of a test file, and its folders. */
export interface ExampleFolders {
  readonly make: () => ExampleFolder
  /** The environment of an example: the address and key of the service. */
  readonly env: () => Readonly<Record<string, string>>
  readonly url: () => string
  /** Requests a path of the service, and returns the body. */
  readonly get: (path: string) => Promise<unknown>
}

/** Starts a service before the tests of the file, with these additional data records. */
export const start = (measurements: ReadonlyArray<object> = []): ExampleFolders => {
  let top: string
  let service: Server

  beforeAll(async () => {
    top = mkdtempSync(join(tmpdir(), "examples-"))
    service = await serve(await makeDatabase(top, measurements))
  }, 60_000)

  afterAll(async () => {
    await service.stop()
    rmSync(top, { recursive: true })
  })

  const env = () => ({ CHEMSTREAM_BASE_URL: service.url, CHEMSTREAM_API_KEY: apiKey })
  return {
    env,
    url: () => service.url,
    get: async (path) => (await fetch(`${service.url}${path}`, { headers: { "x-api-key": apiKey } })).json(),
    make: () => {
      const cwd = mkdtempSync(join(top, "test-"))
      return {
        cwd,
        run: (script, args = [], input = "", other = {}) =>
          runExample(script, args, { cwd, env: { ...env(), ...other }, input }),
        write: (name, text) => {
          writeFileSync(join(cwd, name), text)
          return name
        }
      }
    }
  }
}
