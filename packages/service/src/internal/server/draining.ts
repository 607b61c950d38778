/**
 * Whether the server under the application is stopping: what is in flight is finished, and what is new is refused.
 */
import { Context } from "effect"

/** What the server tells. */
export interface State {
  readonly isDraining: boolean
}

/** Provided by the server to the application; without a server nothing ever drains. */
export const Draining: Context.Reference<State> = Context.Reference<State>("@chemstream/service/Draining", {
  defaultValue: () => ({ isDraining: false })
})
