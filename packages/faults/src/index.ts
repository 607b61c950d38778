export * as Fault from "./Fault.ts"
export * as FaultProxy from "./FaultProxy.ts"
export * as JumpingClock from "./JumpingClock.ts"
export * as Scenario from "./Scenario.ts"
