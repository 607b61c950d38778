/**
 * The client without Effect: the same calls, as promises and async iterables. A failed call rejects with a
 * `Rejection`; its `_tag` names the kind of failure.
 *
 * It sends with `fetch`. On Node, `createClient` of `@chemstream/client/node` adds connection timeouts, proxies and a
 * cache on disk.
 */
import type { InvalidIdentifier } from "@chemstream/api"
import { Availability, type InvalidOption, Options } from "@chemstream/batch"
import {
  Cause,
  ConfigProvider,
  Context,
  Data,
  Effect,
  Exit,
  Layer,
  Logger,
  ManagedRuntime,
  Redacted,
  Stream
} from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import * as ChemClient from "./ChemClient.ts"
import type { Promises } from "./calls/Mode.ts"
import type { ChemError } from "./errors/ChemError.ts"
import { apiKey } from "./internal/settingKinds.ts"
import type * as ResponseCache from "./pipeline/ResponseCache.ts"

/** The settings of `ChemClient`. The API key may be plain text. */
export interface Settings extends ChemClient.CommonSettings {
  /** The `http:` or `https:` URL of the service, with its path. Default: that of the environment. */
  readonly baseUrl?: string | URL | undefined
  /** The API key. Default: that of the environment. */
  readonly apiKey?: string | Redacted.Redacted | undefined
  /** The cache of responses. Default: none. */
  readonly cache?: ResponseCache.ResponseCache | undefined
}

/** The declaration of the settings. */
export const optionSet: Options.Set<Settings> = Options.set<Settings>()({
  ...ChemClient.optionSet.fields,
  apiKey: Options.required(
    Options.kind<string | Redacted.Redacted>(
      apiKey.wanted,
      (value) => typeof value === "string" || Redacted.isRedacted(value),
      "secret"
    )
  )
})

/** The client was closed before or during the call. */
export class ClientClosed extends Data.TaggedError("ClientClosed")<{ readonly message: string }> {}

/**
 * The errors that calls reject with. A call that was aborted rejects with the reason of its signal, and a mistake in a `fetch` of the
 * program with its own error.
 */
export type Rejection =
  | ChemError
  | ClientClosed
  | InvalidIdentifier.InvalidIdentifier
  | InvalidOption.InvalidOption

/** The calls of the service as promises. */
export interface PromiseClient extends ChemClient.Calls<Promises>, AsyncDisposable {
  /**
   * The same client with an abort signal. When it aborts, calls reject with its reason, and requests in flight are
   * cancelled.
   */
  readonly with: (options: { readonly signal: AbortSignal }) => PromiseClient
  /**
   * Iterates over a stream that uses this client, e.g. `Lookup.outcomes` of `@chemstream/stream`. Each iteration runs
   * the stream. Throws the error of the stream. Leaving the loop cancels the requests in flight.
   */
  readonly iterate: <A, E>(stream: Stream.Stream<A, E, ChemClient.ChemClient>) => AsyncIterable<A>
  /** Stops the calls in flight and closes the connections. */
  readonly close: () => Promise<void>
}

/**
 * Makes a client from settings and environment, as `ChemClient.layerConfig` does. Sends no request. Rejects with
 * `InvalidOption`. Close the client at the end; with Node 24 or newer, `await using` closes it.
 *
 * @example
 * ```ts
 * import { createClient } from "@chemstream/client"
 *
 * const nameOf = async (dtxsid: string) => {
 *   const client = await createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "my key" })
 *   try {
 *     const record = await client.details.byDtxsid(dtxsid, { projection: "compact" })
 *     return record.preferredName
 *   } finally {
 *     await client.close()
 *   }
 * }
 * ```
 */
export const createClient = (settings?: Settings): Promise<PromiseClient> => fromLayer(layer(settings))

/** The service that `createClient` calls, over `fetch`. */
export const layer = (
  settings: Settings = {}
): Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption> =>
  Layer.provide(layerConfig(settings), FetchHttpClient.layer)

/** Completes settings with the current environment. Effect alone would keep the environment of the first read. */
export const layerConfig = (
  settings: Settings
): Layer.Layer<ChemClient.ChemClient, InvalidOption.InvalidOption, HttpClient.HttpClient> =>
  Layer.suspend(() =>
    ChemClient.layerConfig(withSecretKey(settings)).pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv()))
    )
  )

/** Makes the API key a secret. `ChemClient` checks everything. */
const withSecretKey = (settings: Settings): ChemClient.ConfigSettings =>
  typeof settings?.apiKey === "string"
    ? ({ ...settings, apiKey: Redacted.make(settings.apiKey) } as ChemClient.ConfigSettings)
    : (settings as ChemClient.ConfigSettings)

const layerKind: Options.AnyKind = Options.kind(
  "a layer of ChemClient, e.g. ChemClient.layerTest()",
  Layer.isLayer
)

/** The kind of such a client. */
export const clientKind: Options.Kind<PromiseClient> = /* @__PURE__ */ Options.instance<PromiseClient>(
  "a client, e.g. of await createClient()",
  ...(["iterate", "with", "close"] as const)
)

/** The kind of such a signal. */
export const abortSignal: Options.Kind<AbortSignal> = /* @__PURE__ */ Options.kind(
  "an abort signal, e.g. that of an AbortController",
  (value) => value instanceof AbortSignal
)

/** Makes a client from a layer of the service, e.g. with another HTTP client. Rejects with the layer's error. */
export const fromLayer = async <E>(given: Layer.Layer<ChemClient.ChemClient, E>): Promise<PromiseClient> => {
  Options.refuseArguments({ layer: Options.required(layerKind) }, [given])
  // The standard output belongs to the records of the program.
  const runtime = ManagedRuntime.make(Layer.provideMerge(given, Layer.succeed(Logger.LogToStderr, true)))
  const closing = new AbortController()
  const exit = await runtime.runPromiseExit(Effect.context<ChemClient.ChemClient>())
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  const context = exit.value
  const close = async (): Promise<void> => {
    closing.abort(new ClientClosed({ message: "the client is closed: make another one with createClient" }))
    await runtime.dispose()
  }
  const clientUntil = (signal: AbortSignal): PromiseClient => ({
    ...(toPromises(
      Context.get(context, ChemClient.ChemClient),
      context,
      signal
    ) as ChemClient.Calls<Promises>),
    with: (options) => {
      Options.refuseArguments({ signal: Options.required(abortSignal) }, [options?.signal])
      return clientUntil(AbortSignal.any([signal, options.signal]))
    },
    iterate: (stream) => {
      Options.refuseArguments({ stream: Options.required(Options.stream) }, [stream])
      return toIterable(stream, context, signal)
    },
    close,
    [Symbol.asyncDispose]: close
  })
  return clientUntil(closing.signal)
}

/**
 * Converts the service for callers without Effect: methods return promises, groups and the calls that a method returns
 * are converted member by member.
 */
const toPromises = (value: unknown, context: Context.Context<never>, signal: AbortSignal): unknown => {
  if (typeof value === "function") {
    return (...args: ReadonlyArray<unknown>) => {
      const result: unknown = value(...args)
      if (Stream.isStream(result)) return toIterable(result as Stream.Stream<unknown>, context, signal)
      return Effect.isEffect(result)
        ? run(result as Effect.Effect<unknown, unknown>, context, signal)
        : toPromises(result, context, signal)
    }
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, toPromises(member, context, signal)])
  )
}

const toIterable = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  context: Context.Context<R>,
  signal: AbortSignal
): AsyncIterable<A> => {
  const iterable = Stream.toAsyncIterableWith(Stream.interruptWhen(stream, failOnAbort(signal)), context)
  return { [Symbol.asyncIterator]: () => untilAbort(iterable[Symbol.asyncIterator](), signal) }
}

/** Throws the signal's reason before the next value, because an iterator of Effect first returns its buffered values. */
const untilAbort = <A>(values: AsyncIterator<A>, signal: AbortSignal): AsyncIterator<A> => {
  const close = async (): Promise<IteratorResult<A>> =>
    (await values.return?.()) ?? { done: true, value: undefined }
  let isStopped = false
  return {
    next: async () => {
      if (!signal.aborted || isStopped) return values.next()
      isStopped = true
      await close()
      throw signal.reason
    },
    return: () => {
      isStopped = true
      return close()
    }
  }
}

/** Runs an effect as a promise, which rejects with the error, or with the reason of the signal. */
const run = async (
  effect: Effect.Effect<unknown, unknown>,
  context: Context.Context<never>,
  signal: AbortSignal
): Promise<unknown> => {
  signal.throwIfAborted()
  const exit = await Effect.runPromiseExitWith(context)(effect, { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw signal.aborted && Cause.hasInterrupts(exit.cause) ? signal.reason : Cause.squash(exit.cause)
}

/** Fails with the signal's reason when it aborts. */
const failOnAbort = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.andThen(
    Availability.stopOf(signal).requested,
    Effect.suspend(() => Effect.fail(signal.reason))
  )
