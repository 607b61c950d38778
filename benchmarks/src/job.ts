/**
 * Defines the job of commands and scripts: to fetch the details of many identifiers in a file, from a server of precomputed responses.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { dtxsids } from "./identifiers.ts"
import type { Options } from "./recordsProcess.ts"
import { withRecordsService } from "./recordsService.ts"
import type { Environment, Program } from "./wholeProcess.ts"

/** The path of the command. */
export const command = fileURLToPath(new URL("../../packages/cli/bin/chemstream.js", import.meta.url))

/** The settings of a run. */
export interface Job {
  /** The address of the service. */
  readonly url: string
  /** The file of the identifiers. */
  readonly ids: string
  /** The folder for output files. */
  readonly folder: string
  readonly env: Environment
}

/** Returns the command for the identifiers of a job. */
export const byCommand = ({ ids }: Job): Program => [
  process.execPath,
  command,
  "details",
  "--quiet",
  "--input",
  ids
]

/** Returns a script of `peers/` for the identifiers of a job, run by a program. */
export const byPeer = (program: string, name: string, { ids, url }: Job): Program => [
  program,
  fileURLToPath(new URL(`../peers/${name}`, import.meta.url)),
  url,
  ids
]

/** Makes a job with this many identifiers and its own server, and uses it. */
export const withJob = async <A>(
  identifiers: number,
  server: Options,
  use: (job: Job) => Promise<A>
): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-benchmark-"))
  try {
    const ids = join(folder, "ids.txt")
    await writeFile(ids, lines(identifiers))
    return await withRecordsService(server, (url) =>
      use({
        url,
        ids,
        folder,
        env: {
          CHEMSTREAM_BASE_URL: url,
          CHEMSTREAM_API_KEY: "benchmark",
          XDG_CACHE_HOME: join(folder, "cache"),
          XDG_CONFIG_HOME: join(folder, "settings")
        }
      })
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const lines = function* (identifiers: number): Generator<string> {
  for (const id of dtxsids(identifiers)) yield `${id}\n`
}
