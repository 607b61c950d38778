/**
 * What the search threads can be asked: each job is a name and its arguments, its result can be sent between threads.
 *
 * Used by `searchThread`, which runs them, and by `searchPool`, which asks; loads as little as it can.
 */
import type { DatabaseSync } from "node:sqlite"
import * as readAhead from "../database/readAhead.ts"
import type { Listed } from "../records/detailPage.ts"
import * as msready from "../records/msReady.ts"
import type { Settings } from "../writes/collector.ts"
import * as search from "./search.ts"
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
  readonly detailsAfter: (after: number, size: number, fields: ReadonlyArray<string>) => Promise<Listed>
  readonly readAhead: readAhead.ReadAhead
}

/** The name of a job. */
export type Job = keyof Jobs

/** What a job gives. */
export type Answer<J extends Job> = Awaited<ReturnType<Jobs[J]>>

/** Jobs that take long: others go first. */
export const slow: ReadonlySet<Job> = new Set<Job>([
  "contain",
  "equal",
  "suggestions",
  "detailPage",
  "detailsAfter"
])

/** Jobs that nobody waits for: all others go first. */
export const idle: ReadonlySet<Job> = new Set<Job>(["readAhead"])

/** What jobs are done with: what is searched with, and how many identifiers an answer has at most. */
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
    // Loaded when a page is asked for: it brings in more than all the rest.
    detailPage: async (page, size, fields) =>
      (await import("../records/detailPage.ts")).reader(database).page(page, size, fields),
    detailsAfter: async (after, size, fields) =>
      (await import("../records/detailPage.ts")).reader(database).after(after, size, fields),
    readAhead: readAhead.reader(database)
  }
}
