/**
 * Finds what JSON cannot carry in a value, and where: functions, symbols, BigInts, `undefined` at the top, cycles.
 */

/** Why a value cannot be written. */
export interface Uncarried {
  readonly reason: "undefined" | "function" | "symbol" | "bigint" | "cycle" | "too-deep" | "to-json"
  /** From the value written, for example `$.links[2].next`. */
  readonly path: string
}

/** Nesting that the quick look follows. What is deeper is looked at with the path in hand. */
const QUICK_DEPTH = 64

/**
 * A quick look that never misses: false when the value holds something JSON cannot carry, or may do so. An
 * object with a `toJSON` method is looked at as any other, and what the method gives is not.
 */
export const plainlyCarried = (value: unknown, depth: number = 0): boolean => {
  if (typeof value !== "object" || value === null) return isPlain(value) || (value === undefined && depth > 0)
  if (depth === QUICK_DEPTH) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlain(item) && !plainlyCarried(item, depth + 1)) return false
    return true
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (!isPlain(inner) && !plainlyCarried(inner, depth + 1)) return false
  }
  return true
}

// Tests one by one, most frequent first: half the cost of a switch on `typeof`.
const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || value === null || typeof value === "boolean"

/** The first thing in a value that JSON cannot carry, in the order it would be written; BigInts are carried when asked. */
export const uncarried = (value: unknown, bigints: boolean): Uncarried | undefined => {
  try {
    return find(value, "$", new Set(), bigints)
  } catch (cause) {
    if (cause instanceof RangeError) return { reason: "too-deep", path: "$" }
    throw cause
  }
}

const find = (value: unknown, path: string, above: Set<object>, bigints: boolean): Uncarried | undefined => {
  switch (typeof value) {
    case "function":
    case "symbol":
      return { reason: typeof value as "function" | "symbol", path }
    case "bigint":
      return bigints || "toJSON" in BigInt.prototype ? undefined : { reason: "bigint", path }
    case "undefined":
      // Inside an object it is left out, inside an array it is null, as `JSON.stringify` has it.
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
