/** Tells the application that the server is stopping. The application then refuses new requests. */
import { Context } from "effect"

/** The state of the server. */
export interface State {
  readonly isDraining: boolean
}

/** Provided by the server to the application. Default: never draining. */
export const Draining: Context.Reference<State> = Context.Reference<State>("@chemstream/service/Draining", {
  defaultValue: () => ({ isDraining: false })
})
