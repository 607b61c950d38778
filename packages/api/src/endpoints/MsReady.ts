/**
 * The endpoints of MS-ready chemicals: by compound, formula and mass (docs/service.md, section 3.3).
 *
 * MS-ready is the form that a mass spectrometer sees: desalted, neutral, without stereochemistry. The response to an
 * unknown value is an empty list.
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

/** The substances with the MS-ready form of this compound. */
export const byDtxcid = HttpApiEndpoint.get("byDtxcid", "/chemical/msready/search/by-dtxcid/:dtxcid", {
  params: { dtxcid: Dtxcid },
  success: dtxsids
}).annotate(OpenApi.Summary, "MS-ready substances of a DTXCID")

/**
 * The same for a batch. The limit is this project's own.
 *
 * The form of the response is not documented: it may be a map from compounds to their substances, or a list. The
 * contract accepts both, and this project's service sends the map.
 */
export const byDtxcidBatch = HttpApiEndpoint.post("byDtxcidBatch", "/chemical/msready/search/by-dtxcid/", {
  payload: Schema.NonEmptyArray(Dtxcid),
  success: Schema.Union([Schema.Record(Schema.String, dtxsids), Schema.Array(Schema.Unknown)]),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, documented: false })
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
 * The MS-ready substances of each mass, within a tolerance. The limit is this project's own.
 *
 * The keys of the response are the masses as text, and a whole mass gains a decimal ("228.0"): match them as numbers.
 */
export const byMassBatch = HttpApiEndpoint.post("byMassBatch", "/chemical/msready/search/by-mass/", {
  payload: Schema.Struct({
    masses: Schema.NonEmptyArray(Mass),
    error: Schema.optionalKey(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: largestTolerance })).annotate({
        description: `Tolerance to both sides, in dalton. Default: ${defaultTolerance}`
      })
    )
  }),
  success: Schema.Record(Schema.String, dtxsids),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 1000, refusal: 413, documented: false })
  .annotate(OpenApi.Summary, "MS-ready substances of a batch of masses")

/** The group of these endpoints. */
export class MsReady extends HttpApiGroup.make("msready")
  .add(byDtxcid, byDtxcidBatch, byFormula, byMass, byMassBatch)
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
