// The requests to every endpoint of the service whose responses the fixtures hold.
import * as Gateway from "./Gateway.ts"

/** A request. */
export interface Request {
  readonly path: string
  /** The body of a POST. Undefined: a GET. */
  readonly body?: string
}

/** A response, with its body as text. */
export interface Response {
  readonly request: Request
  readonly status: number
  readonly body: string
}

/** Sends the requests. */
export const ask = (url: string, requests: ReadonlyArray<Request>): Promise<ReadonlyArray<Response>> =>
  Promise.all(
    requests.map(async (request) => {
      const answer = await fetch(`${url}${request.path}`, {
        method: request.body === undefined ? "GET" : "POST",
        headers: { "x-api-key": Gateway.key, "content-type": "application/json" },
        ...(request.body === undefined ? {} : { body: request.body })
      })
      return { request, status: answer.status, body: await answer.text() }
    })
  )
