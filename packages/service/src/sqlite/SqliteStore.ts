/**
 * The store in a SQLite file, on `node:sqlite`. All SQL is in this folder.
 *
 * Lookups by identifier run on the calling thread: a batch of 1000 records blocks it for a few milliseconds.
 * Searches, pages of all records and writes run on other threads. Readers see only complete transactions.
 */
import { existsSync, rmSync } from "node:fs"
import { Options as Declared } from "@chemstream/batch"
import { Duration, Effect, Exit, Layer, type Scope, Semaphore } from "effect"
import * as searchLimits from "../internal/searchLimits.ts"
import { type Hits, Store, type StoreError } from "../Store.ts"
import { StoreWriter, type Transaction } from "../StoreWriter.ts"
import { attempt } from "./internal/database/databaseErrors.ts"
import { identityOf } from "./internal/database/fileIdentity.ts"
import * as followedStore from "./internal/database/followedStore.ts"
import { openReader, openWriter } from "./internal/database/openDatabase.ts"
import * as readAhead from "./internal/database/readAhead.ts"
import * as rows from "./internal/database/recordRows.ts"
import { inSnapshot } from "./internal/database/sqlReads.ts"
import * as bioactivity from "./internal/records/bioactivityQueries.ts"
import * as details from "./internal/records/detailQueries.ts"
import * as records from "./internal/records/recordQueries.ts"
import { kinds, withInchikeyRank } from "./internal/search/nameKinds.ts"
import * as search from "./internal/search/nameSearch.ts"
import * as searchPool from "./internal/search/searchPool.ts"
import * as suggestionQueue from "./internal/search/suggestionQueue.ts"
import * as writeQueue from "./internal/writes/writeQueue.ts"
import { count, type Rows } from "./internal/writes/writeSteps.ts"

/** The defaults of the options of searches. */
export const defaults: typeof searchLimits.contract = searchLimits.contract

const readAheadDelay = Duration.seconds(1)

/** The database file. */
export interface Options {
  readonly file: string
}

/** The database file and the options of searches. */
export interface ReaderOptions extends Options {
  /** The largest number of substances in a search result. Default: 1000. */
  readonly maxHits?: number | undefined
  /** The largest number of identifiers in a result by formula, mass or compound. Default: 100,000. */
  readonly maxIdentifiers?: number | undefined
  /** The largest number of search threads. They start when needed. Default: 2. */
  readonly searchThreads?: number | undefined
  /**
   * The rank of a hit by InChIKey, and the shortest word that a contains search looks for in InChIKeys. Default: rank
   * 7, any word.
   */
  readonly inchikeys?: { readonly rank: number; readonly shortestPart: number } | undefined
}

const fileSet = /* @__PURE__ */ Declared.set<Options>()({ file: Declared.required(Declared.text) })

/** The declaration of the options of a reader. */
export const optionSet = /* @__PURE__ */ Declared.set<ReaderOptions>()({
  ...fileSet.fields,
  maxHits: Declared.count,
  maxIdentifiers: Declared.count,
  searchThreads: Declared.count,
  inchikeys: Declared.set<{ readonly rank: number; readonly shortestPart: number }>()({
    rank: Declared.required(Declared.amount),
    shortestPart: Declared.required(Declared.amount)
  })
})

/**
 * Opens an existing database for reading, and follows its file: if another file gets its name, everything is opened again
 * within two seconds, and requests in progress finish with the old file. Publish a new database by renaming it.
 *
 * Fails with `StoreError` if the file does not exist, is no database of this project, or has another version.
 */
export const make = (options: ReaderOptions): Effect.Effect<Store["Service"], StoreError, Scope.Scope> =>
  Effect.suspend(() =>
    followedStore.make(Declared.argument("options", optionSet, options).file, open(options))
  )

const open = (options: ReaderOptions): Effect.Effect<Store["Service"], StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = options
    const maxHits = options.maxHits ?? defaults.maxHits
    const database = yield* openReader(file)
    const { inchikeys } = options
    const settings = {
      kinds: inchikeys === undefined ? kinds : withInchikeyRank(inchikeys.rank),
      maxHits,
      shortestInchikeyPart: inchikeys?.shortestPart
    }
    const runJob = yield* searchPool.make(
      {
        ...settings,
        file,
        identity: identityOf(file),
        maxIdentifiers: options.maxIdentifiers ?? defaults.maxIdentifiers
      },
      options.searchThreads ?? defaults.searchThreads
    )
    yield* Effect.forkScoped(readAheadWhenIdle(file, runJob))
    // Runs here: a few lookups in an index are faster than a message to a thread.
    const { equal } = search.searches(database, settings)
    return Store.of({
      ...details.queries(file, database),
      detailPage: (page, size, fields) => runJob("detailPage", page, size, fields),
      detailsAfter: (after, size, fields) => runJob("detailsAfter", after, size, fields),
      searchEqual: (word) => attempt(file, () => equal([word])[0] as Hits),
      searchEqualEach: (words) => runJob("equal", words),
      searchStartWith: (word) => runJob("startWith", word),
      searchContain: (word) => runJob("contain", word),
      suggestions: suggestionQueue.withQueue(database, (word) => runJob("suggestions", word)),
      byExactFormula: (formula) => runJob("byExactFormula", formula),
      countByExactFormula: (formula) => runJob("countByExactFormula", formula),
      msreadyByDtxcid: (dtxcids) => runJob("msreadyByDtxcid", dtxcids),
      msreadyByFormula: (formula) => runJob("msreadyByFormula", formula),
      countByMsreadyFormula: (formula) => runJob("countByMsreadyFormula", formula),
      msreadyByMass: (ranges) => runJob("msreadyByMass", ranges),
      ...records.queries(file, database),
      ...bioactivity.queries(file, database),
      counts: attempt(file, () => inSnapshot(database, () => count(database)))
    })
  })

// Reads ahead step by step while the search threads are idle. Ignores errors, because searches report them too.
const readAheadWhenIdle = (file: string, runJob: searchPool.RunJob): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (!(yield* attempt(file, () => readAhead.isWorthwhile(file)))) return
    // Waits, so that reading does not slow the startup down.
    yield* Effect.sleep(readAheadDelay)
    let position: readAhead.Position | undefined = readAhead.start
    while (position !== undefined) position = yield* runJob("readAhead", position)
  }).pipe(Effect.ignore)

/**
 * Opens a database for writing on another thread. A missing database is created, and removed again if no transaction
 * writes records into it.
 *
 * The first transaction switches the database to WAL mode. Transactions of one writer run one after the other. A
 * transaction waits up to 5 seconds for the lock of another process, then fails with `StoreError` (reason `"busy"`).
 * At most 4 MiB of records plus one batch are in flight to the thread.
 */
export const makeWriter = (
  options: Options
): Effect.Effect<StoreWriter["Service"], StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = Declared.argument("options", fileSet, options)
    const isNew = !existsSync(file)
    yield* Effect.addFinalizer(() => (isNew ? removeEmpty(file) : Effect.void))
    // Checks first that the database is of this project and version.
    yield* Effect.scoped(openWriter(file))
    const queue = yield* writeQueue.make(file)
    const transactionLock = yield* Semaphore.make(1)
    // Whether records were put since the last `finish`.
    let isUnfinished = false
    const put =
      <P extends keyof Rows, Entry>(step: P, toRow: (entry: Entry) => Rows[P]) =>
      (entries: ReadonlyArray<Entry>): Effect.Effect<void, StoreError> =>
        Effect.flatMap(
          attempt(file, () => {
            isUnfinished = true
            return entries.map((entry) => toRow(entry))
          }),
          (batch) => queue.put(step, batch)
        )
    const transaction: Transaction = {
      putDetails: put("putDetails", rows.toDetailRow),
      putSynonyms: put("putSynonyms", rows.toSynonymRow),
      putBioactivity: put("putBioactivity", rows.toBioactivityRow),
      putRecords: put("putRecords", rows.toRecordRow),
      finish: Effect.gen(function* () {
        isUnfinished = false
        // In pieces: indexing a large import takes a minute and must be interruptible.
        while (!(yield* queue.request("finish"))) {}
      }),
      counts: queue.request("counts"),
      recordCount: (endpoint) => Effect.map(queue.request("recordCounts"), (counts) => counts[endpoint] ?? 0)
    }
    // Updates indexes even if the caller forgets `finish`.
    const finishIfNeeded = Effect.suspend(() => (isUnfinished ? transaction.finish : Effect.void))
    return StoreWriter.of({
      transaction: (use) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* queue.request("begin")
            isUnfinished = false
            const exit = yield* use(transaction).pipe(
              Effect.tap(() => finishIfNeeded),
              Effect.tap(() => queue.allWritten),
              restore,
              Effect.exit
            )
            yield* queue.end(Exit.isSuccess(exit) ? "commit" : "rollback")
            if (Exit.isSuccess(exit)) yield* Effect.ignore(queue.request("enableWal"))
            return yield* exit
          })
        ).pipe(transactionLock.withPermit)
    })
  })

// Deletes a new database without records. Another process may have added some meanwhile.
const removeEmpty = (file: string): Effect.Effect<void> =>
  openReader(file).pipe(
    Effect.flatMap((database) =>
      attempt(file, () => inSnapshot(database, () => records.total(database, count(database))))
    ),
    Effect.map((total) => total > 0),
    Effect.catch(({ reason }) => Effect.succeed(reason !== "empty")),
    Effect.scoped,
    Effect.flatMap((isUsed) => (isUsed ? Effect.void : Effect.sync(() => removeDatabase(file))))
  )

const removeDatabase = (file: string): void => {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${end}`, { force: true })
}

/**
 * Turns a finished database into one self-contained file that also works in a read-only folder, and removes unused
 * pages.
 */
export const compact = (options: Options): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    const { file } = Declared.argument("options", fileSet, options)
    const database = yield* openWriter(file)
    yield* attempt(file, () => database.exec("PRAGMA journal_mode = DELETE; VACUUM"))
  }).pipe(Effect.scoped)

/** The store of an existing database file, for reading. */
export const layer = (options: ReaderOptions): Layer.Layer<Store, StoreError> =>
  Layer.effect(Store, make(options))

/** The writer of a database file. A missing database is created. */
export const layerWriter = (options: Options): Layer.Layer<StoreWriter, StoreError> =>
  Layer.effect(StoreWriter, makeWriter(options))
