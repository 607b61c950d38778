/**
 * Finds the first part of a value that JSON cannot encode: a function, a symbol, a BigInt, a cycle, or `undefined` at the top.
 */

/** Why a value cannot be written. */
export interface Unencodable {
  readonly reason: "undefined" | "function" | "symbol" | "bigint" | "cycle" | "too-deep" | "to-json"
  /** The place in the value, for example `$.links[2].next`. */
  readonly path: string
}

/** The deepest nesting that `isEncodable` follows. `findUnencodable` checks deeper values. */
const QUICK_DEPTH = 64

/**
 * Checks quickly whether JSON can encode a value. False: it cannot, or `findUnencodable` must decide. `toJSON` methods
 * are not called.
 */
export const isEncodable = (value: unknown, depth: number = 0): boolean => {
  if (typeof value !== "object" || value === null)
    return isScalar(value) || (value === undefined && depth > 0)
  if (depth === QUICK_DEPTH) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isScalar(item) && !isEncodable(item, depth + 1)) return false
    return true
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (!isScalar(inner) && !isEncodable(inner, depth + 1)) return false
  }
  return true
}

// The most frequent types first: faster than a switch on `typeof`.
const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || value === null || typeof value === "boolean"

/** Returns the first part that JSON cannot encode, in writing order. `bigints`: BigInts are encoded. */
export const findUnencodable = (value: unknown, bigints: boolean): Unencodable | undefined => {
  try {
    return find(value, "$", new Set(), bigints)
  } catch (cause) {
    if (cause instanceof RangeError) return { reason: "too-deep", path: "$" }
    throw cause
  }
}

const find = (
  value: unknown,
  path: string,
  above: Set<object>,
  bigints: boolean
): Unencodable | undefined => {
  switch (typeof value) {
    case "function":
    case "symbol":
      return { reason: typeof value as "function" | "symbol", path }
    case "bigint":
      return bigints || "toJSON" in BigInt.prototype ? undefined : { reason: "bigint", path }
    case "undefined":
      // `JSON.stringify` omits it in an object and writes null in an array.
      return path === "$" ? { reason: "undefined", path } : undefined
    case "object":
      break
    default:
      return undefined
  }
  if (value === null || hasToJson(value)) return undefined
  if (above.has(value)) return { reason: "cycle", path }
  above.add(value)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = find(value[i], `${path}[${i}]`, above, bigints)
      if (found !== undefined) return found
    }
  } else {
    for (const [key, inner] of Object.entries(value)) {
      const step = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
      const found = find(inner, path + step, above, bigints)
      if (found !== undefined) return found
    }
  }
  above.delete(value)
  return undefined
}

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === "function"
