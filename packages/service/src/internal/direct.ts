/**
 * The direct way to an endpoint: GETs that take a moment, as that of one record, are answered within the event of the
 * server that brings them. What Effect's server and `HttpApi` do around a handler costs as much as all the rest: of 12,000
 * substances 0.46 of what a bare server answers with it, 0.7 without.
 *
 * Path, parameters and query are those of the contract's endpoint, the key's check is that of the contract's middleware, and
 * the handler is the one that is given to `HttpApi` as well: a request that does not fit, and every other method, goes
 * there and is told so.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Access } from "@chemstream/api"
import { type Clock, Context, type Effect, Result, Schema } from "effect"
import type { HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Gate } from "./access.ts"
import { atOnce } from "./atOnce.ts"
import { matches, validator } from "./conditional.ts"
import type { Match, Paths } from "./methods.ts"
import { now, type Observe } from "./observe.ts"
import { header } from "./requestId.ts"

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

/** Answers a request if that can be done at once, and gives whether it did; if not, nothing has been done. */
export type AtOnce = (request: IncomingMessage, response: ServerResponse) => boolean

/** What an answer at once goes through, as any other does. */
export interface Around {
  readonly gate: Gate
  readonly find: Paths["find"]
  readonly maxUrlLength: number
  readonly observed: Observe
  readonly clock: Clock.Clock
}

/**
 * Answers GETs that have a direct way and find something. Whatever is out of the ordinary is left to the application:
 * what may be compressed, what is refused, what is not found.
 */
export const directly =
  (ways: Ways, { clock, find, gate, maxUrlLength, observed }: Around): AtOnce =>
  (request, response) => {
    const { headers, method, url = "" } = request
    if (method !== "GET" || url.length > maxUrlLength || headers["accept-encoding"] !== undefined)
      return false
    const at = now(clock)
    const match = find({ method, url })
    if (match === undefined) return false
    const way = ways.of(match.path)
    const asked = way?.read(match)
    if (way === undefined || asked === undefined) return false
    if (!gate.knows(one(headers[Access.defaultKeyHeader]) ?? "")) return false
    const answer = atOnce(way.handler(asked as never))
    if (answer?.status !== 200 || answer.body._tag !== "Uint8Array") return false
    const tagged = validator(answer)
    const had = headers["if-none-match"]
    const isHad = tagged !== undefined && had !== undefined && matches(had, tagged.etag)
    const status = isHad ? 304 : 200
    const body = isHad ? undefined : answer.body.body
    const { answered, id } = observed({
      method,
      url,
      id: one(headers[header]),
      match,
      remote: () => request.socket.remoteAddress ?? null,
      at
    })
    answered({ status, bytes: body?.length ?? 0 }, now(clock))
    // A list, which Node takes as it is.
    const sent: Array<string> = []
    if (!isHad) for (const name of Object.keys(answer.headers)) sent.push(name, answer.headers[name] ?? "")
    if (tagged !== undefined) sent.push("etag", tagged.etag, "cache-control", tagged["cache-control"])
    sent.push("vary", "Accept-Encoding", header, id)
    response.writeHead(status, sent)
    response.end(body)
    return true
  }

const one = (value: string | Array<string> | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

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
  const ofNoQuery = readQuery?.({})
  return (match) => {
    const ofPath = readParams?.(match.params)
    const ofQuery = isEmpty(match.searchParams) ? ofNoQuery : readQuery?.(match.searchParams)
    if ((ofPath && Result.isFailure(ofPath)) || (ofQuery && Result.isFailure(ofQuery))) return undefined
    return { params: ofPath?.success, query: ofQuery?.success }
  }
}

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}
