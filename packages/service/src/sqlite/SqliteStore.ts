/**
 * The store in a SQLite file, on `node:sqlite`: the only place with SQL, together with the other files of this folder.
 *
 * Look-ups by identifier run on the calling thread: a batch of 1000 records takes a few milliseconds, during which
 * nothing else runs. Searches, and pages of all records, run on threads of their own, and so does writing. A reader sees
 * a transaction when it is finished, never half of it.
 */
import { Duration, Effect, Exit, Layer, type Scope, Semaphore } from "effect"
import { type Hits, Store, type StoreError } from "../Store.ts"
import { StoreWriter, type Transaction } from "../StoreWriter.ts"
import { attempt } from "./internal/database/attempt.ts"
import { openReader, openWriter } from "./internal/database/database.ts"
import { kinds, rankingInchikeys } from "./internal/database/kinds.ts"
import * as readAhead from "./internal/database/readAhead.ts"
import * as rows from "./internal/database/rows.ts"
import { inSnapshot } from "./internal/database/statements.ts"
import * as bioactivity from "./internal/records/bioactivity.ts"
import * as details from "./internal/records/details.ts"
import * as synonyms from "./internal/records/synonyms.ts"
import * as search from "./internal/search/search.ts"
import * as searchPool from "./internal/search/searchPool.ts"
import * as suggestionQueue from "./internal/search/suggestionQueue.ts"
import * as writeQueue from "./internal/writes/writeQueue.ts"
import { count, type Rows } from "./internal/writes/writeSteps.ts"

/** How many substances a search answers at most, unless configured otherwise. */
export const defaultMaxHits = 1000

/** How many identifiers a response to a search by formula, mass or compound has at most, unless configured otherwise. */
export const defaultMaxIdentifiers = 100_000

/** How many threads search, unless configured otherwise. */
export const defaultSearchThreads = 2

const readAheadDelay = Duration.seconds(1)

/** Which database file. */
export interface Options {
  readonly file: string
}

/** Which database file, and how it is searched. */
export interface ReaderOptions extends Options {
  /** How many substances a search answers at most; `Hits.capped` tells that there are more. Default 1000. */
  readonly maxHits?: number | undefined
  /** How many identifiers are answered to a search by formula, mass or compound. Default: 100,000. */
  readonly maxIdentifiers?: number | undefined
  /** How many threads search at most; they are started when they are needed. Default 2. */
  readonly searchThreads?: number | undefined
  /** The rank of a hit by InChIKey, and how long the part of one is at least that a contains search finds. Default: 7, 1. */
  readonly inchikeys?: { readonly rank: number; readonly shortestPart: number } | undefined
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
    const { inchikeys } = options
    const settings = {
      kinds: inchikeys === undefined ? kinds : rankingInchikeys(inchikeys.rank),
      cap,
      shortestInchikeyPart: inchikeys?.shortestPart
    }
    const ask = yield* searchPool.make(
      {
        ...settings,
        file,
        maxIdentifiers: options.maxIdentifiers ?? defaultMaxIdentifiers
      },
      options.searchThreads ?? defaultSearchThreads
    )
    yield* Effect.forkScoped(readThrough(file, ask))
    // A handful of look-ups in an index: quicker than asking a thread.
    const { equal } = search.searches(database, settings)
    return Store.of({
      ...details.queries(file, database),
      detailPage: (page, size, fields) => ask("detailPage", page, size, fields),
      detailsAfter: (after, size, fields) => ask("detailsAfter", after, size, fields),
      searchEqual: (word) => attempt(file, () => equal([word])[0] as Hits),
      searchEqualEach: (words) => ask("equal", words),
      searchStartWith: (word) => ask("startWith", word),
      searchContain: (word) => ask("contain", word),
      suggestions: suggestionQueue.queued(database, (word) => ask("suggestions", word)),
      byExactFormula: (formula) => ask("byExactFormula", formula),
      countByExactFormula: (formula) => ask("countByExactFormula", formula),
      msreadyByDtxcid: (dtxcids) => ask("msreadyByDtxcid", dtxcids),
      msreadyByFormula: (formula) => ask("msreadyByFormula", formula),
      countByMsreadyFormula: (formula) => ask("countByMsreadyFormula", formula),
      msreadyByMass: (ranges) => ask("msreadyByMass", ranges),
      ...synonyms.queries(file, database),
      ...bioactivity.queries(file, database),
      counts: attempt(file, () => inSnapshot(database, () => count(database)))
    })
  })

// What searches read, a step at a time, when the threads have nothing else to do. Where it fails, so do searches, and
// say why.
const readThrough = (file: string, ask: searchPool.Ask): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (!(yield* attempt(file, () => readAhead.isWorthwhile(file)))) return
    // Not while what opens the store is starting.
    yield* Effect.sleep(readAheadDelay)
    let place: readAhead.Place | undefined = readAhead.start
    while (place !== undefined) place = yield* ask("readAhead", place)
  }).pipe(Effect.ignore)

/**
 * Opens a database for writing, on a thread of its own; makes it where there is none. From its first transaction on it
 * is in WAL mode.
 *
 * Transactions of one writer wait for each other; another process that writes is waited for up to 5 seconds, then
 * `StoreError` (reason `"busy"`). Up to 4 MiB of records, and a batch, are under way to the thread.
 */
export const makeWriter = (
  options: Options
): Effect.Effect<StoreWriter["Service"], StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const { file } = options
    // Looked at first: is it a database of ours, and of this version?
    yield* Effect.scoped(openWriter(file))
    const queue = yield* writeQueue.make(file)
    const turn = yield* Semaphore.make(1)
    // Whether something has been written that `finish` has not seen.
    let isUnfinished = false
    const put =
      <P extends keyof Rows, Entry>(step: P, toRow: (entry: Entry) => Rows[P]) =>
      (entries: ReadonlyArray<Entry>): Effect.Effect<void, StoreError> =>
        Effect.flatMap(
          attempt(file, () => {
            isUnfinished = true
            return entries.map((entry) => toRow(entry))
          }),
          (rows) => queue.put(step, rows)
        )
    const transaction: Transaction = {
      putDetails: put("putDetails", rows.toDetailRow),
      putSynonyms: put("putSynonyms", rows.toSynonymRow),
      putBioactivity: put("putBioactivity", rows.toBioactivityRow),
      putAed: put("putAed", rows.toAedRow),
      finish: Effect.gen(function* () {
        isUnfinished = false
        // In pieces: indexing what a large import has put takes a minute, in which an interruption must be heard.
        while (!(yield* queue.ask("finish"))) {}
      }),
      counts: queue.ask("counts")
    }
    // An index is never behind its records, whether `finish` was called or not.
    const finishing = Effect.suspend(() => (isUnfinished ? transaction.finish : Effect.void))
    return StoreWriter.of({
      transaction: (use) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* queue.ask("begin")
            isUnfinished = false
            const exit = yield* use(transaction).pipe(
              Effect.tap(() => finishing),
              Effect.tap(() => queue.written),
              restore,
              Effect.exit
            )
            yield* queue.end(Exit.isSuccess(exit) ? "commit" : "rollback")
            if (Exit.isSuccess(exit)) yield* Effect.ignore(queue.ask("keepLog"))
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
