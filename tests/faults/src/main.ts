/**
 * `npm run faults -- [--count N] [--seed S]`: the fault suite in its long forms.
 *
 * `soak` and `load` run the other two tests. With `--date D`, the figures go to benchmarks/results/.
 * Progress goes to standard error, and the result as JSON to standard output. Exit code 1: the suite found a problem.
 */
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { soak } from "./endlessHarvest.ts"
import type * as Growth from "./ProcessGrowth.ts"
import { campaign } from "./scenarioCampaign.ts"
import { load } from "./serviceLoad.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
    date: { type: "string" }
  }
})

/** The largest accepted growth of the heap after the start, in MiB. */
const tolerance = 32

const usage = (): never => {
  process.stderr.write(`npm run faults -- [--count N] [--seed S] [--date D]
npm run faults -- soak [--minutes M] [--date D]
npm run faults -- load [--minutes M] [--date D]
`)
  process.exit(2)
}

const numberOf = (text: string): number => (Number(text) > 0 ? Number(text) : usage())

const log = (line: string): void => void process.stderr.write(`${line}\n`)

const printJson = (result: object): void => void process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)

/** Writes figures to the results of the benchmarks. */
const record = async (name: string, figures: Readonly<Record<string, number>>): Promise<void> => {
  if (values.date === undefined) return
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`
  const file = join(import.meta.dirname, "..", "..", "..", "benchmarks", "results", `${name}.json`)
  await writeFile(file, `${JSON.stringify({ date: values.date, machine, figures }, null, 2)}\n`)
}

const growthFigures = ({ first, last }: Growth.Growth): Readonly<Record<string, number>> => ({
  "heap after the start (MiB)": first.heap,
  "heap at the end (MiB)": last.heap,
  "RSS after the start (MiB)": first.resident,
  "RSS at the end (MiB)": last.resident,
  "handles after the start": first.handles,
  "handles at the end": last.handles
})

const isFlat = ({ first, last }: Growth.Growth): boolean => last.heap - first.heap < tolerance

const runScenarios = async (): Promise<boolean> => {
  let reported = 0
  const { failing, ...summary } = await campaign({
    count: numberOf(values.count),
    seed: numberOf(values.seed),
    onProgress: (done, failingSoFar) => {
      for (const { breaches, seed } of failingSoFar.slice(reported)) {
        log(`seed ${seed}: ${breaches.slice(0, 3).join("; ")}`)
      }
      reported = failingSoFar.length
      log(`${done} scenarios, ${failingSoFar.length} failing`)
    }
  })
  printJson({ ...summary, failing: failing.map(({ seed }) => seed) })
  const { growth, leaked, rejections } = summary
  await record("scenarios", {
    scenarios: summary.scenarios,
    "scenarios with a breach or a hang": failing.length,
    identifiers: summary.identifiers,
    requests: summary.requests,
    "requests with a fault": summary.faulted,
    failed: summary.failed,
    "runs that stopped early": summary.stoppedEarly,
    minutes: Math.round(summary.seconds / 60),
    "unhandled rejections": rejections.length,
    "leaked handles": leaked,
    ...growthFigures(growth)
  })
  return failing.length === 0 && rejections.length === 0 && leaked === 0 && isFlat(growth)
}

const runSoak = async (): Promise<boolean> => {
  const summary = await soak({
    minutes: numberOf(values.minutes ?? "60"),
    onSample: ({ handles, heap, resident }, { failed, found, missing, read }) =>
      log(
        `heap ${heap} MiB, RSS ${resident} MiB, ${handles} handles; read ${read}, found ${found}, missing ${missing}, failed ${failed}`
      )
  })
  printJson(summary)
  const { breaches, counts, growth, leaked, minutes, rejections, requests, scenarios, faulted } = summary
  await record("soak", {
    minutes,
    scenarios,
    requests,
    "requests with a fault": faulted,
    identifiers: counts.read,
    found: counts.found,
    missing: counts.missing,
    failed: counts.failed,
    "changed or lost records": breaches.length,
    "unhandled rejections": rejections.length,
    "leaked handles": leaked,
    ...growthFigures(growth)
  })
  return breaches.length === 0 && rejections.length === 0 && leaked === 0 && isFlat(growth)
}

const runLoad = async (): Promise<boolean> => {
  const summary = await load(numberOf(values.minutes ?? "10"), ({ handles, heap, resident }, requests) =>
    log(`heap ${heap} MiB, RSS ${resident} MiB, ${handles} handles; ${requests} requests`)
  )
  printJson(summary)
  const { breaches, growth, hostile, minutes, requests, statuses } = summary
  await record("load", {
    minutes,
    requests,
    "hostile requests": hostile,
    ...Object.fromEntries(
      Object.entries(statuses).map(([status, count]) => [`responses with status ${status}`, count])
    ),
    "wrong responses": breaches.length,
    ...growthFigures(growth)
  })
  return breaches.length === 0 && isFlat(growth)
}

const runs: Readonly<Record<string, () => Promise<boolean>>> = {
  "": runScenarios,
  soak: runSoak,
  load: runLoad
}

process.exitCode = (await (runs[positionals.join(" ")] ?? usage)()) ? 0 : 1
