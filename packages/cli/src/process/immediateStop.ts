/**
 * How a run learns that it is to stop a second time, at once. The process provides it, because it hears the signals
 * (`signals.ts`); it stands alone, so that the process loads no package for it.
 */
import { Context, Effect } from "effect"

/** Waits until a run that was asked to stop is asked again: it aborts its requests in flight then. Default: forever. */
export const AtOnce = Context.Reference<Effect.Effect<void>>("chemstream/AtOnce", {
  defaultValue: () => Effect.never
})
