/**
 * A harvest for the eyes: one line, or all there is to say, workers and shards included.
 */
import type { Harvest } from "@chemstream/workflow"
import * as Bar from "./bar.ts"
import { count, counted } from "./summary.ts"

/** Characters for how far a shard is, from nothing to all. */
const levels = " .:-=+*#"

/** One line: how far it is, how fast, and how long it takes. */
export const line = (status: Harvest.Status, columns: number): string => {
  const { chunks, chunksDone, identifiers, rate, reason, retries, state, tally } = status
  const parts = [
    `${count(tally.read)}/${count(identifiers)} ids`,
    ...(state === "running" ? [`${count(Math.round(rate))}/s`, ...left(status)] : [state]),
    ...(retries > 0 ? [counted(retries, "retry", "retries")] : []),
    ...(reason === undefined ? [] : [reason])
  ]
  return Bar.render(chunks === 0 ? 1 : chunksDone / chunks, parts.join(", "), columns)
}

/** All of it, in lines. */
export const text = (status: Harvest.Status, columns: number): string => {
  const {
    bytes,
    chunks,
    chunksDone,
    name,
    reason,
    requests,
    retries,
    shards,
    source,
    state,
    tally,
    workers
  } = status
  const widest = Math.max(0, ...workers.map((worker) => worker.name.length))
  return [
    `${name}: ${state}${reason === undefined ? "" : ` (${reason})`}`,
    `source   ${source}`,
    `progress ${line(status, columns - 9)}`,
    `outcomes ${count(tally.found)} found, ${count(tally.missing)} missing, ${count(tally.failed)} failed, ${count(tally.invalid)} invalid, ${count(tally.duplicates)} duplicates`,
    `chunks   ${count(chunksDone)} of ${count(chunks)}; ${counted(requests, "request")}, ${counted(retries, "retry", "retries")}, ${count(bytes)} bytes`,
    ...workers.map(
      (worker) =>
        `worker   ${worker.name.padEnd(widest)}  ${counted(worker.chunks, "chunk")}, ${count(Math.round(worker.rate))}/s`
    ),
    `shards   [${shards.map(levelOf).join("")}]`,
    ""
  ].join("\n")
}

const levelOf = ({ chunks, done }: Harvest.Status["shards"][number]): string =>
  levels[Math.floor((done / Math.max(1, chunks)) * (levels.length - 1))] ?? " "

const left = ({ eta }: Harvest.Status): ReadonlyArray<string> => {
  if (eta === undefined) return []
  const seconds = Math.ceil(eta)
  if (seconds < 120) return [`${seconds} s left`]
  return [seconds < 7200 ? `${Math.ceil(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`]
}
