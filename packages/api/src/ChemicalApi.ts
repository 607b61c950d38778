/**
 * The contract as one `HttpApi`: the only place that names a path, a parameter, a limit or a record.
 *
 * The server, the client and the OpenAPI document derive from it. Contract only, no input or output.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { Details } from "./Details.ts"

/**
 * The chemical-information service.
 *
 * @example
 * ```ts
 * import { ChemicalApi } from "@chemstream/api"
 * import { OpenApi } from "effect/http-api"
 *
 * Object.keys(OpenApi.fromApi(ChemicalApi.ChemicalApi).paths)
 * // => ["/chemical/detail/search/by-dtxsid/{dtxsid}", "/chemical/detail/search/by-dtxsid/"]
 * ```
 */
export class ChemicalApi extends HttpApi.make("chemical-information")
  .add(Details)
  .annotate(OpenApi.Title, "Chemical information service")
  .annotate(OpenApi.Description, "Read-only chemical information: details, search, synonyms, bioactivity") {}
