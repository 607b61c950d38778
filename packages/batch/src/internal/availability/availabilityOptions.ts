/** The option `availability` of a run: how long its calls wait for the service, and how often it is probed, with the defaults. */
import { Duration } from "effect"
import * as Declared from "../../Options.ts"

/** When a service counts as unavailable, and how long calls wait for it. */
export interface Options {
  /**
   * How long calls wait for a service that is unavailable or asks to wait, counted from its first refusal after the
   * last response. 0: calls do not wait. Default: 1 minute for a run, 0 for calls of a client.
   */
  readonly wait?: Duration.Input | undefined
  /** The time between the first two probes. It doubles up to `longestProbe`. Default: 1 second. */
  readonly firstProbe?: Duration.Input | undefined
  /** The longest time between two probes. Default: 5 seconds. */
  readonly longestProbe?: Duration.Input | undefined
  /**
   * After this many refusals by a gateway, without any other response, the service is unavailable. Default: 20.
   */
  readonly refusals?: number | undefined
}

/** The declaration of the options. */
export const optionSet = Declared.set<Options>()({
  wait: Declared.withDefault(Declared.time("infinite"), "1 minute"),
  firstProbe: Declared.withDefault(Declared.time("finite"), "1 second"),
  longestProbe: Declared.withDefault(Declared.time("finite"), "5 seconds"),
  refusals: Declared.withDefault(Declared.count, 20)
})

/** The options in milliseconds. */
export interface Patience {
  readonly wait: number
  /** The longest wait if the service asks for it. Default: `wait`. */
  readonly pause?: number | undefined
  readonly firstProbe: number
  readonly longestProbe: number
  readonly refusals: number
}

/** Returns options in milliseconds, with the defaults. */
export const patience = (given: Options): Patience => {
  const checked = Declared.refuse(optionSet, given)
  const { firstProbe, longestProbe, refusals, wait } = Declared.complete(optionSet, checked)
  return {
    wait: Duration.toMillis(wait),
    firstProbe: Duration.toMillis(firstProbe),
    longestProbe: Math.max(Duration.toMillis(firstProbe), Duration.toMillis(longestProbe)),
    refusals
  }
}
