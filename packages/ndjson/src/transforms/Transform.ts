/**
 * Transforms of streams of records, each a function on `Stream`: which fields a record has, which records there are, in
 * what order, and what stands beside them. They are called as in jq, Miller or SQL.
 *
 * A record is an object or a `RawRecord`, which stays one: its numbers keep their text and its fields their order. Keys and
 * fields are those at the top of a record; bytes in and out are `Ndjson`'s and `RawArray`'s.
 */

// The fields of a record.
export {
  type Derived,
  derive,
  type Picked,
  pick,
  type Renamed,
  rename
} from "./internal/fields.ts"
// Which records there are.
export { filter, type Narrowed } from "./internal/filter.ts"
// Records together with others, and their order.
export { type JoinOptions, join, MAX_TABLE_BYTES } from "./internal/join.ts"
export type { By, Key, Keys } from "./internal/key.ts"
export type { Field, Value } from "./internal/record.ts"
export type { Criterion, Order } from "./internal/sort/order.ts"
export { MAX_SORT_BYTES, SORT_WAYS, type SortOptions, sortBy } from "./internal/sort/sort.ts"
export { type RawFailure, TransformError, type TransformReason } from "./internal/transformError.ts"
export { MAX_KEY_BYTES, type UniqueOptions, uniqueBy } from "./internal/unique.ts"
export { type Unnested, unnest } from "./internal/unnest.ts"
