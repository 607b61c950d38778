/**
 * The request to stop a run at once, after a second signal. `signals.ts` receives the signals, and the process provides its request here.
 * This module imports only Effect, so it loads no other package.
 */
import { Context, Effect } from "effect"

/** Waits for the request to abort the requests in flight. Default: waits forever. */
export const ImmediateStop = Context.Reference<Effect.Effect<void>>("chemstream/ImmediateStop", {
  defaultValue: () => Effect.never
})
