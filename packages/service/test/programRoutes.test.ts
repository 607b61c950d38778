import { ProblemDetails } from "@chemstream/api"
import { Bundled, Service, type ServiceRoute } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"

const page: ServiceRoute.ServiceRoute = {
  method: "GET",
  path: "/",
  access: "open",
  handle: Effect.succeed(HttpServerResponse.html("<p>a page</p>"))
}

const drawing: ServiceRoute.ServiceRoute = {
  method: "GET",
  path: "/drawing",
  access: "key",
  handle: Effect.succeed(HttpServerResponse.text("drawn"))
}

const refusing: ServiceRoute.ServiceRoute = {
  method: "POST",
  path: "/refusing",
  access: "open",
  handle: Effect.fail(new ProblemDetails.BadRequest({ detail: "not like this" }))
}

const respond = (request: Request, options: Partial<Service.HttpOptions> = {}): Promise<Response> =>
  Service.webHandler({
    database: Bundled.database,
    keys: [Redacted.make("a-key")],
    routes: [page, drawing, refusing],
    ...options
  }).pipe(
    Effect.flatMap((handle) => Effect.promise(() => handle(request))),
    Effect.scoped,
    Effect.runPromise
  )

const get = (path: string, headers: HeadersInit = {}): Request =>
  new Request(`http://service${path}`, { headers })

describe("a route that a program adds", () => {
  it("replaces the page of the service, without a key", async () => {
    const response = await respond(get("/"))
    expect([response.status, await response.text()]).toEqual([200, "<p>a page</p>"])
  })

  it("is validated like every response", async () => {
    const { headers } = await respond(get("/"))
    const again = await respond(get("/", { "if-none-match": headers.get("etag") ?? "" }))
    expect(again.status).toBe(304)
  })

  it("refuses requests without a known key if it needs one", async () => {
    expect((await respond(get("/drawing"))).status).toBe(401)
    expect((await respond(get("/drawing", { "x-api-key": "another" }))).status).toBe(401)
    const response = await respond(get("/drawing", { "x-api-key": "a-key" }))
    expect(await response.text()).toBe("drawn")
  })

  it("counts towards the limits of its key", async () => {
    const options = { rateLimit: { requests: 0, per: "1 hour" as const } }
    expect((await respond(get("/drawing", { "x-api-key": "a-key" }), options)).status).toBe(429)
    expect((await respond(get("/"), options)).status).toBe(200)
  })

  it("responds with a problem document if its handler fails, and with 405 to another method", async () => {
    const refused = await respond(new Request("http://service/refusing", { method: "POST" }))
    expect([refused.status, (await refused.json()).detail]).toEqual([400, "not like this"])
    expect((await respond(get("/refusing"))).status).toBe(405)
  })

  it("works in a service that imitates the public service", async () => {
    const response = await respond(get("/"), { dialect: "ctx" })
    expect(await response.text()).toBe("<p>a page</p>")
  })
})
