/**
 * The benchmarks: `npm run bench -- client --date 2026-11-21`, which writes CLIENT.md, and
 * `npm run bench -- service --count 12000 --date 2026-11-21`, which writes results/service-<count>.json and the
 * table of all results in RESULTS.md.
 */
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as clientReport from "./clientReport.ts"
import { markdown, type Result } from "./report.ts"
import { measure } from "./service.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "12000" },
    date: { type: "string" },
    folder: { type: "string", default: join(tmpdir(), "chemstream-benchmarks") },
    reuse: { type: "boolean", default: false }
  }
})

if (positionals.join(" ") === "client") process.exit(await clientReport.run(values.date))

const count = Number(values.count)
if (
  positionals.join(" ") !== "service" ||
  !Number.isInteger(count) ||
  count < 1000 ||
  values.date === undefined
) {
  process.stderr.write(
    "usage: npm run bench -- service --date YYYY-MM-DD [--count N (1000 or more)] [--folder DIR] [--reuse]\n"
  )
  process.exit(2)
}

const here = join(import.meta.dirname, "..")
const results = join(here, "results")
const read = async (name: string): Promise<Result> => JSON.parse(await readFile(join(results, name), "utf8"))
await mkdir(results, { recursive: true })

const own = `service-${count}.json`
// What a reused database was made with was measured when it was made.
const earlier = values.reuse && existsSync(join(results, own)) ? (await read(own)).figures : {}
const figures = await measure({ count, folder: values.folder, reuse: values.reuse })
const result: Result = {
  date: values.date,
  machine: `${availableParallelism()} cores, Node ${process.versions.node}`,
  figures: { ...earlier, ...figures }
}
const text = `${JSON.stringify(result, null, 2)}\n`
process.stdout.write(text)
await writeFile(join(results, own), text)
const all = (await readdir(results)).filter((name) => name.endsWith(".json"))
await writeFile(join(here, "RESULTS.md"), markdown(await Promise.all(all.map(read))))
