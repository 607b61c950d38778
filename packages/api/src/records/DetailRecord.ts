/**
 * The chemical detail record (docs/service.md, section 5.1): one schema for each projection. `DetailProjection` has the fields of each,
 * and `internal/detailFields.ts` the meaning and unit of every field.
 *
 * The schemas check the types of the fields they name and keep all other fields. Nothing is transformed: a decoded
 * record equals the received one.
 */

import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import { type DetailProjection, fields } from "./DetailProjection.ts"
import type * as Types from "./internal/types/DetailRecord.ts"

export type {
  AllDetails,
  AssayDetails,
  CompactDetails,
  DashboardDetails,
  IdentifierDetails,
  NtaDetails,
  StandardDetails,
  StructureDetails
} from "./internal/types/DetailRecord.ts"

const of = <const P extends DetailProjection>(projection: P): OpenStruct<Types.Details[P]> =>
  openStruct(fields[projection], {
    title: `Chemical detail record, projection ${projection}`,
    section: "5.1",
    // In ccdassaydetails services send one record per assay, so the DTXSID is no key.
    ...(projection === "ccdassaydetails" ? {} : { "x-primary-key": ["dtxsid"] })
  })

/**
 * The schema of the record in each projection.
 *
 * @example
 * ```ts
 * import { DetailRecord } from "@chemstream/api"
 * import { Schema } from "effect"
 *
 * const decode = Schema.decodeUnknownSync(DetailRecord.schemas.compact)
 * decode({ dtxsid: "DTXSID7020182", preferredName: "Bisphenol A", ours: 1 })
 * // => { dtxsid: "DTXSID7020182", preferredName: "Bisphenol A", ours: 1 }
 * ```
 */
export const schemas: {
  readonly [P in DetailProjection]: OpenStruct<Types.Details[P]>
} = {
  chemicaldetailstandard: of("chemicaldetailstandard"),
  chemicalidentifier: of("chemicalidentifier"),
  chemicalstructure: of("chemicalstructure"),
  ntatoolkit: of("ntatoolkit"),
  ccdchemicaldetails: of("ccdchemicaldetails"),
  ccdassaydetails: of("ccdassaydetails"),
  chemicaldetailall: of("chemicaldetailall"),
  compact: of("compact")
}

/**
 * A detail record in the projection `P`. Its type has the fields that the projection has in any dialect. A record
 * keeps all other fields.
 */
export type DetailRecord<P extends DetailProjection = "ccdchemicaldetails"> = Types.Details[P]

/** The schema of a detail record in any projection, as the endpoints declare it. */
export const DetailRecord: OpenStruct<Types.DashboardDetails> = schemas.ccdchemicaldetails
