/** Sends a response: at once, in pieces, or in part before the connection ends. */

import type { ServerResponse } from "node:http"
import { Duration } from "effect"
import type { Fault } from "../../Fault.ts"
import type { RunAfter } from "../timers.ts"
import { firstPart, forwardedHeaders, type ProxyResponse } from "./forwardRequest.ts"

/** Sends a response with the fault of its connection, if it has one. */
export const deliver = (
  outgoing: ServerResponse,
  response: ProxyResponse,
  fault: Fault | undefined,
  runAfter: RunAfter
): void => {
  const { body, headers, status } = response
  if (fault?._tag === "Drip") {
    outgoing.writeHead(status, forwardedHeaders(headers) as Record<string, string>)
    sendInPieces(outgoing, body, fault, runAfter)
    return
  }
  outgoing.writeHead(status, {
    ...(forwardedHeaders(headers) as Record<string, string>),
    "content-length": body.length
  })
  if (fault?._tag !== "Cut") {
    outgoing.end(body)
    return
  }
  outgoing.flushHeaders()
  const part = firstPart(body, fault.at === "before" ? 0 : fault.at)
  outgoing.write(part, () => breakConnection(outgoing, fault.how))
}

export const breakConnection = (response: ServerResponse, how: "reset" | "close"): void => {
  if (how === "reset") response.socket?.resetAndDestroy()
  else response.socket?.destroy()
}

const sendInPieces = (
  response: ServerResponse,
  body: Uint8Array,
  pieces: { readonly bytes: number; readonly every: Duration.Input },
  runAfter: RunAfter
): void => {
  const next = (at: number): void => {
    if (response.destroyed) return
    if (at >= body.length) {
      response.end()
      return
    }
    runAfter(Duration.toMillis(pieces.every), () => {
      response.write(body.subarray(at, at + pieces.bytes))
      next(at + pieces.bytes)
    })
  }
  next(0)
}
