/**
 * The contract as one `HttpApi`. Paths, parameters, limits and records are named nowhere else.
 *
 * The server, the client and the OpenAPI document derive from it. It does no input or output.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { Bioactivity } from "./Bioactivity.ts"
import { Details } from "./Details.ts"
import { MsReady } from "./MsReady.ts"
import { Search } from "./Search.ts"
import { Synonyms } from "./Synonyms.ts"

/**
 * The chemical-information service.
 *
 * @example
 * ```ts
 * import { ChemicalApi } from "@chemstream/api"
 * import { OpenApi } from "effect/http-api"
 *
 * Object.keys(OpenApi.fromApi(ChemicalApi.ChemicalApi).paths).length // => 33
 * ```
 */
export class ChemicalApi extends HttpApi.make("chemical-information")
  .add(Details, Search, MsReady, Synonyms, Bioactivity)
  .annotate(OpenApi.Title, "Chemical information service")
  .annotate(OpenApi.Description, "Read-only chemical information: details, search, synonyms, bioactivity") {}

/** The groups of endpoints by their names. */
export type Groups = (typeof ChemicalApi)["groups"]

/** The name of a group of endpoints, e.g. `details`. */
export type GroupName = keyof Groups & string

/** The name of an endpoint: group and endpoint, e.g. `details.byDtxsidBatch`. */
export type EndpointName = {
  readonly [G in GroupName]: `${G}.${keyof Groups[G]["endpoints"] & string}`
}[GroupName]
