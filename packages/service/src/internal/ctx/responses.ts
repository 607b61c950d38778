/**
 * The bodies of the public service before they are laid out: JSON texts, and refusals as problem documents. `dress` gives
 * both the form that is sent.
 */
import type { Effect } from "effect"
import { HttpServerResponse, ProblemDetails } from "effect/http"
import type { Variants } from "../../Variants.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What a row answers. */
export type Answer = Effect.Effect<Response>

/** The response of one JSON text. */
export const json = (text: string): Response =>
  HttpServerResponse.text(text, { contentType: "application/json" })

/** The response of an array of JSON texts. */
export const list = (texts: ReadonlyArray<string>): Response => json(`[${texts.join(",")}]`)

/** 200 without a body. */
export const emptyBody: Response = HttpServerResponse.empty({
  status: 200,
  headers: { "content-type": "application/json" }
})

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  415: "Unsupported Media Type",
  500: "Internal Server Error"
}

/** A refusal: a problem document with these members beside its status. */
export const refusal = (status: number, members: Readonly<Record<string, unknown>> = {}): Response =>
  HttpServerResponse.jsonUnsafe(
    { type: "about:blank", title: titles[status], status, ...members },
    { status, contentType: ProblemDetails.contentType }
  )

/** The body of a request is not what its row takes. */
export const unreadable: Response = refusal(400, { detail: "Failed to read request" })

/** A value of a path or a query is of another type than its row takes. */
export const unconverted = (name: string, value: string): Response =>
  refusal(400, { detail: `Failed to convert '${name}' with value: '${value}'` })

/** What a body object must have and has not, by field. */
export const violations = (fields: Readonly<Record<string, string>>): Response =>
  refusal(400, { title: "Constraint Violations", violations: fields })

/** A chemical batch that is too large, in the words of a release. */
export const tooMany = (
  wording: Variants["tooMany"],
  kind: string,
  count: number,
  limit: number
): Response => {
  switch (wording) {
    // The service mixes up what the three places are for.
    case "2025":
      return refusal(400, {
        detail: `System supports only '${limit}' '${count}' at one time, '${kind}' are submitted.`
      })
    case "documented":
      return refusal(400, {
        title: "Validation Error",
        detail: `System supports requests of '${limit}' ${kind.toUpperCase()}s at one time, '${count}' are submitted.`
      })
    case "next":
      return refusal(400, {
        title: "Validation failure",
        violations: [`Batch exceeded maximum configured size (${limit})`]
      })
  }
}

/** An identifier that is not known, where that is a miss. */
export const notFound = (misses: Variants["misses"], kind: string, value: string): Response =>
  misses === "empty"
    ? emptyBody
    : refusal(Number(misses), { detail: `${kind} with value ${value} not found.` })

/** A key that is missing or not known: the body repeats it. */
export const unauthorized = (key: string): Response =>
  refusal(
    401,
    key === ""
      ? {
          title: "API Header Not Found",
          detail:
            "Every API call should pass assigned API key through custom http header or query parameter. Request is missing x-api-key."
        }
      : {
          title: "API Key Not Found",
          detail: `Please contact API admin for requesting a valid API key. Key ${key} not found.`
        }
  )

/** A path that the gateway in front of the service refuses. */
export const refusedByGateway: Response = HttpServerResponse.text(
  "<!DOCTYPE HTML>\n<html><head><title>400 Bad Request</title></head><body><h1>Bad Request</h1></body></html>\n",
  { status: 400, contentType: "text/html; charset=iso-8859-1" }
)
