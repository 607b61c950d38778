/** Stops the runs and calls of a scope from outside, e.g. by a signal of the process, and ends their waits. */
import { Context, Effect } from "effect"
import { argument, effect, instance } from "../../Options.ts"
import { ServiceUnavailable } from "./serviceState.ts"

/**
 * Whether the runs and calls of a scope were stopped, e.g. by a signal. They send no more requests, and their waits end at once with
 * `ServiceUnavailable`. A run still emits the batches that are settled by requests on the wire.
 */
export interface StopSignal {
  readonly isRequested: () => boolean
  readonly requested: Effect.Effect<void>
}

/** The stop signal of the runs and calls in a scope. Default: none. */
export const Stop: Context.Reference<StopSignal | undefined> = Context.Reference<StopSignal | undefined>(
  "@chemstream/batch/Stop",
  { defaultValue: () => undefined }
)

const abortSignal = /* @__PURE__ */ instance<AbortSignal>("an abort signal", "addEventListener")

/** Returns the stop signal that an abort signal gives. */
export const stopOf = (signal: AbortSignal): StopSignal => ({
  isRequested: () => argument("signal", abortSignal, signal).aborted,
  requested: Effect.callback((resume) => {
    const onAbort = (): void => resume(Effect.void)
    if (argument("signal", abortSignal, signal).aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })
})

const stopped: Effect.Effect<never, ServiceUnavailable> = Effect.suspend(() =>
  Effect.fail(new ServiceUnavailable({ message: "the run was stopped" }))
)

/** Waits. Fails at once if the run is stopped. */
export const unlessStopped = (wait: Effect.Effect<void>): Effect.Effect<void, ServiceUnavailable> =>
  Effect.flatMap(Stop, (stop) => {
    const checked = argument("wait", effect, wait)
    if (stop === undefined) return checked
    return stop.isRequested() ? stopped : Effect.raceFirst(checked, Effect.andThen(stop.requested, stopped))
  })
