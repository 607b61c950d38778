/** Identifier streams to batch calls to outcomes, with a ledger that adds up. */
export * as BatchCalls from "./BatchCalls.ts"
export * as Details from "./Details.ts"
export * as Identifiers from "./Identifiers.ts"
export * as Ledger from "./Ledger.ts"
export * as Outcome from "./Outcome.ts"
export * as Reconcile from "./Reconcile.ts"
