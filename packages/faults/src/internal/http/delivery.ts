/**
 * An answer on its way: whole, in drips, or until the connection ends.
 */
import type { ServerResponse } from "node:http"
import type { Fault } from "../../Fault.ts"
import { type Answer, beginning, passing } from "./upstream.ts"

/** Runs something after a time, in milliseconds, unless the proxy is closed before. */
export type After = (millis: number, run: () => void) => void

/** Sends an answer as the fault has it. */
export const deliver = (
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  after: After
): void => {
  const { body, headers, status } = answer
  if (fault?._tag === "Drip") {
    response.writeHead(status, passing(headers) as Record<string, string>)
    drip(response, body, fault, after)
    return
  }
  response.writeHead(status, {
    ...(passing(headers) as Record<string, string>),
    "content-length": body.length
  })
  if (fault?._tag !== "Cut") {
    response.end(body)
    return
  }
  response.flushHeaders()
  const part = beginning(body, fault.at === "before" ? 0 : fault.at)
  response.write(part, () => breakOff(response, fault.how))
}

/** Ends the connection of a request. */
export const breakOff = (response: ServerResponse, how: "reset" | "close"): void => {
  if (how === "reset") response.socket?.resetAndDestroy()
  else response.socket?.destroy()
}

const drip = (
  response: ServerResponse,
  body: Uint8Array,
  pace: { readonly bytes: number; readonly everyMillis: number },
  after: After
): void => {
  const next = (at: number): void => {
    if (response.destroyed) return
    if (at >= body.length) {
      response.end()
      return
    }
    after(pace.everyMillis, () => {
      response.write(body.subarray(at, at + pace.bytes))
      next(at + pace.bytes)
    })
  }
  next(0)
}
