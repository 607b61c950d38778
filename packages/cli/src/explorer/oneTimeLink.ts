/**
 * Makes a one-time link that opens the explorer without entering a key. The first page that sends its token gets the key. The token follows
 * the `#` of the link. Browsers do not send this part, so no log contains it.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { ProblemDetails } from "@chemstream/api"
import { Explorer } from "@chemstream/explorer"
import type { ServiceRoute } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The link, and the route that exchanges its token for the key. */
export interface OneTimeLink {
  /** Returns the link to the service at a URL. */
  readonly at: (url: string) => string
  readonly route: ServiceRoute.ServiceRoute
}

/** Whether only this machine can connect to an address. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)

const tokenBytes = 32

const unknownLink = new ProblemDetails.NotFound({ detail: "This link is not known, or was used before" })

/** Makes a link and its route for a key. */
export const make = (key: Effect.Effect<Redacted.Redacted<string> | undefined>): OneTimeLink => {
  const token = randomBytes(tokenBytes).toString("base64url")
  const digest = hash("sha256", token, "buffer")
  let isUsed = false
  return {
    at: (url) => `${url}/#/open/${token}`,
    route: {
      method: "POST",
      path: Explorer.keyPath,
      access: "open",
      handle: Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestToken = yield* Effect.mapError(request.text, () => unknownLink)
        if (isUsed || !timingSafeEqual(hash("sha256", requestToken, "buffer"), digest))
          return yield* unknownLink
        isUsed = true
        const current = yield* key
        if (current === undefined) return yield* unknownLink
        return HttpServerResponse.text(Redacted.value(current), { headers: { "cache-control": "no-store" } })
      })
    }
  }
}
