/**
 * The bundled data set: well-known substances, and a list of identifiers to request.
 *
 * The build of the package makes both files (`bundled/build.ts`). To add records, copy the database first. Made-up records
 * of hazard, exposure and the like are only about the example substances, which do not exist, and say `example data`.
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
 * The path of a list of identifiers, one per line. It has every identifier of the database except those of the example
 * substances, some of them twice. It also has unknown identifiers, and one with a wrong check digit.
 */
export const identifiers: string = fileURLToPath(new URL("./bundled/identifiers.txt", import.meta.url))
