/** A typed, patient client of chemical-information services. */
export * as BodyReader from "./BodyReader.ts"
export * as CallObserver from "./CallObserver.ts"
export * as ChemClient from "./ChemClient.ts"
export * as ChemError from "./ChemError.ts"
export * as DetailCalls from "./DetailCalls.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
