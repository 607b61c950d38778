/**
 * The middleware of every endpoint: the API key, and the check of the request against the contract.
 *
 * This module only declares it. The service implements it, and the client sends the key (docs/service.md, section 1).
 */
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { BadRequest, TooManyRequests, Unauthorized } from "./ProblemDetails.ts"

/** The request header of the key. Default of client and service. */
export const defaultKeyHeader = "x-api-key"

/** Refuses a request without a known API key (401), or above the rate limit of its key (429). */
export class ApiKey extends HttpApiMiddleware.Service<ApiKey>()("@chemstream/api/Access/ApiKey", {
  security: { key: HttpApiSecurity.apiKey({ key: defaultKeyHeader, in: "header" }) },
  error: [Unauthorized, TooManyRequests]
}) {}

/** Refuses a request that does not fit the contract (400), with a problem that says where. */
export class RequestCheck extends HttpApiMiddleware.Service<RequestCheck>()(
  "@chemstream/api/Access/RequestCheck",
  { error: BadRequest }
) {}
