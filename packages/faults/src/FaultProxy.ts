/**
 * A proxy on loopback that acts out a scenario in front of an HTTP service, or of a function that answers.
 *
 * What goes wrong is said in `Scenario.ts` and `Fault.ts`. Plain HTTP on this side; the service behind may speak TLS. Reads
 * every request and every answer whole: it is for tests, not for gigabytes.
 */
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"
import type { Fault } from "./Fault.ts"
import { instead, spoil } from "./internal/faults/application.ts"
import * as Plan from "./internal/faults/plan.ts"
import * as Deliver from "./internal/http/delivery.ts"
import * as Listener from "./internal/http/listener.ts"
import { type Answer, type Asked, ask, type Upstream } from "./internal/http/upstream.ts"
import type { Scenario } from "./Scenario.ts"

export type { Answer, Asked, Upstream }

/** A request and what became of it. */
export interface Event {
  readonly asked: Asked
  /** How often this request has come, this time included. */
  readonly attempt: number
  /** What went wrong with it; nothing when not given. */
  readonly fault: Fault["_tag"] | undefined
  /** The elements that were taken from the answer, as JSON texts. */
  readonly omitted: ReadonlyArray<string>
}

/** What a proxy needs to know. */
export interface Options {
  readonly scenario: Scenario
  /** The service behind. */
  readonly upstream: Upstream
  /** Is told of each request when its answer begins. */
  readonly onEvent?: ((event: Event) => void) | undefined
}

/** A proxy that runs. */
export interface FaultProxy extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Requests that came. */
  readonly requests: number
  /** Requests that a fault met. */
  readonly spoilt: number
  /** Connections that are open. */
  readonly connections: number
  /**
   * Acts out another scenario from the next request on: its rules, bursts and latency; the attempts are counted anew.
   * Its outages and its late start are not looked at.
   */
  readonly behave: (scenario: Scenario) => void
  /** Dies now: breaks off what is open, and is back on the same port after so many milliseconds. */
  readonly die: (forMillis: number) => void
}

/**
 * Starts a proxy. Rejects where no port can be had.
 *
 * @example
 * ```ts
 * import { FaultProxy, Scenario } from "@chemstream/faults"
 *
 * const scenario: Scenario.Scenario = {
 *   ...Scenario.calm,
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
export const start = async ({ onEvent, scenario, upstream }: Options): Promise<FaultProxy> => {
  const timers = new Set<NodeJS.Timeout>()
  const after: Deliver.After = (millis, run) => {
    if (millis <= 0) {
      run()
      return
    }
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, millis)
    timers.add(timer)
  }
  let current = scenario
  let plan = Plan.make(scenario)
  let requests = 0
  let spoilt = 0

  const die = (forMillis: number): void => {
    listener.leave()
    after(forMillis, () => void listener.comeBack())
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await read(request)
    requests++
    const { attempt, chance, fault } = plan.next(
      `${asked.method} ${asked.url} ${asked.body.toString("latin1")}`
    )
    if (fault !== undefined) spoilt++
    const outage = scenario.outages.find((one) => one.after === requests)
    if (outage !== undefined) {
      die(outage.forMillis)
      return
    }
    const told = (omitted: ReadonlyArray<string> = []): void =>
      onEvent?.({ asked, attempt, fault: fault?._tag, omitted })
    after(current.latencyMillis + chance.unit() * current.jitterMillis, () => {
      void answer(response, asked, fault, chance, told)
    })
  }

  const answer = async (
    response: ServerResponse,
    asked: Asked,
    fault: Fault | undefined,
    chance: Plan.Fate["chance"],
    told: (omitted?: ReadonlyArray<string>) => void
  ): Promise<void> => {
    const own = fault === undefined ? undefined : instead(fault, Date.now())
    if (fault?._tag === "Silence") {
      told()
    } else if (fault?._tag === "Cut" && fault.at === "before") {
      told()
      Deliver.breakOff(response, fault.how)
    } else if (own !== undefined) {
      told()
      Deliver.deliver(response, own, undefined, after)
    } else {
      const whole = await ask(upstream, asked).catch(unreached)
      const left = fault === undefined ? { answer: whole, omitted: [] } : spoil(whole, fault, chance)
      told(left.omitted)
      Deliver.deliver(response, left.answer, fault, after)
    }
  }

  const listener = await Listener.open(
    (request, response) => {
      // A request that breaks off needs no answer.
      handle(request, response).catch(() => response.destroy())
    },
    { isAway: scenario.startsAfterMillis > 0 }
  )
  if (scenario.startsAfterMillis > 0) after(scenario.startsAfterMillis, () => void listener.comeBack())

  return {
    url: `http://127.0.0.1:${listener.port}`,
    get requests() {
      return requests
    },
    get spoilt() {
      return spoilt
    },
    get connections() {
      return listener.connections()
    },
    die,
    behave: (next) => {
      current = next
      plan = Plan.make(next)
    },
    [Symbol.asyncDispose]: async () => {
      for (const timer of timers) clearTimeout(timer)
      await listener.close()
    }
  }
}

/** Starts a proxy for the scope; dies where no port can be had. */
export const make = (options: Options): Effect.Effect<FaultProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(options)),
    (proxy) => Effect.promise(() => proxy[Symbol.asyncDispose]())
  )

const read = async (request: IncomingMessage): Promise<Asked> => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  await once(request, "end")
  return {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: request.headers,
    body: Buffer.concat(parts)
  }
}

/** The answer of a proxy whose service is not there. */
const unreached = (error: unknown): Answer => ({
  status: 502,
  headers: { "content-type": "text/plain" },
  body: Buffer.from(`the service behind the proxy did not answer: ${String(error)}\n`)
})
