/**
 * The bundled data set: well-known substances, and a list of identifiers to request.
 *
 * Both files are made when the package is built. The database is read-only: copy it to add records.
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
 * The path of a list of identifiers, one per line: all of the database, with some duplicates, unknown identifiers,
 * and one with a wrong check digit.
 */
export const identifiers: string = fileURLToPath(new URL("./bundled/identifiers.txt", import.meta.url))
