import { Context, type Effect } from "effect"
export type InFlight = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
export const InFlight: Context.Reference<InFlight> = Context.Reference<InFlight>(
  "@chemstream/client/InFlight",
  {
    defaultValue: () => (request) => request
  }
)
