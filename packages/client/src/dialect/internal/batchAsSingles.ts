/** Sends a batch as one request for each value, where the service does not respond to the batch itself (`Dialect.Difference.single`). */
import { Effect } from "effect"
import type { BodyReader } from "../../BodyReader.ts"

/** Requests in flight for the values of one batch. */
const singlesInFlight = 4

/** Sends a request for each value of a batch, and reads the bodies as one object, by value. */
export const requestSingles = <A, E>(
  find: (value: unknown) => Effect.Effect<ReadonlyArray<string>, E>,
  values: ReadonlyArray<unknown>,
  read: BodyReader<A>
): Effect.Effect<A, E> =>
  Effect.flatMap(
    Effect.forEach(
      new Set(values),
      (value) => Effect.map(find(value), (found) => [String(value), found] as const),
      { concurrency: singlesInFlight }
    ),
    (entries) =>
      Effect.orDie(
        Effect.fromResult(read(new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))))
      )
  )
