/**
 * Keeps sorted runs of records in temporary files, and merges them. A run is removed after it is merged into another
 * one. The folder is removed when its scope closes. `storedRecords.ts` defines the form of a record in a file.
 */
import type { FileSystem, PlatformError, Scope } from "effect"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { failure, TransformError } from "../transformError.ts"
import type { ReadSortKeys, SortKey } from "./sortOrder.ts"
import { decodeFrames, encodeFrames, type StoredRecord } from "./storedRecords.ts"

/** A record with its keys. `index` is its position in the input. */
export interface Item<A> extends StoredRecord<A> {
  readonly keys: ReadonlyArray<SortKey>
}

/** The runs of one sort. */
export interface Runs<A> {
  readonly count: () => number
  /** Sorts items and writes them as the next run. */
  readonly add: (items: Array<Item<A>>) => Effect.Effect<void, TransformError, Scope.Scope>
  /** Returns all records in order. First merges runs until few enough are left to be read at once. */
  readonly records: (chunkRecords: number) => Effect.Effect<Stream.Stream<A, TransformError>, TransformError>
}

/** What the runs of a sort share. `ways` is the number of runs that are merged at once. */
export interface RunsOptions<A> {
  readonly files: FileSystem.FileSystem
  readonly compare: (a: Item<A>, b: Item<A>) => number
  readonly read: ReadSortKeys<A>
  readonly ways: number
  readonly directory: string | undefined
}

// The number of bytes that are read from a file at once.
const READ_BYTES = 256 * 1024

// The number of records in a chunk between merges.
const MERGE_RECORDS = 1024

/** Makes an empty set of runs. The first run makes the temporary folder. */
export const makeRuns = <A>(options: RunsOptions<A>): Effect.Effect<Runs<A>> =>
  Effect.sync(() => {
    const { files, compare, ways } = options
    let folder: string | undefined
    let runNumber = 0
    let paths: ReadonlyArray<string> = []

    const write = (path: string, chunks: Stream.Stream<Uint8Array, TransformError>) =>
      Stream.run(chunks, files.sink(path, { flag: "wx", mode: 0o600 })).pipe(Effect.mapError(fileError))

    const nextPath = (): string => `${folder}/run-${runNumber++}`

    const add = Effect.fnUntraced(function* (items: Array<Item<A>>) {
      folder ??= yield* files
        .makeTempDirectoryScoped({ prefix: "sort-", directory: options.directory })
        .pipe(Effect.mapError(fileError))
      items.sort(compare)
      const path = nextPath()
      yield* write(
        path,
        Stream.fromIterable(items, { chunkSize: MERGE_RECORDS }).pipe(encodeFrames("sortBy"))
      )
      paths = [...paths, path]
    })

    const merge = (
      group: ReadonlyArray<string>,
      chunkRecords: number
    ): Stream.Stream<Item<A>, TransformError> =>
      Stream.fromPull(
        Effect.gen(function* () {
          const cursors: Array<Cursor<A>> = []
          for (const [order, path] of group.entries()) {
            const pull = yield* Stream.toPull(open(options, path))
            cursors.push({ order, pull, items: [], at: 0 })
          }
          return mergePull(cursors, compare, chunkRecords)
        })
      ).pipe(Stream.scoped)

    // Only neighbouring runs are merged together, so that equal records keep their order.
    const reduceRuns = Effect.fnUntraced(function* () {
      while (paths.length > ways) {
        const nextPaths: Array<string> = []
        for (let i = 0; i < paths.length; i += ways) {
          const group = paths.slice(i, i + ways)
          if (group.length === 1) {
            nextPaths.push(group[0] as string)
            continue
          }
          const path = nextPath()
          yield* write(path, merge(group, MERGE_RECORDS).pipe(encodeFrames("sortBy")))
          for (const run of group) yield* Effect.mapError(files.remove(run), fileError)
          nextPaths.push(path)
        }
        paths = nextPaths
      }
    })

    return {
      count: () => paths.length,
      add,
      records: (chunkRecords) =>
        Effect.map(reduceRuns(), () => merge(paths, chunkRecords).pipe(Stream.map(({ record }) => record)))
    }
  })

/** Reads the items of a run, and their keys again. */
const open = <A>({ files, read }: RunsOptions<A>, path: string): Stream.Stream<Item<A>, TransformError> =>
  files.stream(path, { chunkSize: READ_BYTES }).pipe(
    Stream.mapError(fileError),
    decodeFrames<A>("sortBy"),
    Stream.mapArrayEffect((records) => {
      const items: Array<Item<A>> = []
      for (const { record, text } of records) {
        const keys = read(record, undefined)
        if (keys instanceof TransformError) return Effect.fail(keys)
        items.push({ record, text, keys, index: undefined })
      }
      return Effect.succeed(items as unknown as Arr.NonEmptyReadonlyArray<Item<A>>)
    })
  )

/** A run that is being read, and its next item. */
interface Cursor<A> {
  /** The position of its run. Of equal records, the one of the earlier run comes first. */
  readonly order: number
  readonly pull: Pull.Pull<Arr.NonEmptyReadonlyArray<Item<A>>, TransformError>
  items: ReadonlyArray<Item<A>>
  at: number
}

/** Merges the items of runs: the cursor with the smallest item gives the next one. */
const mergePull = <A>(
  cursors: ReadonlyArray<Cursor<A>>,
  compare: (a: Item<A>, b: Item<A>) => number,
  chunkRecords: number
): Pull.Pull<Arr.NonEmptyReadonlyArray<Item<A>>, TransformError> => {
  // Cursors sorted by their current item. `empty` has the cursors that must be read first.
  const sorted: Array<Cursor<A>> = []
  const empty: Array<Cursor<A>> = [...cursors]

  const insert = (cursor: Cursor<A>): void => {
    const item = cursor.items[cursor.at] as Item<A>
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = sorted[middle] as Cursor<A>
      const order = compare(item, other.items[other.at] as Item<A>)
      if (order < 0 || (order === 0 && cursor.order < other.order)) high = middle
      else low = middle + 1
    }
    sorted.splice(low, 0, cursor)
  }

  const fill = (cursor: Cursor<A>): Effect.Effect<void, TransformError> =>
    Pull.matchEffect(cursor.pull, {
      onSuccess: (items) =>
        Effect.sync(() => {
          cursor.items = items
          cursor.at = 0
          insert(cursor)
        }),
      onFailure: Effect.failCause,
      onDone: () => Effect.void
    })

  return Effect.gen(function* () {
    for (let cursor = empty.pop(); cursor !== undefined; cursor = empty.pop()) yield* fill(cursor)
    const out: Array<Item<A>> = []
    while (out.length < chunkRecords && empty.length === 0) {
      const first = sorted.shift()
      if (first === undefined) break
      out.push(first.items[first.at++] as Item<A>)
      if (first.at < first.items.length) insert(first)
      else empty.push(first)
    }
    return Arr.isArrayNonEmpty(out) ? out : yield* Cause.done()
  })
}

const fileError = (cause: PlatformError.PlatformError | TransformError): TransformError =>
  cause instanceof TransformError
    ? cause
    : failure(
        "sortBy",
        "files",
        `a temporary file cannot be used. ${cause.message}. Check the space and permissions of the temporary folder, choose another folder with directory, or raise maxBytes`,
        { cause }
      )
