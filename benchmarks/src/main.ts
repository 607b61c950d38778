/**
 * Runs a benchmark: `npm run bench -- NAME --date 2026-11-21`. It writes its results to results/, and the tables of all results to
 * RESULTS.md. `npm run generate` writes only the tables.
 */
import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Dialect } from "@chemstream/client"
import { generate } from "../scripts/generate.ts"
import { measureClient } from "./client.ts"
import { measureCommand } from "./command.ts"
import { measureFamilies } from "./families.ts"
import { measureGrowth } from "./growth.ts"
import { measureNdjson } from "./ndjson.ts"
import { measurePeers } from "./peers.ts"
import { measureRecovery } from "./recovery.ts"
import type { Figures, Measured, Result } from "./report.ts"
import { measureRequests, regressions } from "./requests.ts"
import { measureScale } from "./scale.ts"
import { measure as measureService } from "./service.ts"
import { measureStream } from "./stream.ts"
import { measureTables } from "./tables.ts"
import { measureTransforms } from "./transforms.ts"
import { measureWorkflow } from "./workflow.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "12000" },
    date: { type: "string" },
    folder: { type: "string", default: join(tmpdir(), "chemstream-benchmarks") },
    mebibytes: { type: "string", default: "12" },
    piped: { type: "string", default: "5" },
    reuse: { type: "boolean", default: false }
  }
})

const usage = (): never => {
  process.stderr.write(
    `usage: npm run bench -- service [--count N (1000 or more)] [--folder DIR] [--reuse]
       npm run bench -- client | stream | transforms | command | tables | peers | scale | requests | families
       npm run bench -- ndjson [--mebibytes N (of a sample)] [--piped GIGABYTES (0: none)]
       npm run bench -- workflow | growth | recovery
Each takes --date YYYY-MM-DD. Default: today.
`
  )
  process.exit(2)
}

/** Returns the number of a text. Prints the usage if it is below `least`. */
const numberOf = (text: string, least: number): number => {
  const number = Number(text)
  return number >= least ? number : usage()
}

const here = join(import.meta.dirname, "..")
const results = join(here, "results")
const read = async (name: string): Promise<Result> => JSON.parse(await readFile(join(results, name), "utf8"))

const service = async (name: string, count: number): Promise<Figures> => {
  // The figures of a reused database were measured when it was made.
  const earlier = values.reuse && existsSync(join(results, name)) ? (await read(name)).figures : {}
  return { ...earlier, ...(await measureService({ count, folder: values.folder, reuse: values.reuse })) }
}

const runBenchmark = async (): Promise<
  readonly [name: string, measured: Partial<Measured> & Pick<Measured, "figures">]
> => {
  switch (positionals.join(" ")) {
    case "service": {
      const count = numberOf(values.count, 1000)
      const name = `service-${Number.isInteger(count) ? count : usage()}.json`
      return [name, { figures: await service(name, count) }]
    }
    case "client":
      return ["client.json", { figures: await measureClient() }]
    case "ndjson": {
      const options = { mebibytes: numberOf(values.mebibytes, 1), piped: numberOf(values.piped, 0) }
      return ["ndjson.json", { figures: await measureNdjson(options) }]
    }
    case "stream":
      return ["stream.json", { figures: await measureStream() }]
    case "command":
      return ["command.json", await measureCommand()]
    case "tables":
      return ["tables.json", await measureTables()]
    case "peers":
      return ["peers.json", await measurePeers()]
    case "scale":
      return ["scale.json", await measureScale()]
    case "families":
      return ["families.json", { figures: await measureFamilies() }]
    case "transforms":
      return ["transforms.json", await measureTransforms()]
    case "workflow":
      return ["workflow.json", { figures: await measureWorkflow() }]
    case "growth":
      return ["growth.json", { figures: await measureGrowth() }]
    case "recovery":
      return ["recovery.json", { figures: await measureRecovery() }]
    default:
      return usage()
  }
}

const measure = async (): Promise<void> => {
  await mkdir(results, { recursive: true })
  if (positionals.join(" ") === "requests") return await countRequests()
  await record(...(await runBenchmark()))
}

let isWorse = false

/** Counts the requests in both dialects. More requests than recorded are a failure, and are not recorded. */
const countRequests = async (): Promise<void> => {
  for (const dialect of Dialect.names) {
    const name = `requests-${dialect}.json`
    const earlier = existsSync(join(results, name)) ? (await read(name)).figures : {}
    const figures = await measureRequests(dialect)
    const more = regressions(figures, earlier)
    if (more.length === 0) await record(name, { figures })
    else {
      process.stderr.write(`more requests than recorded in ${dialect}: ${more.join(", ")}\n`)
      isWorse = true
    }
  }
}

const record = async (name: string, found: Partial<Measured> & Pick<Measured, "figures">): Promise<void> => {
  const date = values.date ?? new Date().toISOString().slice(0, 10)
  const result: Result = {
    date,
    machine: `${availableParallelism()} cores, Node ${process.versions.node}`,
    ...found
  }
  const text = `${JSON.stringify(result, null, 2)}\n`
  process.stdout.write(text)
  await writeFile(join(results, name), text)
}

await measure()
for (const [file, text] of Object.entries(await generate())) await writeFile(join(here, "..", file), text)
if (isWorse) process.exit(1)
