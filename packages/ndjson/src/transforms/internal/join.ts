/** Joins records with the rows of a side table by key: `join`. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { atLeastOne, knownOptions } from "../../internal/optionChecks.ts"
import { streamOf } from "../../streams/internal/pushParser.ts"
import { Arena } from "./copiedRecords.ts"
import { weigh } from "./recordFields.ts"
import { type Keys, keyName, keyReader } from "./recordKey.ts"
import { runEach, runStep } from "./recordStep.ts"
import { failure, TransformError } from "./transformError.ts"

/** The default of `maxBytes` of `join`: 256 MiB. */
export const MAX_TABLE_BYTES: number = 256 * 1024 * 1024

/** The options of `join`. */
export interface JoinOptions<A, B, C, K extends "inner" | "left", E, R> {
  /** The side table. It is read to its end before the first record, and kept in memory. */
  readonly table: Stream.Stream<B, E, R>
  /** The key of a record. */
  readonly on: Keys<A>
  /** The key of a row, with its parts in the same order. Default: `on`. */
  readonly tableOn?: Keys<B> | undefined
  /** `inner`: only records with a match. `left`: a record without a match comes once, with `undefined`. */
  readonly kind: K
  /** Makes the result of a record and a row. */
  readonly combine: (record: A, row: K extends "left" ? B | undefined : B) => C
  /**
   * The largest memory for the table, in bytes. Each row counts approximately the bytes of its text, and 64 for each
   * field and item. A larger table fails with `too-large`. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined
}

const joinOptions = {
  table: true,
  on: true,
  tableOn: true,
  kind: true,
  combine: true,
  maxBytes: true
} as const

/**
 * Combines each record with each row of the same key. Records keep their order; rows of one key keep the order of the
 * table. Keys are equal as in `uniqueBy`. A record or row without a key has no match. Records and rows may be raw.
 *
 * Fails with `too-large` if the table exceeds `maxBytes`, and with `not-a-key` and `malformed` as `uniqueBy` does. In
 * the error of a row, `transform` is `join table`, and `index` counts rows.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const hits = Stream.make({ id: "a", n: 1 }, { id: "b", n: 2 })
 * const names = Stream.make({ dtxsid: "a", name: "Bisphenol A" })
 * const joined = hits.pipe(
 *   Transform.join({
 *     table: names,
 *     on: "id",
 *     tableOn: "dtxsid",
 *     kind: "left",
 *     combine: (hit, row) => ({ ...hit, name: row?.name ?? null })
 *   })
 * )
 * await Effect.runPromise(Stream.runCollect(joined))
 * // => [{ id: "a", n: 1, name: "Bisphenol A" }, { id: "b", n: 2, name: null }]
 * ```
 */
export const join =
  <A extends object, B extends object, C, const K extends "inner" | "left", E2, R2>(
    options: JoinOptions<NoInfer<A>, B, C, K, E2, R2>
  ): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<C, E | E2 | TransformError, R | R2>) =>
  (self) => {
    knownOptions("join", options, joinOptions, true)
    const { on, kind } = options
    const table = streamOf(options.table, "the table of join")
    const combine = options.combine as (record: A, row: B | undefined) => C
    const maxBytes = atLeastOne("maxBytes", options.maxBytes ?? MAX_TABLE_BYTES)
    const read = keyReader("join", on)
    const readRow = keyReader("join table", options.tableOn ?? (on as unknown as Keys<B>))
    const records = Effect.map(load(table, readRow, maxBytes), (rows) =>
      self.pipe(
        runStep<A, C>(() => (record, index, out) => {
          const scalars = read(record, index)
          if (scalars instanceof TransformError) return scalars
          const name = keyName(scalars)
          const matches = name === undefined ? undefined : rows.get(name)
          if (matches !== undefined) for (const row of matches) out.push(combine(record, row))
          else if (kind === "left") out.push(combine(record, undefined))
          return undefined
        })
      )
    )
    return Stream.unwrap(records)
  }

/** Reads the side table: its rows by key. */
const load = <B, E, R>(
  table: Stream.Stream<B, E, R>,
  read: ReturnType<typeof keyReader<B>>,
  maxBytes: number
): Effect.Effect<ReadonlyMap<string, ReadonlyArray<B>>, E | TransformError, R> =>
  Effect.suspend(() => {
    const rows = new Map<string, Array<B>>()
    const arena = new Arena()
    let index = 0
    let bytes = 0
    const add = (row: B): TransformError | undefined => {
      const scalars = read(row, index)
      if (scalars instanceof TransformError) return scalars
      const name = keyName(scalars)
      if (name !== undefined) {
        bytes += weigh(row).bytes + name.length
        if (bytes > maxBytes) return tooLarge(index, maxBytes)
        const others = rows.get(name)
        if (others === undefined) rows.set(name, [arena.keep(row)])
        else others.push(arena.keep(row))
      }
      index++
      return undefined
    }
    return Effect.as(runEach(table, add), rows)
  })

const tooLarge = (index: number, maxBytes: number): TransformError =>
  failure(
    "join table",
    "too-large",
    `the table exceeds ${maxBytes} bytes at row ${index}. Raise maxBytes, pick the needed fields, or use the smaller input as the table`,
    { index }
  )
