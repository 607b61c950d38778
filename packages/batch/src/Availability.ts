/**
 * Decides whether a service is available, and makes calls wait while it is not. Clients and runs share this mechanism.
 *
 * | state         | from                                                    | until               | calls                      |
 * | ------------- | ------------------------------------------------------- | ------------------- | -------------------------- |
 * | `available`   | the start                                               |                     | run                        |
 * | `throttled`   | a 429 whose wait is at most `wait`                      | that time is over   | wait                       |
 * | `unavailable` | a call that cannot reach the service, or `refusals` in  | a probe succeeds    | wait; one at a time probes |
 * |               | a row, and a probe that fails as well                   |                     |                            |
 *
 * A probe is a single attempt of a request that worked before. When a probe gets a response, waiting calls
 * start over with all their attempts. A call that fails while probes succeed has a problem of its own. A
 * service that was never reached has a wrong address, so its calls fail at once. `Batch.Verdict` is the meaning
 * of a failed call for its keys.
 */
import { Effect } from "effect"
import * as InvalidOption from "./InvalidOption.ts"
import { type Availability, Current, type Options, type Run } from "./internal/availability/model.ts"
import { ServiceAvailability } from "./internal/availability/ServiceAvailability.ts"

export {
  type Availability,
  type Call,
  Current,
  type Options,
  type Run,
  ServiceUnavailable,
  type Signal,
  type State
} from "./internal/availability/model.ts"

/** Makes the runs in an effect share an availability, unless they have options of their own. */
export const share =
  (availability: Availability) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      Effect.provideService(self, Current, { availability, mode: "first", isReported: false })
    )

const names: InvalidOption.Names<Options> = {
  wait: true,
  after: true,
  firstProbe: true,
  longestProbe: true,
  refusals: true
}

/** Checks options. `name` is the option that contains them. */
export const checks = (name: string, options: Options | undefined): ReadonlyArray<InvalidOption.Check> => [
  InvalidOption.known(options, names, name),
  InvalidOption.time(`${name}.wait`, options?.wait, "infinite"),
  InvalidOption.time(`${name}.firstProbe`, options?.firstProbe, "finite"),
  InvalidOption.time(`${name}.longestProbe`, options?.longestProbe, "finite"),
  InvalidOption.count(`${name}.refusals`, options?.refusals)
]

/**
 * Makes the availability of one client or one run. It is mutable state.
 *
 * @example
 *
 * ```ts
 * import { Availability } from "@chemstream/batch"
 * import { Effect } from "effect"
 *
 * let requests = 0
 * const request = Effect.suspend(() => (++requests === 1 ? Effect.fail(503) : Effect.succeed("a record")))
 * const availability = Availability.make({ wait: "5 minutes" })
 * const call = availability.call(request, { signal: () => "unavailable", probe: () => request })
 * await Effect.runPromise(call) // => "a record"
 * requests // => 3
 * ```
 */
export const make = (options: Options = {}, run: Run = {}): Availability =>
  new ServiceAvailability(options, run)
