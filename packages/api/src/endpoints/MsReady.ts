/**
 * The endpoints of MS-ready chemicals: by compound, formula and mass (docs/service.md, section 3.3).
 *
 * MS-ready is the form a mass spectrometer sees: desalted, neutral, without stereochemistry. An unknown value is
 * answered with an empty list.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Dtxcid } from "../identifiers/Dtxcid.ts"
import { MolecularFormula } from "../identifiers/MolecularFormula.ts"
import { defaultTolerance, largestTolerance, Mass } from "../masses/MassRange.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import { TooLarge } from "./ProblemDetails.ts"

const dtxsids = Schema.Array(Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }))

/** The substances whose MS-ready form is that of this compound. */
export const byDtxcid = HttpApiEndpoint.get("byDtxcid", "/chemical/msready/search/by-dtxcid/:dtxcid", {
  params: { dtxcid: Dtxcid },
  success: dtxsids
}).annotate(OpenApi.Summary, "MS-ready substances of a DTXCID")

/**
 * The same for a batch. Whether the answer is a mapping of compounds to their substances or a list is not
 * documented: both fit the contract, this project's service answers the mapping. The limit is ours.
 */
export const byDtxcidBatch = HttpApiEndpoint.post("byDtxcidBatch", "/chemical/msready/search/by-dtxcid/", {
  payload: Schema.NonEmptyArray(Dtxcid),
  success: Schema.Union([Schema.Record(Schema.String, dtxsids), Schema.Array(Schema.Unknown)]),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, shown: false })
  .annotate(OpenApi.Summary, "MS-ready substances of a batch of DTXCIDs")

/** The MS-ready substances with this formula. */
export const byFormula = HttpApiEndpoint.get("byFormula", "/chemical/msready/search/by-formula/:formula", {
  params: { formula: MolecularFormula },
  success: dtxsids
}).annotate(OpenApi.Summary, "MS-ready substances by formula")

/** The MS-ready substances with a monoisotopic mass from `start` to `end`, both included, in dalton. */
export const byMass = HttpApiEndpoint.get("byMass", "/chemical/msready/search/by-mass/:start/:end", {
  params: { start: Mass, end: Mass },
  success: dtxsids
}).annotate(OpenApi.Summary, "MS-ready substances in a mass range")

/**
 * The MS-ready substances of each mass, within a tolerance. The keys of the answer are the masses as text, where a whole
 * mass gains a decimal ("228.0"): match them as numbers. The limit is ours.
 */
export const byMassBatch = HttpApiEndpoint.post("byMassBatch", "/chemical/msready/search/by-mass/", {
  payload: Schema.Struct({
    masses: Schema.NonEmptyArray(Mass),
    error: Schema.optionalKey(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: largestTolerance })).annotate({
        description: `Tolerance to both sides, in dalton; ${defaultTolerance} when not given`
      })
    )
  }),
  success: Schema.Record(Schema.String, dtxsids),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, shown: false })
  .annotate(OpenApi.Summary, "MS-ready substances of a batch of masses")

/** The group of these endpoints. */
export class MsReady extends HttpApiGroup.make("msready")
  .add(byDtxcid, byDtxcidBatch, byFormula, byMass, byMassBatch)
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
