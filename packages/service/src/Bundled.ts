/**
 * The data set that comes with the package: real, well-known substances, and a list of identifiers to ask for. Both
 * files are made when the package is built.
 *
 * The database is read-only: to add to it, copy it first.
 */
import { fileURLToPath } from "node:url"

/**
 * The path of the database, for `Service.layer`.
 *
 * @example
 * ```ts
 * import { Bundled, Service } from "@chemstream/service"
 * import { Redacted } from "effect"
 *
 * const layer = Service.layer({ database: Bundled.database, keys: [Redacted.make("a-key")] })
 * ```
 */
export const database: string = fileURLToPath(new URL("./bundled/chemicals.sqlite", import.meta.url))

/**
 * The path of a list of identifiers, one a line: all of the database, with a few duplicates, unknown ones, and one
 * with a wrong check digit.
 */
export const identifiers: string = fileURLToPath(new URL("./bundled/identifiers.txt", import.meta.url))
