/** Sends log entries to stderr, because stdout has data only. */
import { Effect, Logger } from "effect"

/** Sends the log entries of an effect to stderr. */
export const toStderr: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(Logger.LogToStderr, true)
