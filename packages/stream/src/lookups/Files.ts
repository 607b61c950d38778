// Generated from packages/api/src/rows by `npm run generate`. Change the row there instead.
/**
 * Makes the lookups of the group `files` (docs/families/files.md): a function for each endpoint.
 * `Lookup.outcomes` runs a lookup.
 */
import { type FileRecords, Files } from "@chemstream/api"
import { lookupOf } from "./internal/endpointLookup.ts"
import type { LookupOfOne } from "./Lookup.ts"

/** Looks up the structure images of substances: one request for each. */
export const image: () => LookupOfOne<FileRecords.Image> = lookupOf(Files.image)

/** Looks up the structure images of compounds: one request for each. */
export const imageByDtxcid: () => LookupOfOne<FileRecords.Image> = lookupOf(Files.imageByDtxcid)

/** Looks up the structure images of substance numbers: one request for each. */
export const imageByGsid: () => LookupOfOne<FileRecords.Image> = lookupOf(Files.imageByGsid)

/** Looks up the molfiles of substances: one request for each. */
export const mol: () => LookupOfOne<FileRecords.Text> = lookupOf(Files.mol)

/** Looks up the molfiles of compounds: one request for each. */
export const molByDtxcid: () => LookupOfOne<FileRecords.Text> = lookupOf(Files.molByDtxcid)
