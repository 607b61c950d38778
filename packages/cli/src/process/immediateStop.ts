/**
 * The request to stop a run at once, after a second signal. The process receives the signals, so it provides this
 * request (`signals.ts`). This module imports only Effect, so the process loads no package for it.
 */
import { Context, Effect } from "effect"

/** Waits for the request to abort the requests in flight. Default: waits forever. */
export const ImmediateStop = Context.Reference<Effect.Effect<void>>("chemstream/ImmediateStop", {
  defaultValue: () => Effect.never
})
