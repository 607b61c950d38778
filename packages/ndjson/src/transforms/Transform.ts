/**
 * Transforms streams of records: fields, filters, duplicates, joins and order. Each transform is a function on
 * `Stream`, named as in jq, Miller or SQL.
 *
 * A record is an object or a `RawRecord`. A raw record stays raw: numbers keep their text, and fields their order.
 * Keys and fields are top-level ones. `Ndjson` and `RawArray` read and write bytes.
 */

export {
  type Derived,
  derive,
  type Picked,
  pick,
  type Renamed,
  rename
} from "./internal/fieldTransforms.ts"
export { filter, type Narrowed } from "./internal/filter.ts"
export { type Flat, flat } from "./internal/flat.ts"
export { type JoinOptions, join, MAX_TABLE_BYTES } from "./internal/join.ts"
export type { Field, Value } from "./internal/recordFields.ts"
export type { By, Key, Keys } from "./internal/recordKey.ts"
export { MAX_SORT_BYTES, SORT_WAYS, type SortOptions, sortBy } from "./internal/sort/sortBy.ts"
export type { Criterion, Order } from "./internal/sort/sortOrder.ts"
export { MAX_TOP_BYTES, type TopOptions, topBy } from "./internal/topBy.ts"
export { type RawFailure, TransformError, type TransformReason } from "./internal/transformError.ts"
export { MAX_KEY_BYTES, type UniqueOptions, uniqueBy } from "./internal/uniqueBy.ts"
export { type Unnested, unnest } from "./internal/unnest.ts"
export { type Condition, OPERATORS, where } from "./internal/where.ts"
export { MAX_WIDE_BYTES, MAX_WIDE_COLUMNS, type Wide, type WideOptions, wide } from "./internal/wide.ts"
