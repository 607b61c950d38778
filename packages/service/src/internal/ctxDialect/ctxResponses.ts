/**
 * Makes the responses of the public service: JSON texts, and refusals as problem documents. `ctxFinalForm.ts` changes both
 * before they are sent.
 */
import type { Effect } from "effect"
import { HttpServerResponse, ProblemDetails } from "effect/http"
import type { Variants } from "../../Variants.ts"

type Response = HttpServerResponse.HttpServerResponse

export type HandlerResponse = Effect.Effect<Response>

/** Makes a response of a JSON text. */
export const json = (text: string): Response =>
  HttpServerResponse.text(text, { contentType: "application/json" })

/** Makes a response of an array of JSON texts. */
export const list = (texts: ReadonlyArray<string>): Response => json(`[${texts.join(",")}]`)

/** Status 200 without a body. */
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

/** Makes a refusal: a problem document with a status and members. */
export const refusal = (status: number, members: Readonly<Record<string, unknown>> = {}): Response =>
  HttpServerResponse.jsonUnsafe(
    { type: "about:blank", title: titles[status], status, ...members },
    { status, contentType: ProblemDetails.contentType }
  )

/** The refusal of a malformed body. */
export const unreadable: Response = refusal(400, { detail: "Failed to read request" })

/** Refuses a value of a path or of a query that has the wrong type. */
export const conversionFailed = (name: string, value: string): Response =>
  refusal(400, { detail: `Failed to convert '${name}' with value: '${value}'` })

/** Refuses a body with missing fields. */
export const violations = (fields: Readonly<Record<string, string>>): Response =>
  refusal(400, { title: "Constraint Violations", violations: fields })

/** Refuses a chemical batch that is too large, in the wording of a release. */
export const tooMany = (
  wording: Variants["tooMany"],
  kind: string,
  count: number,
  limit: number
): Response => {
  switch (wording) {
    // The public service mixes up the three placeholders.
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

/** Responds to an unknown identifier. */
export const notFound = (misses: Variants["misses"], kind: string, value: string): Response =>
  misses === "empty"
    ? emptyBody
    : refusal(Number(misses), { detail: `${kind} with value ${value} not found.` })

/** Refuses a missing or unknown key. The body repeats the key. */
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

/** The response to a path that the gateway in front of the service refuses. */
export const gatewayRefusal: Response = HttpServerResponse.text(
  "<!DOCTYPE HTML>\n<html><head><title>400 Bad Request</title></head><body><h1>Bad Request</h1></body></html>\n",
  { status: 400, contentType: "text/html; charset=iso-8859-1" }
)
