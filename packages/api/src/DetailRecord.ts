/**
 * The chemical detail record (docs/service.md, section 5.1): one schema for each projection.
 *
 * The schemas are strict about the type of the fields they name and keep every field they do not name.
 * Nothing is transformed, so a decoded record is the record as it came.
 */
import { type DetailProjection, fields } from "./DetailProjection.ts"
import { type KeepingUnknown, keepingUnknown } from "./internal/keepingUnknown.ts"

type Fields = typeof fields

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
  readonly [P in DetailProjection]: KeepingUnknown<Fields[P]>
} = {
  chemicaldetailstandard: keepingUnknown(fields.chemicaldetailstandard),
  chemicalidentifier: keepingUnknown(fields.chemicalidentifier),
  chemicalstructure: keepingUnknown(fields.chemicalstructure),
  ntatoolkit: keepingUnknown(fields.ntatoolkit),
  ccdchemicaldetails: keepingUnknown(fields.ccdchemicaldetails),
  ccdassaydetails: keepingUnknown(fields.ccdassaydetails),
  chemicaldetailall: keepingUnknown(fields.chemicaldetailall),
  compact: keepingUnknown(fields.compact)
}

/** A detail record in the projection `P`: its named fields typed, every other field as it came. */
export type DetailRecord<P extends DetailProjection = "ccdchemicaldetails"> = (typeof schemas)[P]["Type"]

/** A detail record in any projection: the contract's own answer type. */
export const DetailRecord: (typeof schemas)["ccdchemicaldetails"] = schemas.ccdchemicaldetails
