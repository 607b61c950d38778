/**
 * Stops a run in order before its input ends: only requests on the wire finish. A call that waits is abandoned at once, whether it
 * sleeps before a retry, waits for the rate, or waits after a 429. The caller saves the results.
 */
import { CallObserver, ChemError, type RequestGate } from "@chemstream/client"
import type { Lookup } from "@chemstream/stream"
import { Context, Deferred, Effect, Exit } from "effect"

export interface OrderlyStop {
  /** Requests the stop. */
  readonly request: Effect.Effect<void>
  /** Waits until the stop is requested. */
  readonly requested: Effect.Effect<void>
  /** Waits until the stop is requested and no request of a stream without lookup is on the wire. */
  readonly abandoned: Effect.Effect<void>
  readonly isRequested: () => boolean
  /** The number of requests on the wire: sent, and their responses have not arrived. */
  readonly onWire: () => number
  /** Sends no request after the stop is requested. Provide it to the whole run. */
  readonly gate: RequestGate.RequestGate
  /**
   * Returns a lookup whose calls without a request on the wire fail with a fatal error when the stop is requested, once all other calls
   * have finished.
   */
  readonly stop: <R, F>(lookup: Lookup.Lookup<R, F>) => Lookup.Lookup<R, F>
}

/** A call of the run. */
interface Call {
  /** Its requests on the wire. */
  onWire: number
  /** Whether its last response is a success, which it is reading. */
  isReading: boolean
  readonly abandoned: Deferred.Deferred<void>
}

const newCall = (): Call => ({ onWire: 0, isReading: false, abandoned: Deferred.makeUnsafe() })

/** The call that sends a request. Undefined: the request belongs to no lookup. */
const CurrentCall = Context.Reference<Call | undefined>("chemstream/OrderlyStop/CurrentCall", {
  defaultValue: () => undefined
})

/** The state of a stop. */
class Stop {
  readonly requested = Deferred.makeUnsafe<void>()
  readonly idle = Deferred.makeUnsafe<void>()
  /** The requests that belong to no lookup. */
  readonly others = newCall()
  readonly calls = new Set<Call>([this.others])
  isRequested = false
  onWire = 0

  /** Abandons the calls that wait. When no other call is left, the run is idle. */
  readonly settle: Effect.Effect<void> = Effect.suspend(() => {
    if (!this.isRequested) return Effect.void
    const waiting = [...this.calls].filter((call) => call.onWire === 0 && !call.isReading)
    for (const call of waiting) this.calls.delete(call)
    return Effect.andThen(
      Effect.forEach(waiting, (call) => Deferred.succeed(call.abandoned, undefined), { discard: true }),
      this.calls.size === 0 ? Effect.asVoid(Deferred.succeed(this.idle, undefined)) : Effect.void
    )
  })

  move(call: Call, by: 1 | -1): void {
    this.onWire += by
    call.onWire += by
  }
}

export const make: Effect.Effect<OrderlyStop> = Effect.sync(() => {
  const stop = new Stop()
  return {
    request: Effect.suspend(() => {
      stop.isRequested = true
      return Effect.andThen(stop.settle, Effect.asVoid(Deferred.succeed(stop.requested, undefined)))
    }),
    requested: Deferred.await(stop.requested),
    abandoned: Deferred.await(stop.others.abandoned),
    isRequested: () => stop.isRequested,
    onWire: () => stop.onWire,
    gate: (request) =>
      Effect.flatMap(CurrentCall, (call = stop.others) => {
        call.isReading = false
        return stop.isRequested ? Effect.andThen(stop.settle, Effect.never) : send(stop, call, request)
      }),
    stop: (lookup) => ({
      ...lookup,
      requestBatch: (ids, inspection) =>
        Effect.suspend(() => {
          // Waits for the other calls: in an unordered run, the error would overtake them.
          const stopped = Effect.andThen(Deferred.await(stop.idle), Effect.fail(stopError(lookup.endpoint)))
          if (stop.isRequested) return Effect.andThen(stop.settle, stopped)
          const call = newCall()
          stop.calls.add(call)
          const work = Effect.provideService(lookup.requestBatch(ids, inspection), CurrentCall, call)
          const end = Effect.suspend(() => {
            stop.calls.delete(call)
            return stop.settle
          })
          return Effect.raceFirst(
            Effect.map(work, Effect.succeed),
            Effect.as(Deferred.await(call.abandoned), stopped)
          ).pipe(Effect.ensuring(end), Effect.flatten)
        })
    })
  }
})

/** Sends a request. If it still waits for the rate when the stop is requested, it is not sent any more. */
const send = <A, E, R>(stop: Stop, call: Call, request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CallObserver.CallObserver, (observer) => {
    let isSent = false
    const onRequest = (endpoint: string): void => {
      if (!isSent) stop.move(call, 1)
      isSent = true
      observer.onRequest(endpoint)
    }
    const sent = Effect.provideService(request, CallObserver.CallObserver, { ...observer, onRequest }).pipe(
      Effect.onExit((exit) => {
        if (!isSent) return Effect.void
        stop.move(call, -1)
        call.isReading = Exit.isSuccess(exit)
        return stop.settle
      })
    )
    const unsent = Effect.andThen(
      Deferred.await(stop.requested),
      Effect.suspend(() => (isSent ? Effect.never : Effect.void))
    )
    return Effect.flatten(Effect.raceFirst(Effect.map(sent, Effect.succeed), Effect.as(unsent, Effect.never)))
  })

/** A fatal error: it stops the run and fails no identifier. */
const stopError = (endpoint: string): ChemError.ServiceUnavailable =>
  new ChemError.ServiceUnavailable({ endpoint, attempts: 0, message: "the run was stopped" })
