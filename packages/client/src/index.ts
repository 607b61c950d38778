/** A typed, patient client of chemical-information services. */
export { Dialect } from "@chemstream/api"
export {
  Availability,
  InvalidOption,
  Metrics,
  MonotonicClock,
  Options,
  Pace,
  RequestGate
} from "@chemstream/batch"
export * as BodyReader from "./BodyReader.ts"
export * as ChemClient from "./ChemClient.ts"
export * as AssayCalls from "./calls/AssayCalls.ts"
export * as BioactivityCalls from "./calls/BioactivityCalls.ts"
export * as DetailCalls from "./calls/DetailCalls.ts"
export * as Endpoint from "./calls/Endpoint.ts"
export * as EndpointCalls from "./calls/EndpointCalls.ts"
export * as ExposureCalls from "./calls/ExposureCalls.ts"
export * as ExtraCalls from "./calls/ExtraCalls.ts"
export * as FateCalls from "./calls/FateCalls.ts"
export * as FileCalls from "./calls/FileCalls.ts"
export * as Groups from "./calls/Groups.ts"
export * as HazardCalls from "./calls/HazardCalls.ts"
export * as LinkCalls from "./calls/LinkCalls.ts"
export * as ListCalls from "./calls/ListCalls.ts"
export * as MassCalls from "./calls/MassCalls.ts"
export * as Mode from "./calls/Mode.ts"
export * as MsReadyCalls from "./calls/MsReadyCalls.ts"
export * as MsReadyResponse from "./calls/MsReadyResponse.ts"
export * as NameSearchCalls from "./calls/NameSearchCalls.ts"
export * as Pages from "./calls/Pages.ts"
export * as PropertyCalls from "./calls/PropertyCalls.ts"
export * as SearchCalls from "./calls/SearchCalls.ts"
export * as SearchResponse from "./calls/SearchResponse.ts"
export * as SynonymCalls from "./calls/SynonymCalls.ts"
export * as DialectProbe from "./DialectProbe.ts"
export * as ChemError from "./errors/ChemError.ts"
export * as PromiseClient from "./PromiseClient.ts"
export { createClient } from "./PromiseClient.ts"
export * as Batching from "./pipeline/Batching.ts"
export * as CallObserver from "./pipeline/CallObserver.ts"
export * as Limits from "./pipeline/Limits.ts"
export * as ResponseCache from "./pipeline/ResponseCache.ts"
export * as RetryPolicy from "./pipeline/RetryPolicy.ts"
