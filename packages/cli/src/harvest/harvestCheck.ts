/**
 * Judges a harvest for a monitor: one line of text, and an exit code. The reason why a harvest waits comes with its status:
 * `waitReasons.ts` of the workflow package has its text.
 */
import type { Harvest } from "@chemstream/workflow"
import { Clock, Duration, Effect } from "effect"
import { CommandFailure, exitCodeFor, exitCodes } from "../CommandFailure.ts"
import * as Messages from "../terminal/messages.ts"
import { count, counted } from "../terminal/quantities.ts"

/** A judgement of a harvest. */
export interface Check {
  readonly exitCode: number
  readonly text: string
}

/** Without a finished chunk for this many times the mean time of one, a harvest makes no progress. */
const slowestChunk = 3

/** Judges the status of a harvest. `olderThan`: the oldest end of a finished harvest, in milliseconds before now. */
export const of = (status: Harvest.Status, olderThan?: number): Effect.Effect<Check> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { exitCode, text } = judge(status, now, olderThan)
    return { exitCode, text: `${status.name}: ${text}` }
  })

const judge = (status: Harvest.Status, now: number, olderThan: number | undefined): Check => {
  switch (status.state) {
    case "running":
      return judgeRunning(status, now)
    case "paused":
      return {
        exitCode: pauseCode(status.failure),
        text: `paused: ${status.reason ?? "by harvest pause"}`
      }
    case "cancelled":
      return { exitCode: exitCodes.failed, text: "cancelled" }
    case "finished":
      return judgeFinished(status, now, olderThan)
  }
}

/** A pause without an error, or with one that says nothing about the service, is a lack of progress. */
const pauseCode = (failure: Harvest.Failure | undefined): number => {
  const code = failure === undefined ? exitCodes.stuck : exitCodeFor(failure.tag, failure.status)
  return code === exitCodes.failed || code === exitCodes.usage ? exitCodes.stuck : code
}

const judgeFinished = (
  { endedAt = 0, tally }: Harvest.Status,
  now: number,
  olderThan = Number.POSITIVE_INFINITY
): Check => {
  const at = new Date(endedAt).toISOString().replace(/\.\d+Z$/, "Z")
  const outcomes = `${count(tally.read)} read, ${count(tally.failed)} failed`
  if (now - endedAt > olderThan)
    return {
      exitCode: exitCodes.failed,
      text: `finished at ${at}, more than ${Duration.format(Duration.millis(olderThan))} ago; ${outcomes}`
    }
  return {
    exitCode: tally.failed > 0 ? exitCodes.failed : exitCodes.success,
    text: `finished at ${at}; ${outcomes}`
  }
}

const judgeRunning = (status: Harvest.Status, now: number): Check => {
  const { chunks, chunksDone, identifiers, lease, millis, reason, tally, working, workingSince = 0 } = status
  const progress = `${count(tally.read)} of ${counted(identifiers, "identifier")}`
  const because = reason === undefined ? "" : `: ${reason}`
  if (working === 0)
    return { exitCode: exitCodes.stuck, text: `${reason ?? "no worker can do it"}; ${progress}` }
  if (status.isServiceAwaited) return { exitCode: exitCodes.unreachable, text: `${reason}; ${progress}` }
  const idle = now - Math.max(status.progressedAt ?? status.startedAt, workingSince)
  // The finished chunks took `millis` together, so the mean is `millis / chunksDone`.
  const longest = Math.max(2 * lease, chunksDone === 0 ? 0 : (slowestChunk * millis) / chunksDone)
  // With all chunks done, the output is verified.
  if (chunksDone < chunks && idle > longest) {
    const time = Duration.format(Duration.seconds(Math.round(idle / 1000)))
    return { exitCode: exitCodes.stuck, text: `no progress for ${time}${because}; ${progress}` }
  }
  return { exitCode: exitCodes.success, text: `running${because}; ${progress}` }
}

/** Prints the line of a check, and fails with its exit code. */
export const report = ({ exitCode, text }: Check): Effect.Effect<void, CommandFailure> =>
  Effect.suspend(() => {
    Messages.print(`${text}\n`)
    return exitCode === exitCodes.success
      ? Effect.void
      : Effect.fail(new CommandFailure({ exitCode, message: "" }))
  })

/** The worst of several checks. */
export const worst = (checks: ReadonlyArray<Check>): number =>
  [exitCodes.unauthorized, exitCodes.unreachable, exitCodes.stuck, exitCodes.failed].find((code) =>
    checks.some(({ exitCode }) => exitCode === code)
  ) ?? exitCodes.success
