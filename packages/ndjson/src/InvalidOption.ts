/**
 * Defines the error of an option that cannot be used. `@chemstream/batch` has an error with the same tag;
 * this package depends on none of the others.
 */

/**
 * An option is unknown, or its value cannot be used. It is a mistake of the program, so the function that gets the option throws
 * it at once.
 *
 * @example
 * ```ts
 * import { Csv, InvalidOption } from "@chemstream/ndjson"
 *
 * const messageOf = (make: () => unknown): string => {
 *   try {
 *     return String(make())
 *   } catch (error) {
 *     return error instanceof InvalidOption.InvalidOption ? error.message : "another error"
 *   }
 * }
 * messageOf(() => Csv.decode({ maxRowLength: 0 })) // => "maxRowLength must be a number of at least 1, got 0"
 * ```
 */
export class InvalidOption extends RangeError {
  readonly _tag = "InvalidOption"
  override readonly name = "InvalidOption"
  /** The name of the option, e.g. `maxBytes`. */
  readonly option: string
  /** The allowed values, e.g. `must be a number of at least 1`. */
  readonly wanted: string

  constructor(option: string, wanted: string, ...value: readonly [] | readonly [value: unknown]) {
    super(`${option} ${wanted}${value.length === 0 ? "" : `, got ${shown(value[0])}`}`)
    this.option = option
    this.wanted = wanted
  }
}

const shown = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return "a list"
  if (typeof value === "function") return "a function"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}
