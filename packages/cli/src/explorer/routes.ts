/**
 * The routes that `chemstream serve` adds for the explorer: the files of the page, and structures as pictures or computed values. The
 * server computes them with RDKit, which compiles code. The page may not compile code.
 */
import { ProblemDetails } from "@chemstream/api"
import { Explorer } from "@chemstream/explorer"
import type { Structure } from "@chemstream/figures"
import type { ServiceRoute } from "@chemstream/service"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as picture from "../figures/picture.ts"

/** The files of the page. They hold no record, so they need no key. */
export const pages = (): ReadonlyArray<ServiceRoute.ServiceRoute> =>
  Explorer.files().map(({ body, contentType, path }) => ({
    method: "GET",
    path,
    access: "open",
    handle: Effect.succeed(HttpServerResponse.uint8Array(body, { contentType, headers: Explorer.headers }))
  }))

const forms = ["svg", "inchi", "inchikey", "mass"] as const

type Form = (typeof forms)[number]

const isForm = (text: string): text is Form => (forms as ReadonlyArray<string>).includes(text)

/**
 * Responds to `?of=SMILES&as=svg` with a picture of a structure, or with its InChI, InChIKey or monoisotopic mass.
 */
export const structure: ServiceRoute.ServiceRoute = {
  method: "GET",
  path: Explorer.structurePath,
  access: "key",
  handle: Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const parameters = new URL(url, "http://service").searchParams
    const as = parameters.get("as") ?? "svg"
    if (!isForm(as)) {
      return yield* new ProblemDetails.BadRequest({
        detail: `The query parameter "as" must be one of ${forms.join(", ")}, not ${JSON.stringify(as)}`
      })
    }
    const text = yield* render(parameters.get("of") ?? "", as).pipe(
      Effect.mapError(({ message }) => new ProblemDetails.BadRequest({ detail: message }))
    )
    return HttpServerResponse.text(text, {
      contentType: as === "svg" ? "image/svg+xml" : "text/plain; charset=utf-8",
      headers: Explorer.headers
    })
  })
}

const render = (of: string, as: Form): Effect.Effect<string, Structure.UnreadableStructure> =>
  Effect.flatMap(picture.load, ({ Properties, Structure }) => {
    switch (as) {
      case "svg":
        return Structure.toSvg(of, { palette: "elements" })
      case "mass":
        return Effect.map(Properties.mass(of), String)
      default:
        return Properties[as](of)
    }
  })
