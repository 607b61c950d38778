/**
 * The routes that `chemstream serve` adds for the explorer: the files of the page, the contents of the service, and structures as pictures or computed values. The
 * server computes them (`structureRenderer`) with RDKit, which compiles code. The page may not compile code.
 */
import { ProblemDetails, Quote } from "@chemstream/api"
import { Explorer, type ServiceView } from "@chemstream/explorer"
import { type ServiceRoute, Store } from "@chemstream/service"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { version } from "../version.ts"
import * as StructureRenderer from "./structureRenderer.ts"

/** The files of the page. They hold no record, so they need no key. */
export const pages = (): ReadonlyArray<ServiceRoute.ServiceRoute> =>
  Explorer.files().map(({ body, contentType, path }) => ({
    method: "GET",
    path,
    access: "open",
    handle: Effect.succeed(HttpServerResponse.uint8Array(body, { contentType, headers: Explorer.headers }))
  }))

/** The number of records among which the route looks for examples with a structure, and the most examples. */
const examined = 1000
const mostExamples = 6

/** How long the contents are cached. Counting millions of substances takes some milliseconds. */
const cachedFor = "1 minute"

/** Describes the service to the start page: the number of substances, the endpoints with records, and examples. */
export const contents: Effect.Effect<ServiceRoute.ServiceRoute> = Effect.gen(function* () {
  const read = Effect.gen(function* () {
    const store = yield* Store.Store
    const { endpoints, substances } = yield* store.contents()
    const fields = ["dtxsid", "preferredName", "casrn", "molFormula", "smiles"]
    const page: ReadonlyArray<ServiceView.Example> = JSON.parse(
      new TextDecoder().decode(yield* store.detailPage(1, examined, fields))
    )
    const drawn = page.filter(({ smiles }) => smiles !== null && smiles !== "")
    // Neighbours are often alike, so the examples are far apart.
    const step = Math.ceil(drawn.length / mostExamples)
    const examples = drawn.filter((_, at) => at % step === 0)
    return { version, substances, endpoints, examples } satisfies ServiceView.ServiceView
  })
  const cached = yield* Effect.cachedWithTTL(read, cachedFor)
  return {
    method: "GET",
    path: Explorer.servicePath,
    access: "key",
    handle: Effect.orDie(Effect.map(cached, (view) => HttpServerResponse.jsonUnsafe(view)))
  }
})

const isForm = (text: string): text is StructureRenderer.Form =>
  (StructureRenderer.forms as ReadonlyArray<string>).includes(text)

/**
 * Responds to `?of=SMILES&as=svg` with a picture of a structure, or with its InChI, InChIKey or monoisotopic mass.
 */
export const structure = (render: StructureRenderer.Render): ServiceRoute.ServiceRoute => ({
  method: "GET",
  path: Explorer.structurePath,
  access: "key",
  handle: Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const parameters = new URL(url, "http://service").searchParams
    const as = parameters.get("as") ?? "svg"
    if (!isForm(as)) {
      return yield* new ProblemDetails.BadRequest({
        detail: `The query parameter "as" must be one of ${StructureRenderer.forms.join(", ")}, not ${Quote.value(as)}`
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
