/**
 * The memory of long answers, given back as soon as they are sent. Left to the garbage collector they pile up to a
 * hundred megabytes, for to the engine each is a small object; and to find them it marks all others.
 *
 * Which answers those are is said where they are made (`oneAnswer`).
 */
import { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { isForOneAnswer } from "./oneAnswer.ts"

type App<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Gives back the memory of what an application answers to requests of Node's server. */
export const freed = <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(app, (response) => {
      const { body } = response
      if (body._tag === "Uint8Array" && isForOneAnswer(body.body)) {
        const sending: unknown = NodeHttpServerRequest.toServerResponse(request)
        // When the system has all of it, compressed or not. An answer that breaks off is left to the garbage collector.
        if (sending instanceof ServerResponse) sending.once("finish", () => free(body.body))
      }
      return response
    })
  )

const free = ({ buffer }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
