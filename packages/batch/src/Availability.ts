/**
 * The availability of a service: whether it may get a request now, or calls wait. Clients and runs of one service share it
 * (docs/decisions/0031-one-model-of-not-now.md). `internal/availability/serviceState.ts` has the states and what a response means,
 * `ServiceAvailability.ts` waits, probes and sends.
 *
 * | state         | from                                                     | until                                | calls                       |
 * | ------------- | -------------------------------------------------------- | ------------------------------------ | --------------------------- |
 * | `available`   | the start                                                |                                      | are sent                    |
 * | `throttled`   | a response that asks to wait (429, or 503 with a time)   | a request after the time is answered | wait                        |
 * | `unavailable` | a failure that may be the service's, and a failed probe  | a probe succeeds                     | wait; one at a time probes  |
 *
 * A probe is a single attempt of a request that worked before, or of the failed one. A call that fails while its probe
 * succeeds has a fault of its own.
 */

import type { Availability } from "./internal/availability/attempt.ts"
import { type Options, optionSet } from "./internal/availability/availabilityOptions.ts"
import { ServiceAvailability } from "./internal/availability/ServiceAvailability.ts"
import { refuse } from "./Options.ts"

export {
  type Attempted,
  type Availability,
  type Call,
  Current,
  type Limits
} from "./internal/availability/attempt.ts"
export {
  type Options,
  optionSet,
  type Patience,
  patience
} from "./internal/availability/availabilityOptions.ts"
export { ServiceUnavailable, type Signal, type State } from "./internal/availability/serviceState.ts"
export { Stop, type StopSignal, stopOf, unlessStopped } from "./internal/availability/stopSignal.ts"

/**
 * Makes the availability of a service. It is mutable state: its calls share it. `forRuns` are the options of the runs that use it and
 * have no `availability` option of their own. In the example, the probe succeeds, so the failure is the request's own.
 *
 * @example
 *
 * ```ts
 * import { Availability } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const request = Effect.suspend(() => (++requests === 1 ? Effect.fail(503) : Effect.succeed("a record")))
 * const availability = Availability.make()
 * const call = { signal: () => "unavailable" as const, probe: () => request }
 * const limits = { patience: Availability.patience({ wait: "5 minutes" }) }
 * const attempt = availability.attempt(request, call, limits)
 * const attempted = await Effect.runPromise(attempt)
 * attempted._tag === "Failure" && attempted.fate // => "own"
 * requests // => 2
 * ```
 */
export const make = (forRuns?: Options): Availability =>
  new ServiceAvailability(forRuns === undefined ? forRuns : refuse(optionSet, forRuns))
