/** Makes the identity by which a sink knows its harvest: the name, and a digest of everything that determines the chunks. */
import { createHash } from "node:crypto"
import type * as Sink from "../../Sink.ts"
import * as harvestRow from "./harvestRow.ts"

/** Returns the identity of a harvest that this release can read. */
export const identityOf = (
  row: harvestRow.Row & { readonly definition: harvestRow.Definition }
): Sink.Identity => ({
  harvest: row.name,
  id: row.id,
  source: createHash("sha256")
    .update(row.digest)
    .update(harvestRow.encode(row.definition))
    .digest("hex")
    .slice(0, 32)
})
