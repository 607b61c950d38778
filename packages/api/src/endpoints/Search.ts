/**
 * The endpoints of chemical search by name, identifier and formula (docs/service.md, section 3.2).
 *
 * `MsReady` has the MS-ready searches. The response to a search without a hit is 400 with suggestions
 * (docs/service.md, section 6).
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MolecularFormula } from "../identifiers/MolecularFormula.ts"
import { SearchHit } from "../records/SearchHit.ts"
import { ApiKey, RequestCheck } from "./Access.ts"
import { BatchLimit } from "./BatchLimit.ts"
import { TooLarge } from "./ProblemDetails.ts"

/** The media type that requests for counts accept (docs/service.md, section 2). */
export const countType = "application/hal+json"

/** The header of a response that omits some of the hits. Its value is `true`. */
export const cappedHeader = "x-total-capped"

const word = {
  word: Schema.NonEmptyString.annotate({
    description: "A name, synonym, DTXSID, DTXCID, CAS number or InChIKey, or a part of one"
  })
}

const hits = Schema.Array(SearchHit)
const dtxsids = Schema.Array(Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }))
const count = Schema.Int.annotate({ description: "Number of substances" }).pipe(
  HttpApiSchema.asJson({ contentType: countType })
)

/** The substances with exactly this name or identifier, best rank first. */
export const equal = HttpApiEndpoint.get("equal", "/chemical/search/equal/:word", {
  params: word,
  success: hits
}).annotate(OpenApi.Summary, "Substances with a name or identifier")

/** The substances with a name or identifier that starts with this text, best rank first. */
export const startWith = HttpApiEndpoint.get("startWith", "/chemical/search/start-with/:word", {
  params: word,
  success: hits
}).annotate(OpenApi.Summary, "Substances with a name or identifier that starts with a text")

/** The substances with a name or identifier that contains this text, best rank first. */
export const contain = HttpApiEndpoint.get("contain", "/chemical/search/contain/:word", {
  params: word,
  success: hits
}).annotate(OpenApi.Summary, "Substances with a name or identifier that contains a text")

/**
 * The exact search of up to 200 values in one call.
 *
 * A deployment may send misaligned hits (docs/service.md, section 6). This project's service sends the hits of each
 * value in order, and for a value without a match a record that says so.
 */
export const equalBatch = HttpApiEndpoint.post("equalBatch", "/chemical/search/equal/", {
  payload: Schema.NonEmptyArray(Schema.NonEmptyString),
  success: Schema.Array(SearchHit),
  error: TooLarge
})
  .annotate(BatchLimit, { values: 200, refusal: 413, documented: true })
  .annotate(OpenApi.Summary, "Exact search of a batch of names or identifiers")

/** The substances with this molecular formula, all atoms counted. */
export const byExactFormula = HttpApiEndpoint.get(
  "byExactFormula",
  "/chemical/search/by-exact-formula/:formula",
  { params: { formula: MolecularFormula }, success: dtxsids }
).annotate(OpenApi.Summary, "Substances by exact molecular formula")

/** The substances with this MS-ready formula: salts, counter-ions and solvents not counted. */
export const byMsreadyFormula = HttpApiEndpoint.get(
  "byMsreadyFormula",
  "/chemical/search/by-msready-formula/:formula",
  { params: { formula: MolecularFormula }, success: dtxsids }
).annotate(OpenApi.Summary, "Substances by MS-ready formula")

/** The number of substances with this molecular formula. */
export const countByExactFormula = HttpApiEndpoint.get(
  "countByExactFormula",
  "/chemical/count/by-exact-formula/:formula",
  { params: { formula: MolecularFormula }, success: count }
).annotate(OpenApi.Summary, "Number of substances by exact molecular formula")

/** The number of substances with this MS-ready formula. */
export const countByMsreadyFormula = HttpApiEndpoint.get(
  "countByMsreadyFormula",
  "/chemical/count/by-msready-formula/:formula",
  { params: { formula: MolecularFormula }, success: count }
).annotate(OpenApi.Summary, "Number of substances by MS-ready formula")

/** The group of these endpoints. */
export class Search extends HttpApiGroup.make("search")
  .add(
    equal,
    startWith,
    contain,
    equalBatch,
    byExactFormula,
    byMsreadyFormula,
    countByExactFormula,
    countByMsreadyFormula
  )
  .middleware(RequestCheck)
  .middleware(ApiKey) {}
