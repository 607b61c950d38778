/**
 * Defines the jobs of the search threads, e.g. `contain`. Each has a name, arguments and a result that can be sent between
 * threads.
 *
 * `searchPool` requests them, and `searchThread` runs them. Imports few modules, because every search thread loads
 * it.
 */
import type { DatabaseSync } from "node:sqlite"
import * as readAhead from "../database/readAhead.ts"
import type { ListPage } from "../records/detailPage.ts"
import * as msready from "../records/formulaQueries.ts"
import * as search from "./nameSearch.ts"
import type { Settings } from "./rankedHits.ts"
import { suggester } from "./suggest.ts"

/** The jobs, by name. */
export interface Jobs extends msready.FormulaQueries {
  readonly equal: search.Searches["equal"]
  readonly startWith: search.Searches["startWith"]
  readonly contain: search.Searches["contain"]
  readonly suggestions: (word: string) => ReadonlyArray<string>
  readonly detailPage: (
    page: number,
    size: number,
    fields: ReadonlyArray<string>
  ) => Promise<Uint8Array<ArrayBuffer>>
  readonly detailsAfter: (after: number, size: number, fields: ReadonlyArray<string>) => Promise<ListPage>
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
export const prepare = (database: DatabaseSync, settings: JobSettings): Jobs => {
  const { equal, startWith, contain } = search.searches(database, settings)
  return {
    equal,
    startWith,
    contain,
    suggestions: suggester(database),
    ...msready.queries(database, settings.maxIdentifiers),
    // Loaded with the first page, because it needs more memory than the rest.
    detailPage: async (page, size, fields) =>
      (await import("../records/detailPage.ts")).reader(database).page(page, size, fields),
    detailsAfter: async (after, size, fields) =>
      (await import("../records/detailPage.ts")).reader(database).after(after, size, fields),
    readAhead: readAhead.reader(database)
  }
}
