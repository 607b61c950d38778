/**
 * Runs a proxy on loopback that applies a scenario to an HTTP service or to a function.
 *
 * `Scenario.ts` and `Fault.ts` define the faults. The proxy speaks plain HTTP; the service may use TLS. It reads
 * every request and every response into memory, so it is for tests, not for gigabytes.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { Duration, Effect, Schema, type Scope } from "effect"
import type { Fault } from "./Fault.ts"
import { argument } from "./internal/checkArgument.ts"
import { applyFault, injectedResponse } from "./internal/faults/applyFaults.ts"
import * as planFaults from "./internal/faults/planFaults.ts"
import * as Delivery from "./internal/http/deliverResponse.ts"
import {
  forward,
  type ProxyRequest,
  type ProxyResponse,
  type Upstream
} from "./internal/http/forwardRequest.ts"
import * as Listener from "./internal/http/reopenableListener.ts"
import { Time } from "./internal/scenarioTime.ts"
import * as Timers from "./internal/timers.ts"
import { Scenario } from "./Scenario.ts"

export type { ProxyRequest, ProxyResponse, Upstream }

/** A request and its fault. */
export interface Event {
  readonly request: ProxyRequest
  /** The attempt, from 1. */
  readonly attempt: number
  /** The fault of the response. Undefined: no fault. */
  readonly fault: Fault["_tag"] | undefined
  /** The elements that were removed from the response, as JSON texts. */
  readonly omitted: ReadonlyArray<string>
}

/** Where the proxy sends requests to, and what it does to them. */
export interface Options {
  readonly scenario: Scenario
  /** The service behind the proxy. */
  readonly upstream: Upstream
  /** Called for each request when its response begins. */
  readonly onEvent?: ((event: Event) => void) | undefined
}

const isFunction = (value: unknown): value is () => void => typeof value === "function"

const optionSchema: Schema.Codec<Options> = Schema.Struct({
  scenario: Scenario,
  upstream: Schema.declare((value): value is Upstream => isFunction(value) || URL.canParse(String(value))),
  onEvent: Schema.optional(Schema.declare(isFunction))
})

/** A running proxy. */
export interface FaultProxy extends AsyncDisposable {
  /** The base URL, without a slash at the end. */
  readonly url: string
  /** The number of requests so far. */
  readonly requests: number
  /** The number of requests with a fault. */
  readonly faults: number
  /** The number of open connections. */
  readonly connections: number
  /**
   * Replaces rules, bursts and latency from the next request on, and starts counting attempts anew.
   *
   * The outages and the late start of the new scenario are ignored.
   */
  readonly setScenario: (scenario: Scenario) => void
  /** Closes all connections and the port, and reopens the same port after this time. */
  readonly goDown: (time: Duration.Input) => void
}

/**
 * Starts a proxy. Rejects if no port is free.
 *
 * @example
 *
 * ```ts
 * import { FaultProxy, Scenario } from "@chemstream/faults"
 *
 * const scenario: Scenario.Scenario = {
 *   ...Scenario.noFaults,
 *   rules: [{ fault: { _tag: "Status", status: 503, body: "problem" }, share: 1, times: 2 }]
 * }
 * const proxy = await FaultProxy.start({
 *   scenario,
 *   upstream: () => ({ status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("[]") })
 * })
 * const statuses = [await fetch(proxy.url), await fetch(proxy.url), await fetch(proxy.url)].map(({ status }) => status)
 * statuses // => [503, 503, 200]
 * await proxy[Symbol.asyncDispose]()
 * ```
 */
export const start = async (options: Options): Promise<FaultProxy> => {
  const { onEvent, scenario, upstream } = argument("options", optionSchema, options)
  const timers = Timers.make()
  const run: Run = { scenario, plan: planFaults.make(scenario), requests: 0, faults: 0 }
  const goDown = (time: Duration.Input): void => {
    listener.closePort()
    timers.runAfter(Duration.toMillis(argument("time", Time, time)), () => void listener.reopen())
  }
  const handle = handler(
    { outages: scenario.outages, upstream, onEvent, runAfter: timers.runAfter, goDown },
    run
  )
  const startDelay = Duration.toMillis(scenario.startDelay)
  const listener = await Listener.open(
    (request, response) => {
      // If a request cannot be read, its client has disconnected and needs no response.
      handle(request, response).catch(() => response.destroy())
    },
    { initiallyClosed: startDelay > 0 }
  )
  if (startDelay > 0) timers.runAfter(startDelay, () => void listener.reopen())
  return {
    url: `http://127.0.0.1:${listener.port}`,
    get requests() {
      return run.requests
    },
    get faults() {
      return run.faults
    },
    get connections() {
      return listener.connections()
    },
    goDown,
    setScenario: (next) => {
      run.scenario = argument("scenario", Scenario, next)
      run.plan = planFaults.make(next)
    },
    [Symbol.asyncDispose]: async () => {
      timers.cancel()
      await listener.close()
    }
  }
}

/** Starts a proxy that closes with the scope. Dies if no port is free. */
export const make = (options: Options): Effect.Effect<FaultProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(options)),
    (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
  )

/** The state of a proxy. */
interface Run {
  scenario: Scenario
  plan: ReturnType<typeof planFaults.make>
  requests: number
  faults: number
}

/** Makes the function that handles a request: with an outage, or with a response after its latency. */
const handler =
  (
    options: Pick<Options, "onEvent" | "upstream"> & {
      readonly outages: Scenario["outages"]
      readonly runAfter: Timers.RunAfter
      readonly goDown: (time: Duration.Input) => void
    },
    run: Run
  ) =>
  async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { runAfter, goDown, onEvent, outages, upstream } = options
    const request = await read(incoming)
    run.requests++
    const { attempt, fault, random } = run.plan.next(
      `${request.method} ${request.url} ${request.body.toString("latin1")}`
    )
    if (fault !== undefined) run.faults++
    const outage = outages.find(({ after }) => after === run.requests)
    if (outage !== undefined) {
      goDown(outage.duration)
      return
    }
    const notify = (omitted: ReadonlyArray<string>): void =>
      onEvent?.({ request, attempt, fault: fault?._tag, omitted })
    const respond = async (): Promise<void> => {
      const injected = fault === undefined ? undefined : injectedResponse(fault, Date.now())
      if (fault?._tag === "Silence") {
        notify([])
      } else if (fault?._tag === "Cut" && fault.at === "before") {
        notify([])
        Delivery.breakConnection(response, fault.how)
      } else if (injected !== undefined) {
        notify([])
        Delivery.deliver(response, injected, undefined, runAfter)
      } else {
        const original = await forward(upstream, request).catch(badGateway)
        const changed =
          fault === undefined ? { response: original, omitted: [] } : applyFault(original, fault, random)
        notify(changed.omitted)
        Delivery.deliver(response, changed.response, fault, runAfter)
      }
    }
    const { jitter, latency } = run.scenario
    runAfter(Duration.toMillis(latency) + random.unit() * Duration.toMillis(jitter), () => void respond())
  }

const read = async (request: IncomingMessage): Promise<ProxyRequest> => {
  const body = await buffer(request)
  return {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: request.headers,
    body
  }
}

/** The response when the service cannot be reached. */
const badGateway = (error: unknown): ProxyResponse => ({
  status: 502,
  headers: { "content-type": "text/plain" },
  body: Buffer.from(`The service behind the proxy did not respond: ${String(error)}\n`)
})
