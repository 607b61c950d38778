/**
 * Runs searches on a few threads, so that a long search does not delay other requests.
 *
 * `ThreadPool` runs the threads, and `searchJobs.ts` defines the jobs. Long searches are not divided:
 * docs/decisions/0005-index-of-parts-of-names.md.
 */
import { extname } from "node:path"
import { Effect, type Scope } from "effect"
import { StoreError } from "../../../Store.ts"
import * as ThreadPool from "../../../ThreadPool.ts"
import { toStoreError } from "../database/databaseErrors.ts"
import { idleJobs, type Job, type JobResult, type Jobs, slowJobs } from "./searchJobs.ts"
import { replaced, type Start } from "./searchThread.ts"

/** Runs a job on a thread. */
export type RunJob = <J extends Job>(
  job: J,
  ...args: Parameters<Jobs[J]>
) => Effect.Effect<JobResult<J>, StoreError>

// The memory of each thread, in MiB: a response has a few. V8's own limit for short-lived objects would be 48.
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

// The thread's module: TypeScript in the sources, JavaScript in the build.
const program = new URL(`./searchThread${extname(import.meta.url)}`, import.meta.url)

const urgencyOf = (job: string): ThreadPool.Urgency =>
  idleJobs.has(job as Job) ? "idle" : slowJobs.has(job as Job) ? "slow" : "quick"

/** Makes a pool of threads. Threads start when needed, and end with the scope. */
export const make = (start: Start, threads: number): Effect.Effect<RunJob, never, Scope.Scope> =>
  Effect.map(
    ThreadPool.make({ program, data: start, threads, resourceLimits, urgencyOf }),
    (run): RunJob =>
      <J extends Job>(job: J, ...args: Parameters<Jobs[J]>) =>
        run(job, args).pipe(
          Effect.map((result) => result as JobResult<J>),
          Effect.mapError((failure) => errorOf(start.file, failure))
        )
  )

const errorOf = (file: string, { errcode, message, reason }: ThreadPool.ThreadFailure): StoreError =>
  reason === "failed"
    ? toStoreError(file, Object.assign(new Error(message), { errcode }))
    : new StoreError({
        database: file,
        reason: message === replaced ? "replaced" : "failed",
        message: `A search of ${file} failed: ${message}`
      })
