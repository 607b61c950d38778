/**
 * Defines the error of an argument that cannot be used. `@chemstream/batch` and `@chemstream/ndjson` have errors with the same tag;
 * this package depends on none of the others.
 */

/**
 * An argument has another type than the function takes, or a name is unknown. It is a mistake of the program, so the function throws
 * it at once. A text that is no identifier is an `InvalidIdentifier` instead.
 *
 * @example
 * ```ts
 * import { IdentifierKind, InvalidOption } from "@chemstream/api"
 *
 * const messageOf = (make: () => unknown): string => {
 *   try {
 *     return String(make())
 *   } catch (error) {
 *     return error instanceof InvalidOption.InvalidOption ? error.message : "another error"
 *   }
 * }
 * messageOf(() => IdentifierKind.withArticle("cas" as IdentifierKind.Name))
 * // => 'The argument kind is "cas". Give one of dtxsid, dtxcid, casrn, inchikey, skeleton, inchi, smiles, formula, name.'
 * ```
 */
export class InvalidOption extends RangeError {
  readonly _tag = "InvalidOption"
  override readonly name = "InvalidOption"
  /** The name of the argument, e.g. `kind`. */
  readonly option: string
  /** The accepted values, e.g. `a text`. */
  readonly wanted: string

  constructor(option: string, wanted: string, value: unknown) {
    super(`The argument ${option} ${stateOf(value)}. Give ${wanted}.`)
    this.option = option
    this.wanted = wanted
  }
}

const stateOf = (value: unknown): string => {
  if (value === undefined) return "is missing"
  if (typeof value === "string") return `is ${JSON.stringify(value.slice(0, 60))}`
  if (Array.isArray(value)) return "is a list"
  if (typeof value === "function") return "is a function"
  return `is ${typeof value === "object" && value !== null ? "an object" : String(value)}`
}
