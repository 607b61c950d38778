/**
 * The chemical detail record (docs/service.md, section 5.1): one schema for each projection.
 *
 * The schemas are strict about the type of the fields they name and keep every field they do not name.
 * Nothing is transformed, so a decoded record is the record as it came.
 */

import type * as Public from "../dialect/internal/publicFields.ts"
import { type DetailProjection, fields } from "./DetailProjection.ts"
import { type OpenStruct, openStruct } from "./internal/openStruct.ts"

type Fields = typeof fields

const of = <const P extends DetailProjection>(projection: P): OpenStruct<Fields[P], Public.Detail[P]> =>
  openStruct(fields[projection], {
    title: `Chemical detail record, projection ${projection}`,
    section: "5.1",
    // Services send a record an assay with the other one.
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
  readonly [P in DetailProjection]: OpenStruct<Fields[P], Public.Detail[P]>
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
 * A detail record in the projection `P`. Its type has the fields that the projection has in any dialect; a record keeps every
 * other field as it came.
 */
export type DetailRecord<P extends DetailProjection = "ccdchemicaldetails"> = (typeof schemas)[P]["Type"]

/** A detail record in any projection: the contract's own answer type. */
export const DetailRecord: (typeof schemas)["ccdchemicaldetails"] = schemas.ccdchemicaldetails
