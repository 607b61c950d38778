/** The identity of a sink: a harvest, and a digest of everything that determines its chunks. */
import { createHash } from "node:crypto"
import type * as Sink from "../../Sink.ts"
import * as definition from "./definition.ts"

/** Returns the identity of a harvest that this release can read. */
export const identityOf = (
  row: definition.Row & { readonly definition: definition.Definition }
): Sink.Identity => ({
  harvest: row.name,
  id: row.id,
  source: createHash("sha256")
    .update(row.digest)
    .update(definition.encode(row.definition))
    .digest("hex")
    .slice(0, 32)
})
