/** Injects faults between an HTTP client and its service, for tests. */
export * as Fault from "./Fault.ts"
export * as FaultProxy from "./FaultProxy.ts"
export * as JumpingClock from "./JumpingClock.ts"
export * as LateName from "./LateName.ts"
export * as Scenario from "./Scenario.ts"
