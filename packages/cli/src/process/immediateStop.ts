/**
 * The request to stop a run at once, after a second signal. The process provides it, because it receives the signals
 * (`signals.ts`). It has its own module, so that the process loads no package for it.
 */
import { Context, Effect } from "effect"

/** Waits for the second request to stop, which aborts the requests in flight. Default: waits forever. */
export const ImmediateStop = Context.Reference<Effect.Effect<void>>("chemstream/ImmediateStop", {
  defaultValue: () => Effect.never
})
