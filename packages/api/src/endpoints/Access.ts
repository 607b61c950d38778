/**
 * What stands in front of every endpoint: the API key, and the check of the request against the contract.
 *
 * Only declarations: the service implements them, the client sends the key (docs/service.md, section 1).
 */
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { BadRequest, TooManyRequests, Unauthorized } from "./ProblemDetails.ts"

/** The request header that carries the key, unless configured otherwise. */
export const defaultKeyHeader = "x-api-key"

/** Refuses a request without a known API key: 401; and one over the rate of its key, where there is one: 429. */
export class ApiKey extends HttpApiMiddleware.Service<ApiKey>()("@chemstream/api/Access/ApiKey", {
  security: { key: HttpApiSecurity.apiKey({ key: defaultKeyHeader, in: "header" }) },
  error: [Unauthorized, TooManyRequests]
}) {}

/** Answers a request that does not fit the contract with a problem that says where: 400. */
export class RequestCheck extends HttpApiMiddleware.Service<RequestCheck>()(
  "@chemstream/api/Access/RequestCheck",
  { error: BadRequest }
) {}
