/**
 * InChIKeys: 27 characters in three groups, e.g. `IISBACLAFKSPIT-UHFFFAOYSA-N` (InChI Trust, technical manual).
 *
 * Only the form is checked: an InChIKey has no check digit. `Repair` recognises damaged ones (`resembles`) and repairs them.
 */
import { Result, Schema } from "effect"
import { type InvalidIdentifier, malformed, trimmed } from "./InvalidIdentifier.ts"

const form = /^[A-Z]{14}-[A-Z]{8}[SN][A-Z]-[A-Z]$/

const schema = Schema.String.check(
  Schema.isPattern(form, { expected: "an InChIKey, e.g. IISBACLAFKSPIT-UHFFFAOYSA-N" })
).pipe(Schema.brand("InchiKey"))

/** An InChIKey. */
export type InchiKey = typeof schema.Type

/** The schema of an InChIKey. */
export const InchiKey: typeof schema = schema

/**
 * Reads an InChIKey. Surrounding white space, lower case and a leading `InChIKey=` are accepted.
 *
 * @example
 * ```ts
 * import { InchiKey } from "@chemstream/api"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(InchiKey.parse("InChIKey=IISBACLAFKSPIT-UHFFFAOYSA-N")) // => "IISBACLAFKSPIT-UHFFFAOYSA-N"
 * ```
 */
export const parse = (text: string): Result.Result<InchiKey, InvalidIdentifier> => {
  const value = trimmed(text)
    .replace(/^inchikey=/i, "")
    .toUpperCase()
  if (form.test(value)) return Result.succeed(schema.make(value))
  return malformed("InChIKey", "an InChIKey", text, "it must have 14, 10 and 1 letters, joined by hyphens")
}
