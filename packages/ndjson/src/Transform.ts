/**
 * Transforms of streams of records, each a function on `Stream`: which fields a record has, which records there are, in
 * what order, and what is in them.
 *
 * A record is an object, as `records` takes it from decoded values, or a `RawRecord`, which stays one: its numbers keep
 * their text and its fields their order. What builds new values (`derive`, `flatten`, `unflatten`, `explode`) takes
 * objects only. Keys and fields are those at the top of a record; bytes in and out are `Ndjson`'s and `RawArray`'s.
 */

export { type DedupeOptions, dedupeBy, MAX_KEY_BYTES } from "./internal/transform/dedupe.ts"
export { type Malformed, TransformError, type TransformReason } from "./internal/transform/error.ts"
export { type Exploded, type ExplodeOptions, explode } from "./internal/transform/explode.ts"

// The fields of a record.
export {
  type Derived,
  derive,
  type Omitted,
  omit,
  type Picked,
  pick,
  type Renamed,
  rename
} from "./internal/transform/fields.ts"
export {
  FLATTEN_DEPTH,
  type Flattened,
  type FlattenOptions,
  flatten,
  type Unflattened,
  unflatten
} from "./internal/transform/flatten.ts"
export { type GroupOptions, groupConsecutive, MAX_GROUP_BYTES } from "./internal/transform/group.ts"
// Records together with others, and their order.
export { type JoinOptions, joinBy, MAX_TABLE_BYTES } from "./internal/transform/join.ts"
export type { By, Key, Keys } from "./internal/transform/key.ts"
export type { Criterion, Order } from "./internal/transform/order.ts"
export type { Field, Plain, Value } from "./internal/transform/record.ts"
export { type SampleOptions, sample } from "./internal/transform/sample.ts"
// Which records there are.
export { filter, head, records, skip } from "./internal/transform/select.ts"
export { MAX_SORT_BYTES, SORT_WAYS, type SortOptions, sortBy } from "./internal/transform/sort.ts"

// What is in them.
export {
  type FieldStats,
  MAX_FIELDS,
  type Range,
  type Stats,
  type StatsOptions,
  stats
} from "./internal/transform/stats.ts"
