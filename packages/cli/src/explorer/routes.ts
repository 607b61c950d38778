/**
 * The routes that `chemstream serve` adds for the explorer: the files of the page, and structures as pictures or computed values. The
 * server computes them (`structures`) with RDKit, which compiles code. The page may not compile code.
 */
import { ProblemDetails, Quote } from "@chemstream/api"
import { Explorer } from "@chemstream/explorer"
import type { ServiceRoute } from "@chemstream/service"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Structures from "./structures.ts"

/** The files of the page. They hold no record, so they need no key. */
export const pages = (): ReadonlyArray<ServiceRoute.ServiceRoute> =>
  Explorer.files().map(({ body, contentType, path }) => ({
    method: "GET",
    path,
    access: "open",
    handle: Effect.succeed(HttpServerResponse.uint8Array(body, { contentType, headers: Explorer.headers }))
  }))

const isForm = (text: string): text is Structures.Form =>
  (Structures.forms as ReadonlyArray<string>).includes(text)

/**
 * Responds to `?of=SMILES&as=svg` with a picture of a structure, or with its InChI, InChIKey or monoisotopic mass.
 */
export const structure = (render: Structures.Render): ServiceRoute.ServiceRoute => ({
  method: "GET",
  path: Explorer.structurePath,
  access: "key",
  handle: Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const parameters = new URL(url, "http://service").searchParams
    const as = parameters.get("as") ?? "svg"
    if (!isForm(as)) {
      return yield* new ProblemDetails.BadRequest({
        detail: `The query parameter "as" must be one of ${Structures.forms.join(", ")}, not ${Quote.value(as)}`
      })
    }
    const rendered = yield* render(parameters.get("of") ?? "", as)
    if ("refusal" in rendered) return yield* new ProblemDetails.BadRequest({ detail: rendered.refusal })
    return HttpServerResponse.text(rendered.text, {
      contentType: as === "svg" ? "image/svg+xml" : "text/plain; charset=utf-8",
      headers: Explorer.headers
    })
  })
})
