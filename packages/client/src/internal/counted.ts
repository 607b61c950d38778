/**
 * How often the calls of an effect are sent: the attempts that an error made from their answers has to name.
 */
import { Effect } from "effect"
import { CallObserver } from "../CallObserver.ts"

/** Runs `use` with the number of requests sent so far, which its calls keep up to date; the observer around sees them too. */
export const counted = <A, E, R>(
  use: (attempts: () => number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallObserver, (around) => {
    let attempts = 0
    return Effect.provideService(
      use(() => attempts),
      CallObserver,
      {
        ...around,
        onRequest: (endpoint) => {
          attempts++
          around.onRequest(endpoint)
        }
      }
    )
  })
