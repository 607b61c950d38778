// Writes RESULTS.md: the tables of all results in results/.

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { markdown, type Result } from "../src/report.ts"

const results = join(import.meta.dirname, "..", "results")

/** Returns each file, relative to the root of the repository, with its text. */
export const generate = async (): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(results)).filter((file) => file.endsWith(".json")).sort()
  const read = async (name: string): Promise<Result> =>
    JSON.parse(await readFile(join(results, name), "utf8"))
  const of = (prefix: string): Promise<ReadonlyArray<Result>> =>
    Promise.all(names.filter((name) => name.startsWith(prefix)).map(read))
  return {
    "benchmarks/RESULTS.md": markdown({
      service: await of("service"),
      client: await of("client"),
      stream: await of("stream"),
      ndjson: await of("ndjson"),
      transforms: await of("transforms"),
      command: await of("command"),
      tables: await of("tables"),
      peers: await of("peers"),
      scale: await of("scale"),
      families: await of("families"),
      requests: await of("requests"),
      workflow: await of("workflow"),
      growth: await of("growth"),
      recovery: await of("recovery"),
      scenarios: await of("scenarios"),
      soak: await of("soak"),
      load: await of("load"),
      attacks: await of("attacks")
    })
  }
}
