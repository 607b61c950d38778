/**
 * A link that opens the explorer without entering a key, once: its token is exchanged for the key by the first page that
 * sends it. The token stands behind the `#` of the link, which is in no request and no log.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { ProblemDetails } from "@chemstream/api"
import { Explorer } from "@chemstream/explorer"
import type { ServiceRoute } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The link, and the route that takes its token. */
export interface OneTimeLink {
  /** The link of a service at a URL. */
  readonly at: (url: string) => string
  readonly route: ServiceRoute.ServiceRoute
}

/** Whether an address is of this machine alone. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)

const tokenBytes = 32

const used = new ProblemDetails.NotFound({ detail: "This link is not known, or was used before" })

/** A new link to a key. */
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
        const given = yield* Effect.mapError(request.text, () => used)
        if (isUsed || !timingSafeEqual(hash("sha256", given, "buffer"), digest)) return yield* used
        isUsed = true
        const current = yield* key
        if (current === undefined) return yield* used
        return HttpServerResponse.text(Redacted.value(current), { headers: { "cache-control": "no-store" } })
      })
    }
  }
}
