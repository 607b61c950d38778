/**
 * The store in a SQLite file, on `node:sqlite`: the only place with SQL, together with the other files of this folder.
 *
 * Look-ups by identifier run on the calling thread: a batch of 1000 records takes a few milliseconds, during which
 * nothing else runs. Searches, and pages of all records, run on threads of their own. A reader sees a transaction when it
 * is finished, never half of it.
 */
import type { DatabaseSync } from "node:sqlite"
import { Effect, Exit, Layer, type Scope, Semaphore } from "effect"
import { type Counts, Store, type StoreError } from "../Store.ts"
import { StoreWriter, type Transaction } from "../StoreWriter.ts"
import { attempt } from "./internal/attempt.ts"
import * as bioactivity from "./internal/bioactivity.ts"
import { keepLog, openReader, openWriter } from "./internal/database.ts"
import * as details from "./internal/details.ts"
import { kinds } from "./internal/kinds.ts"
import * as names from "./internal/names.ts"
import * as search from "./internal/search.ts"
import * as searchPool from "./internal/searchPool.ts"
import * as substances from "./internal/substances.ts"
import * as synonyms from "./internal/synonyms.ts"

/** How many substances a search answers at most, unless configured otherwise. */
export const defaultMaxHits = 1000

/** How many threads search, unless configured otherwise. */
export const defaultSearchThreads = 2

/** Which database file. */
export interface Options {
  readonly file: string
}

/** Which database file, and how it is searched. */
export interface ReaderOptions extends Options {
  /** How many substances a search answers at most; `Hits.capped` tells that there are more. Default 1000. */
  readonly maxHits?: number | undefined
  /** How many threads search at most; they are started when they are needed. Default 2. */
  readonly searchThreads?: number | undefined
}

/**
 * Opens an existing database for reading.
 *
 * Fails with `StoreError` where there is no such file, it is not a database of this project, or of another version.
 */
export const make = (options: ReaderOptions): Effect.Effect<Store["Service"], StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = options
    const cap = options.maxHits ?? defaultMaxHits
    const database = yield* openReader(file)
    const ask = yield* searchPool.make({ file, kinds, cap }, options.searchThreads ?? defaultSearchThreads)
    // A handful of look-ups in an index: quicker than asking a thread.
    const { equal } = search.searches(database, { kinds, cap })
    return Store.of({
      ...details.queries(file, database),
      detailPage: (page, size, fields) => ask("detailPage", page, size, fields),
      searchEqual: (word) => attempt(file, () => equal(word)),
      searchStartWith: (word) => ask("startWith", word),
      searchContain: (word) => ask("contain", word),
      suggestions: (word) => ask("suggestions", word),
      byExactFormula: (formula) => ask("byExactFormula", formula),
      countByExactFormula: (formula) => ask("countByExactFormula", formula),
      msreadyByDtxcid: (dtxcids) => ask("msreadyByDtxcid", dtxcids),
      msreadyByFormula: (formula) => ask("msreadyByFormula", formula),
      countByMsreadyFormula: (formula) => ask("countByMsreadyFormula", formula),
      msreadyByMass: (ranges) => ask("msreadyByMass", ranges),
      ...synonyms.queries(file, database),
      ...bioactivity.queries(file, database),
      counts: attempt(file, () => count(database))
    })
  })

/**
 * Opens a database for writing; makes it where there is none. From its first transaction on it is in WAL mode.
 *
 * Transactions of one writer wait for each other; another process that writes is waited for up to 5 seconds, then
 * `StoreError` (reason `"busy"`).
 */
export const makeWriter = (
  options: Options
): Effect.Effect<StoreWriter["Service"], StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = options
    const database = yield* openWriter(file)
    const turn = yield* Semaphore.make(1)
    const index = names.writer(database)
    const substanceWrites = substances.writer(database, index)
    const synonymWrites = synonyms.writes(database)
    const bioactivityWrites = bioactivity.writes(database)
    // Whether something has been written that `finish` has not seen.
    let isUnfinished = false
    const write = (step: () => void): Effect.Effect<void, StoreError> =>
      attempt(file, () => {
        isUnfinished = true
        step()
      })
    const transaction: Transaction = {
      putDetails: (entries) => write(() => substanceWrites.putDetails(entries)),
      putSynonyms: (entries) =>
        write(() => {
          synonymWrites.putSynonyms(entries)
          substanceWrites.putSynonyms(entries)
        }),
      putBioactivity: (entries) => write(() => bioactivityWrites.putBioactivity(entries)),
      putAed: (entries) => write(() => bioactivityWrites.putAed(entries)),
      finish: Effect.gen(function* () {
        isUnfinished = false
        yield* attempt(file, () => bioactivityWrites.finishBioactivity())
        yield* attempt(file, () => substanceWrites.finish())
        // In steps: indexing what a large import has put takes a minute, in which an interruption must be heard.
        const steps = index.finish()
        while (!(yield* attempt(file, () => steps.next().done === true))) yield* Effect.yieldNow
      }),
      counts: attempt(file, () => count(database))
    }
    const begin = attempt(file, () => {
      database.exec("BEGIN IMMEDIATE")
      isUnfinished = false
      substanceWrites.begin()
      index.begin()
    }).pipe(Effect.tapError(() => Effect.sync(() => rollback(database))))
    // An index is never behind its records, whether `finish` was called or not.
    const finishing = Effect.suspend(() => (isUnfinished ? transaction.finish : Effect.void))
    return StoreWriter.of({
      transaction: (use) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* begin
            const exit = yield* Effect.exit(restore(Effect.tap(use(transaction), () => finishing)))
            const end = Exit.isSuccess(exit) ? "COMMIT" : "ROLLBACK"
            yield* attempt(file, () => database.exec(end)).pipe(
              Effect.tapError(() => Effect.sync(() => rollback(database)))
            )
            if (Exit.isSuccess(exit)) yield* Effect.ignore(attempt(file, () => keepLog(database)))
            return yield* exit
          })
        ).pipe(turn.withPermit)
    })
  })

/**
 * Makes a database one self-contained file that can be read from a read-only folder: no files beside it, no unused
 * pages. For a database that is finished, e.g. to be shipped.
 */
export const compact = (options: Options): Effect.Effect<void, StoreError> =>
  Effect.scoped(
    Effect.flatMap(openWriter(options.file), (database) =>
      attempt(options.file, () => database.exec("PRAGMA journal_mode = DELETE; VACUUM"))
    )
  )

/** The store of an existing database file, for reading. */
export const layer = (options: ReaderOptions): Layer.Layer<Store, StoreError> =>
  Layer.effect(Store, make(options))

/** The write side of a database file, which is made where there is none. */
export const layerWriter = (options: Options): Layer.Layer<StoreWriter, StoreError> =>
  Layer.effect(StoreWriter, makeWriter(options))

const count = (database: DatabaseSync): Counts => ({
  details: rows(database, "details"),
  synonyms: rows(database, "synonyms"),
  bioactivity: rows(database, "bioactivity"),
  aed: rows(database, "aed")
})

const rows = (database: DatabaseSync, table: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])

const rollback = (database: DatabaseSync): void => {
  if (database.isTransaction) database.exec("ROLLBACK")
}
