/** Runs the client of a test, with its settings, against a scripted service. */
import { ChemClient, type InvalidOption, RetryPolicy } from "@chemstream/client"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import * as Scripted from "./scriptedService.ts"

export const key = "a-key-that-must-not-show"
export const bisphenolA = "DTXSID7020182"

/** Returns the settings of a client without retries. */
export const settings = (baseUrl: string, more: Partial<ChemClient.Settings> = {}): ChemClient.Settings => ({
  baseUrl,
  apiKey: Redacted.make(key),
  retry: RetryPolicy.never,
  ...more
})

/** Uses a client with these settings. */
export const withClient = <A, E, E2 = never>(
  client: ChemClient.Settings,
  use: (client: ChemClient.ChemClient["Service"]) => Effect.Effect<A, E>,
  transport: Layer.Layer<HttpClient.HttpClient, E2> = FetchHttpClient.layer
): Effect.Effect<A, E | E2 | InvalidOption.InvalidOption> =>
  Effect.gen(function* () {
    return yield* use(yield* ChemClient.ChemClient)
  }).pipe(Effect.provide(ChemClient.layer(client).pipe(Layer.provide(transport))))

/** Runs a test body against a scripted service. */
export const withService = <A, E>(
  responders: ReadonlyArray<Scripted.Responder>,
  body: (service: Scripted.ScriptedService) => Effect.Effect<A, E>
): Promise<A> => Effect.runPromise(Effect.scoped(Effect.flatMap(Scripted.make(...responders), body)))
