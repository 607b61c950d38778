/**
 * Log entries go to stderr, whatever logger the program has: stdout carries data only.
 */
import { Effect, Logger } from "effect"

/** Sends what an effect logs to stderr. */
export const toStderr: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(Logger.LogToStderr, true)
