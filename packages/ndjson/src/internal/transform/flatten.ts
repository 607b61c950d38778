/**
 * Nested objects as dotted columns, and back: `flatten` and `unflatten`.
 *
 * Only objects are nested: an array is one value, with what is in it. Neither function follows itself, so the depth of
 * somebody's record cannot exhaust the stack.
 */
import type { Stream } from "effect"
import { each, map } from "./each.ts"
import type { TransformError } from "./error.ts"
import { taken } from "./fields.ts"
import { isPlain, own, type Plain, put, type Simple } from "./record.ts"

/** How deep `flatten` looks: an object nested more deeply stays one value. */
export const FLATTEN_DEPTH: number = 64

/** How objects are flattened. */
export interface FlattenOptions<S extends string = string> {
  /** One character between the names of a path, default `.`. */
  readonly separator?: S | undefined
}

type Nested<V> = V extends Plain
  ? V extends ReadonlyArray<unknown>
    ? never
    : V extends Leaf
      ? never
      : V
  : never
type Leaf = Date | RegExp | Uint8Array | ((...args: never) => unknown)
interface Column {
  readonly name: string
  readonly value: unknown
}
type Replaced<
  K extends string,
  From extends string,
  To extends string
> = K extends `${infer H}${From}${infer T}` ? `${H}${To}${Replaced<T, From, To>}` : K
type Escaped<K extends string, S extends string> = Replaced<Replaced<K, "\\", "\\\\">, S, `\\${S}`>
type Columns<A, S extends string, P extends string, Always> = {
  [K in keyof A & string]-?: [Nested<A[K]>] extends [never]
    ? {
        name: `${P}${Escaped<K, S>}`
        value: Exclude<A[K], undefined>
        always: Record<never, never> extends Pick<A, K> ? false : Always
      }
    :
        | Columns<Nested<A[K]>, S, `${P}${Escaped<K, S>}${S}`, [A[K]] extends [Nested<A[K]>] ? Always : false>
        | ([Exclude<A[K], Nested<A[K]> | undefined>] extends [never]
            ? never
            : { name: `${P}${Escaped<K, S>}`; value: Exclude<A[K], Nested<A[K]> | undefined>; always: false })
}[keyof A & string]
type Table<C> = Simple<
  { [E in Extract<C, Column & { always: true }> as E["name"]]: E["value"] } & {
    [E in Extract<C, Column & { always: false }> as E["name"]]?: E["value"]
  }
>

/** The columns of a record: `{ a: { b: number } }` has `{ "a.b": number }`. */
export type Flattened<A, S extends string = "."> = string extends keyof A
  ? Record<string, unknown>
  : Table<Columns<A, S, "", true>>

type Head<K, S extends string> = K extends `${infer H}${S}${string}` ? H : K
type Below<A, H extends string, S extends string> = {
  [K in keyof A as K extends `${H}${S}${infer Rest}` ? Rest : never]: A[K]
}

/** The record of some columns: `{ "a.b": number }` is `{ a: { b: number } }`. */
export type Unflattened<A, S extends string = "."> = string extends keyof A
  ? Record<string, unknown>
  : Extract<keyof A, `${string}\\${string}`> extends never
    ? {
        [H in Head<keyof A & string, S> & string]: H extends keyof A ? A[H] : Unflattened<Below<A, H, S>, S>
      }
    : Record<string, unknown>

/**
 * Records whose nested objects are columns of their own, named by the path with a separator between.
 *
 * - An array, an empty object, an object that is not plain (a `Date`), and an object nested more than 64 deep are each one
 *   value, kept as it is.
 * - A separator inside a key is written `\.`, and a backslash `\\`, so that no two paths have one name.
 *
 * `unflatten` with the same separator gives back the record, whatever it is.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const flat = Stream.make({ id: 1, mass: { mono: 228.1, average: null }, tags: ["a"] }).pipe(Transform.flatten())
 * await Effect.runPromise(Stream.runCollect(flat))
 * // => [{ id: 1, "mass.mono": 228.1, "mass.average": null, tags: ["a"] }]
 * ```
 */
export const flatten = <A extends Plain, const S extends string = ".">(
  options?: FlattenOptions<S>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Flattened<A, S>, E, R>) => {
  const separator = oneCharacter(options?.separator)
  return map((record: A) => columns(record, separator) as Flattened<A, S>)
}

/**
 * Records whose dotted columns are nested objects again; values are not looked into.
 *
 * Fails with `field-taken` where one path is both a value and a parent of another, as in `{ a: 1, "a.b": 2 }`.
 *
 * @example
 * ```ts
 * import { Effect, Stream } from "effect"
 * import { Transform } from "@chemstream/ndjson"
 *
 * const nested = Stream.make({ id: 1, "mass.mono": 228.1 }).pipe(Transform.unflatten())
 * await Effect.runPromise(Stream.runCollect(nested)) // => [{ id: 1, mass: { mono: 228.1 } }]
 * ```
 */
export const unflatten = <A extends Plain, const S extends string = ".">(
  options?: FlattenOptions<S>
): (<E, R>(self: Stream.Stream<A, E, R>) => Stream.Stream<Unflattened<A, S>, E | TransformError, R>) => {
  const separator = oneCharacter(options?.separator)
  return each<A, Unflattened<A, S>>(() => (record, index, out) => {
    const nested = nest(record, separator)
    if (typeof nested === "string") return taken("unflatten", index, nested)
    out.push(nested as Unflattened<A, S>)
    return undefined
  })
}

const oneCharacter = (separator: string = "."): string => {
  if (separator.length !== 1 || separator === "\\") {
    throw new RangeError(`separator must be one character other than a backslash, got "${separator}"`)
  }
  return separator
}

interface Level {
  readonly record: object
  readonly keys: ReadonlyArray<string>
  readonly path: string
  at: number
}

const columns = (record: object, separator: string): Record<string, unknown> => {
  const out: Record<string, unknown> = {}
  const levels: Array<Level> = [{ record, keys: Object.keys(record), path: "", at: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const key = level.keys[level.at++]
    if (key === undefined) {
      levels.pop()
      continue
    }
    const value = own(level.record, key)
    const path = level.path + escaped(key, separator)
    const keys = levels.length <= FLATTEN_DEPTH && isPlain(value) ? Object.keys(value) : []
    if (keys.length === 0) put(out, path, value)
    else levels.push({ record: value as object, keys, path: path + separator, at: 0 })
  }
  return out
}

const nest = (record: object, separator: string): Record<string, unknown> | string => {
  const out: Record<string, unknown> = {}
  // Objects made here: one that came as a value is not a parent.
  const made = new Set<object>([out])
  for (const name of Object.keys(record)) {
    const path = name.includes(separator) || name.includes("\\") ? split(name, separator) : [name]
    let parent = out
    for (let i = 0; i < path.length - 1; i++) {
      const step = path[i] as string
      if (!Object.hasOwn(parent, step)) {
        const child = {}
        made.add(child)
        put(parent, step, child)
      }
      const child = own(parent, step)
      if (typeof child !== "object" || child === null || !made.has(child)) return name
      parent = child as Record<string, unknown>
    }
    const last = path[path.length - 1] as string
    if (Object.hasOwn(parent, last)) return name
    put(parent, last, own(record, name))
  }
  return out
}

const escaped = (key: string, separator: string): string =>
  key.includes(separator) || key.includes("\\")
    ? key.replaceAll("\\", "\\\\").replaceAll(separator, `\\${separator}`)
    : key

const split = (name: string, separator: string): ReadonlyArray<string> => {
  const path: Array<string> = []
  let step = ""
  for (let i = 0; i < name.length; i++) {
    const next = name[i + 1]
    if (name[i] === "\\" && (next === "\\" || next === separator)) {
      step += next
      i++
    } else if (name[i] === separator) {
      path.push(step)
      step = ""
    } else step += name[i]
  }
  path.push(step)
  return path
}
