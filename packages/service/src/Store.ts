/**
 * Where the records that the service answers are read from: an interface without SQL, which the handlers use.
 *
 * A record is the text of one JSON object, as it was imported; what a projection leaves of it is `DetailsHandlers`'
 * business. Filling a store is `StoreWriter`'s, and `SqliteStore` implements both.
 */
import { Context, Data, type Effect, type Option } from "effect"

/**
 * A store that cannot do what is asked of it.
 *
 * - `database`: which one, e.g. its file.
 * - `reason`: `"absent"` when there is no such database; `"not-a-database"` when the file is something else;
 *   `"newer"` and `"older"` when its layout is not this version's; `"busy"` when another process holds it;
 *   `"failed"` for the rest, e.g. a full disk.
 * - `message`: the same for people, and what to do now.
 */
export class StoreError extends Data.TaggedError("StoreError")<{
  readonly database: string
  readonly reason: "absent" | "not-a-database" | "newer" | "older" | "busy" | "failed"
  readonly message: string
  readonly cause?: unknown
}> {}

/** A stored record: the UTF-8 bytes of one JSON object. Not to be written to. */
export type StoredRecord = Uint8Array

/** How many records of each kind a store holds. */
export interface Counts {
  readonly details: number
}

/**
 * The records of the service.
 *
 * - `detail`: the detail record of a substance, if there is one.
 * - `details`: the detail records of those substances that have one, in any order, each once even where an
 *   identifier is asked for twice.
 * - `counts`: how many records there are.
 *
 * @example
 * ```ts
 * import { Bundled, SqliteStore, Store } from "@chemstream/service"
 * import { Effect } from "effect"
 *
 * const count = Store.Store.use((store) => store.counts).pipe(
 *   Effect.provide(SqliteStore.layer({ file: Bundled.database }))
 * )
 * await Effect.runPromise(count) // => { details: 340 }
 * ```
 */
export class Store extends Context.Service<
  Store,
  {
    readonly detail: (dtxsid: string) => Effect.Effect<Option.Option<StoredRecord>, StoreError>
    readonly details: (
      dtxsids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredRecord>, StoreError>
    readonly counts: Effect.Effect<Counts, StoreError>
  }
>()("@chemstream/service/Store") {}
