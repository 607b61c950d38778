/** Renders the status of a harvest as text, in one line or in full. */
import type { Harvest } from "@chemstream/workflow"
import * as ProgressBar from "../terminal/progressBar.ts"
import { count, counted, countTexts } from "../terminal/quantities.ts"
import type { Commands } from "./suggestedCommands.ts"

/** Renders progress, rate and remaining time as one line. */
export const line = (status: Harvest.Status, columns: number): string => {
  const { chunks, chunksDone, identifiers, rate, reason, retries, state, tally } = status
  const parts = [
    `${count(tally.read)}/${count(identifiers)} ids`,
    ...(state === "running" ? [`${count(Math.round(rate))}/s`, ...timeLeft(status)] : [state]),
    ...(retries > 0 ? [counted(retries, "retry", "retries")] : []),
    ...(reason === undefined ? [] : [reason])
  ]
  return ProgressBar.render(chunks === 0 ? 1 : chunksDone / chunks, parts.join(", "), columns)
}

/** Renders the whole status, with the commands to continue. */
export const text = (status: Harvest.Status, columns: number, next: Commands): string => {
  const { chunks, chunksDone, failures, name, reason, requests, retried, retries, state, tally } = status
  const { workers } = status
  const widest = Math.max(0, ...workers.map((worker) => worker.name.length))
  return [
    `${name}: ${state}${reason === undefined ? "" : ` (${reason})`}`,
    ...advice(status, next),
    `source   ${status.source}`,
    `progress ${line(status, columns - 9)}`,
    `outcomes ${countTexts(tally, ["found", "missing", "failed", "invalid", "duplicates"]).join(", ")}${tally.surplus > 0 ? `; ${counted(tally.surplus, "surplus record")}` : ""}${tally.truncated > 0 ? `; ${counted(tally.truncated, "value")} truncated` : ""}`,
    ...failures.map(({ identifiers, reason }) => `failed   ${counted(identifiers, "identifier")}: ${reason}`),
    `chunks   ${count(chunksDone)} of ${count(chunks)}; ${counted(requests, "request")}, ${counted(retries, "retry", "retries")}, ${count(status.bytes)} bytes`,
    ...(retried > 0 ? [`retried  ${counted(retried, "identifier")} that had failed`] : []),
    ...workers.map(
      (worker) =>
        `worker   ${worker.name.padEnd(widest)}  ${counted(worker.chunks, "chunk")}, ${count(Math.round(worker.rate))}/s`
    ),
    `shards   ${count(status.shardsDone)} of ${count(status.shards)} done`,
    ""
  ].join("\n")
}

/** The next commands for a person, if any. */
const advice = (
  { inFlight, state, tally, working }: Harvest.Status,
  next: Commands
): ReadonlyArray<string> => {
  const lines = []
  if (state === "running" && working === 0) lines.push(`to start a worker: ${next("worker")}`)
  if (state === "paused" && inFlight > 0)
    lines.push(`${counted(inFlight, "chunk")} in flight: requests that were sent finish, no new one is sent`)
  if (state === "paused") lines.push(`to continue: ${next("resume")}`)
  if (state === "finished" && tally.failed > 0)
    lines.push(`to request failed identifiers again: ${next("retry")}`)
  return lines.map((words) => `         ${words}`)
}

const timeLeft = ({ eta }: Harvest.Status): ReadonlyArray<string> => {
  if (eta === undefined) return []
  const seconds = Math.ceil(eta)
  if (seconds < 120) return [`${seconds} s left`]
  return [seconds < 7200 ? `${Math.ceil(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`]
}
