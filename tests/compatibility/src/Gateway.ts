// The service of the fixtures: `chemstream serve` behind a proxy on loopback.
//
// The fixtures name the service `http://service.test`, because an address is a part of each stored run. Commands reach
// that name through this proxy, which has a free port. It can refuse or hold requests, so that a run stops halfway.
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import * as Command from "./Command.ts"

/** The base URL of the service in the fixtures. */
export const baseUrl = "http://service.test"

/** The key of the service. */
export const key = "compatibility-key"

/** The number of records in a page of the list of all chemicals. The service's own pages would be longer than the list. */
const pageSize = 9

/** A request that the service has received. */
export interface Request {
  readonly path: string
  readonly body: string
}

/** The response to a request. Undefined: the service responds. */
export type Rule = (
  request: Request,
  number: number
) => Promise<{ readonly status: number; readonly body: string } | undefined>

/** A running service. */
export interface Gateway {
  /** The address of `chemstream serve` behind the proxy. */
  readonly upstream: string
  /** The environment of a command that uses the service. */
  readonly env: Readonly<Record<string, string>>
  /** The environment without the base URL and the key. */
  readonly proxyEnv: Readonly<Record<string, string>>
  /** The requests since `reset`. */
  readonly requests: ReadonlyArray<Request>
  /** Forgets the requests, and changes the rule. Default: the service responds to all. */
  readonly reset: (rule?: Rule) => void
  readonly stop: () => Promise<void>
}

/** Serves a database. */
export const start = async (database: string, cwd: string): Promise<Gateway> => {
  const service = Command.start(["serve", "--port", "0", "--database", database], {
    cwd,
    env: { CHEMSTREAM_API_KEYS: key }
  })
  const [, upstream = ""] = await service.says(/serves at (http:\S+)/)
  const requests: Array<Request> = []
  let rule: Rule = async () => undefined
  const proxy = createServer(async (incoming, response) => {
    const { pathname, search } = new URL(incoming.url ?? "", baseUrl)
    const body = await buffer(incoming)
    const request = { path: pathname + search, body: body.toString() }
    const ruled = await rule(request, requests.push(request))
    const { headers, status, text } =
      ruled === undefined
        ? await forward(upstream, incoming, request.path, body)
        : { status: ruled.status, text: ruled.body, headers: {} }
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const proxyEnv = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
  return {
    upstream,
    proxyEnv,
    env: { ...proxyEnv, CHEMSTREAM_BASE_URL: baseUrl, CHEMSTREAM_API_KEY: key },
    requests,
    reset: (next = async () => undefined) => {
      requests.length = 0
      rule = next
    },
    stop: async () => {
      proxy.close()
      proxy.closeAllConnections()
      service.child.kill("SIGTERM")
      await service.ended
    }
  }
}

/** Refuses the key after some requests: the run stops, and keeps its results. */
export const refuseAfter =
  (count: number): Rule =>
  async (_, number) =>
    number > count ? { status: 401, body: "{}" } : undefined

/** Like `refuseAfter`, and refuses the first request last: the batches after it are settled before it. */
export const refuseFirst = (count: number): Rule => {
  const refused = Promise.withResolvers<void>()
  return async (_, number) => {
    if (number > count) refused.resolve()
    if (number === 1) await refused.promise
    return number === 1 || number > count ? { status: 401, body: "{}" } : undefined
  }
}

/** Responds to some requests, each after more than the second between two saves, and never to the others. */
export const holdAfter =
  (count: number): Rule =>
  async (_, number) => {
    if (number > count) await new Promise<never>(() => {})
    await setTimeout(1100)
    return undefined
  }

const forward = async (upstream: string, incoming: IncomingMessage, path: string, body: Buffer) => {
  const list = path.startsWith("/chemical/all") ? new URL(path, baseUrl) : undefined
  const page = Number(list?.searchParams.get("next") ?? 1)
  list?.searchParams.set("next", "1")
  const answer = await fetch(`${upstream}${list === undefined ? path : list.pathname + list.search}`, {
    method: incoming.method ?? "GET",
    headers: {
      "content-type": String(incoming.headers["content-type"] ?? "application/json"),
      "x-api-key": String(incoming.headers["x-api-key"] ?? "")
    },
    ...(body.length > 0 ? { body: body.toString() } : {})
  })
  const etag = answer.headers.get("etag")
  const whole = await answer.text()
  const text =
    list === undefined || answer.status !== 200
      ? whole
      : JSON.stringify(JSON.parse(whole).slice((page - 1) * pageSize, page * pageSize))
  return { status: answer.status, text, headers: etag === null ? {} : { etag } }
}
