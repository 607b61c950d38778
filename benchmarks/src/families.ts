/**
 * Counts the requests, records and bytes of each command of the families of the public service for 1,000 generated substances, or for
 * 100 if the service has no batch, so that a command sends a request for each. Only the rows that `generate` makes have records. The
 * responses of the others are empty lists. MB are of the bodies, decompressed.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Key, type Row } from "@chemstream/api"
import * as CommandIndex from "../../packages/cli/src/endpoints/commandIndex.ts"
import { log } from "./log.ts"
import type { Figures } from "./report.ts"
import { runCommand, serve } from "./requests.ts"
import { short } from "./statistics.ts"

const count = 1000

/** The number of substances of a command that sends a request for each. */
const countAlone = 100

/** The words and options of each command that needs only substances, with its row. */
const works = CommandIndex.of().flatMap((one) =>
  CommandIndex.choicesOf(one)
    .filter(({ row }: { readonly row: Row.Row }) => row.dialect !== undefined && row.key === Key.dtxsid)
    .filter(({ row }) => row.query === undefined)
    .map((choice) => ({
      row: choice.row,
      line: [...one.words, ...CommandIndex.optionsOf(one, choice)].join(" ")
    }))
)

/** Measures all commands. */
export const measureFamilies = async (): Promise<Figures> => {
  const folder = await mkdtemp(join(tmpdir(), "chemstream-benchmark-"))
  try {
    const generate = ["generate", "--count", String(count), "--no-fingerprints", "--families", "1", "--quiet"]
    const database = join(folder, "substances.sqlite")
    await runCommand(folder, {}, [...generate, "--database", database])
    await runCommand(folder, {}, [...generate, "--output", folder])
    const details = (await readFile(join(folder, "details.ndjson"), "utf8")).trimEnd().split("\n")
    const ids = details.map((line) => JSON.parse(line).dtxsid)
    await writeFile(join(folder, "ids"), ids.join("\n"))
    await writeFile(join(folder, "few"), ids.slice(0, countAlone).join("\n"))
    const service = await serve(database, "ctx")
    try {
      const figures: Record<string, number> = {}
      for (const { line, row } of works) {
        log(line)
        const isAlone = row.batch === undefined
        const input = isAlone ? "few" : "ids"
        const files = ["--input", input, "--output", "out.ndjson", "--json-summary", "summary.json"]
        await runCommand(folder, service.env, [...line.split(" "), ...files, "--quiet"])
        const summary = JSON.parse(await readFile(join(folder, "summary.json"), "utf8"))
        const name = isAlone ? `${line} of ${countAlone}` : line
        figures[`${name}: requests`] = summary.requests
        figures[`${name}: records`] = summary.records
        figures[`${name}: MB`] = short(summary.bytes / 1e6)
        await rm(join(folder, "out.ndjson"))
      }
      return figures
    } finally {
      service.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
