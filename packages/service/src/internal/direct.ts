/**
 * The direct way to an endpoint: for GETs that take a moment, as that of one record, of which what `HttpApi` does around
 * a handler takes a third (125 microseconds of the processor with it, 90 without).
 *
 * Path, parameters and query are those of the contract's endpoint, the key's check is that of the contract's middleware, and
 * the handler is the one that is given to `HttpApi` as well: a request that does not fit, and every other method, goes
 * there and is told so. Needs a match of `paths`, which `observe` provides.
 */
import { Access } from "@chemstream/api"
import { Context, Effect, Redacted, Result, Schema } from "effect"
import { HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Gate } from "./access.ts"
import type { Match } from "./methods.ts"
import { Seen } from "./observe.ts"

type Response = HttpServerResponse.HttpServerResponse

/** As much of a request as these endpoints have. */
type Asked<Endpoint> = Pick<
  HttpApiEndpoint.Request<Endpoint>,
  Extract<"params" | "query", keyof HttpApiEndpoint.Request<Endpoint>>
>

interface Way {
  /** What is asked; undefined where the request does not fit the endpoint. */
  readonly read: (match: Match) => unknown
  readonly handler: (asked: never) => Effect.Effect<Response, HttpServerRespondable.Respondable>
}

/** The endpoints with a direct way. */
export class Ways {
  private readonly byPath = new Map<string, Way>()

  /** Gives an endpoint a direct way, and gives its handler back. */
  add<
    const Endpoint extends HttpApiEndpoint.Constraint & Readable,
    E extends HttpServerRespondable.Respondable
  >(endpoint: Endpoint, handler: (asked: Asked<Endpoint>) => Effect.Effect<Response, E>): typeof handler {
    this.byPath.set(endpoint.path, { read: reader(endpoint), handler })
    return handler
  }

  /** The direct way to the endpoint of a path. */
  of(path: string): Way | undefined {
    return this.byPath.get(path)
  }
}

/** Where handlers say which endpoints have a direct way; by default nobody listens. */
export const Direct: Context.Reference<Ways> = Context.Reference("@chemstream/service/Direct", {
  defaultValue: () => new Ways()
})

type App<E, R> = Effect.Effect<Response, E, R>

/** Answers directly what there is a direct way for, and leaves all else to the application. */
export const directly =
  (ways: Ways, gate: Gate) =>
  <E, R>(app: App<E, R>): App<E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.withFiber((fiber) => {
      const { match } = fiber.getRef(Seen)
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const way = match === undefined || request.method !== "GET" ? undefined : ways.of(match.path)
      if (match === undefined || way === undefined) return app
      const asked = way.read(match)
      if (asked === undefined) return app
      const key = Redacted.make(request.headers[Access.defaultKeyHeader] ?? "")
      return gate(key).pipe(
        Effect.flatMap((refusal) =>
          refusal === undefined ? way.handler(asked as never) : Effect.succeed(refusal)
        ),
        Effect.catch(HttpServerRespondable.toResponse),
        Effect.interruptible
      )
    })

interface Readable {
  readonly path: string
  readonly params?: Schema.Top | undefined
  readonly query?: Schema.Top | undefined
}

// The schemas of the contract need no services.
type Plain = Schema.Top & { readonly DecodingServices: never }

const reader = ({ params, query }: Readable): Way["read"] => {
  const readParams = params === undefined ? undefined : Schema.decodeUnknownResult(params as Plain)
  const readQuery =
    query === undefined
      ? undefined
      : Schema.decodeUnknownResult(Schema.toCodecArrayFromSingle(query as Plain))
  return (match) => {
    const ofPath = readParams?.(match.params)
    const ofQuery = readQuery?.(match.searchParams)
    if ((ofPath && Result.isFailure(ofPath)) || (ofQuery && Result.isFailure(ofQuery))) return undefined
    return { params: ofPath?.success, query: ofQuery?.success }
  }
}
