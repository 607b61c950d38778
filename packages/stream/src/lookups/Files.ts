// Generated from the rows of @chemstream/api by `npm run generate`. Change the row instead.
/** The lookups of the group `files` (docs/families/files.md). */
import { type FileRecords, Files } from "@chemstream/api"
import type { RawRecord } from "@chemstream/ndjson"
import { rowLookup } from "./internal/rowLookup.ts"
import type { Lookup } from "./Lookup.ts"

/** Looks up the structure images of substances, one a call. */
export const image: () => Lookup<RawRecord.RawRecord<FileRecords.Image>> = rowLookup(Files.image)

/** Looks up the structure images of compounds, one a call. */
export const imageByDtxcid: () => Lookup<RawRecord.RawRecord<FileRecords.Image>> = rowLookup(
  Files.imageByDtxcid
)

/** Looks up the structure images of substance numbers, one a call. */
export const imageByGsid: () => Lookup<RawRecord.RawRecord<FileRecords.Image>> = rowLookup(Files.imageByGsid)

/** Looks up the molfiles of substances, one a call. */
export const mol: () => Lookup<RawRecord.RawRecord<FileRecords.Text>> = rowLookup(Files.mol)

/** Looks up the molfiles of compounds, one a call. */
export const molByDtxcid: () => Lookup<RawRecord.RawRecord<FileRecords.Text>> = rowLookup(Files.molByDtxcid)
