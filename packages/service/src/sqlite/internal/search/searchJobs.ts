/**
 * Defines the jobs of the search threads, e.g. `contain`. Each has a name, arguments and a result that can be sent between
 * threads.
 *
 * `searchPool` requests them, and `searchThread` runs them. Imports few modules, because every search thread loads
 * it.
 */
import type { DatabaseSync } from "node:sqlite"
import * as readAhead from "../database/readAhead.ts"
import type { Reader } from "../records/detailPage.ts"
import * as msready from "../records/formulaAndMassQueries.ts"
import * as search from "./nameSearch.ts"
import type { Settings } from "./rankedHits.ts"
import { suggester } from "./suggest.ts"

/** The jobs, by name. */
export interface Jobs extends msready.FormulaQueries, search.Searches {
  readonly suggestions: (word: string) => ReadonlyArray<string>
  readonly detailPage: (...args: Parameters<Reader["page"]>) => Promise<ReturnType<Reader["page"]>>
  readonly detailsAfter: (...args: Parameters<Reader["after"]>) => Promise<ReturnType<Reader["after"]>>
  readonly readAhead: readAhead.ReadAhead
}

/** The name of a job. */
export type Job = keyof Jobs

export type JobResult<J extends Job> = Awaited<ReturnType<Jobs[J]>>

/** Long jobs. Quick jobs run before them. */
export const slowJobs: ReadonlySet<Job> = new Set<Job>([
  "contain",
  "equal",
  "suggestions",
  "detailPage",
  "detailsAfter"
])

/** Background jobs. All other jobs run before them. */
export const idleJobs: ReadonlySet<Job> = new Set<Job>(["readAhead"])

/** The settings of searches, and the largest number of identifiers in a response. */
export interface JobSettings extends Settings {
  readonly maxIdentifiers: number
}

/** Prepares the jobs on an open database. */
export const prepare = (database: DatabaseSync, settings: JobSettings): Jobs => ({
  ...search.searches(database, settings),
  suggestions: suggester(database),
  ...msready.queries(database, settings.maxIdentifiers),
  // Loaded with the first page, because it needs more memory than the rest.
  detailPage: async (...args) => (await import("../records/detailPage.ts")).reader(database).page(...args),
  detailsAfter: async (...args) => (await import("../records/detailPage.ts")).reader(database).after(...args),
  readAhead: readAhead.reader(database)
})
