/**
 * Lets a request use one version of the store for all of its queries, although the database file may be replaced meanwhile.
 *
 * A version is one opened file. `followedStore.ts` opens the next one and registers the versions here.
 */
import { Context, Effect, Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Queries } from "../Store.ts"
import { whenSent } from "./server/whenSent.ts"

/** The version of the store that the current request uses. Undefined: the newest one. */
export const Version: Context.Reference<object | undefined> = Context.Reference<object | undefined>(
  "@chemstream/service/Version",
  { defaultValue: () => undefined }
)

/** The versions of a store. */
export interface Versions {
  /** Enters the newest version. It stays open until `leave`. */
  readonly enter: () => { readonly version: object; readonly leave: () => void }
  /** Whether the file was replaced, and the new one is not open yet. */
  readonly isStale: () => boolean
}

const versions = new WeakMap<Queries, Versions>()

/** Registers the versions of a store. */
export const register = (store: Queries, value: Versions): void => void versions.set(store, value)

/** Returns the versions of a store. Undefined: it has only one. */
export const versionsOf = (store: Queries): Versions | undefined => versions.get(store)

/** Gives each request one version of the store, until its response is sent. */
export const pinned =
  (store: Queries) =>
  <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E,
    R | HttpServerRequest.HttpServerRequest | Scope.Scope
  > => {
    const known = versionsOf(store)
    if (known === undefined) return app
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const { leave, version } = known.enter()
      return Effect.andThen(
        whenSent(request, Context.getUnsafe(fiber.context, Scope.Scope), leave),
        Effect.provideService(app, Version, version)
      )
    })
  }
