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
 * A quick look that never misses: false when the value holds something JSON cannot carry, or may do so. What a
 * `toJSON` method gives is not looked at.
 */
export const plainlyCarried = (value: unknown, depth: number = 0): boolean => {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true
    case "object":
      break
    case "undefined":
      return depth > 0
    default:
      return false
  }
  if (value === null) return true
  if (depth === QUICK_DEPTH) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!plainlyCarried(item, depth + 1)) return false
    return true
  }
  if (hasToJson(value)) return true
  for (const key in value) {
    const type = typeof (value as Record<string, unknown>)[key]
    if (type === "string" || type === "number") continue
    if (!plainlyCarried((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

/** The first thing in a value that JSON cannot carry, in the order it would be written. */
export const uncarried = (value: unknown): Uncarried | undefined => {
  try {
    return find(value, "$", new Set())
  } catch (cause) {
    if (cause instanceof RangeError) return { reason: "too-deep", path: "$" }
    throw cause
  }
}

const find = (value: unknown, path: string, above: Set<object>): Uncarried | undefined => {
  switch (typeof value) {
    case "function":
    case "symbol":
      return { reason: typeof value as "function" | "symbol", path }
    case "bigint":
      return "toJSON" in BigInt.prototype ? undefined : { reason: "bigint", path }
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
      const found = find(value[i], `${path}[${i}]`, above)
      if (found !== undefined) return found
    }
  } else {
    for (const [key, inner] of Object.entries(value)) {
      const step = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
      const found = find(inner, path + step, above)
      if (found !== undefined) return found
    }
  }
  above.delete(value)
  return undefined
}

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === "function"
