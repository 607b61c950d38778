/** Types the fields of a raw record whose value has a known type. */
import type { RawRecord } from "./rawRecordClass.ts"
import type { Kind as ValueKind } from "./valueKind.ts"

/** The kind of a JSON value, which its first byte determines. */
export type Kind = ValueKind

/** The names of the fields of a value of type `A`. Any text, if the type is unknown. */
export type Field<A> = A extends unknown
  ? unknown extends A
    ? string
    : A extends object
      ? keyof A & string
      : never
  : never

/** The type of the value of a record. */
export type Contents<R> = R extends RawRecord<infer A> ? A : never

/** The type of the value of a field `F`: a scalar as itself, an array or object as a `RawRecord`. */
export type Value<A, F = string> = A extends unknown
  ? unknown extends A
    ? string | number | boolean | null | RawRecord | undefined
    : A extends object
      ? F extends keyof A
        ? Viewed<A[F]> | (A extends HasField<F & string> ? never : undefined)
        : undefined
      : undefined
  : never

declare const known: unique symbol

/** Marks a value whose field `F` a filter has read. It exists only for the compiler. */
export interface HasField<F extends string> {
  readonly [known]: { readonly [K in F]: true }
}

type Viewed<V> = unknown extends V ? Value<unknown> : V extends object ? RawRecord<V> : V

/** A top-level field of an object: its key with decoded escapes, and its value as a view over the same bytes. */
export interface Entry {
  readonly key: string
  readonly kind: Kind
  readonly value: RawRecord
}
