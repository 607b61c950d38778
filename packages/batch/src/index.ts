/** Items through batch calls to one outcome each, with a ledger that adds up. */
export * as Batch from "./Batch.ts"
export * as Ledger from "./Ledger.ts"
export * as MonotonicClock from "./MonotonicClock.ts"
export * as Outcome from "./Outcome.ts"
export * as Reconcile from "./Reconcile.ts"
export * as RunOption from "./RunOption.ts"
export * as Settlement from "./Settlement.ts"
export * as Turn from "./Turn.ts"
