/**
 * Services with a limit of requests, and clients that pace their requests as `@chemstream/client` does, as a simulation
 * of events: hours take milliseconds, and each run is the same.
 */
import { Pace } from "@chemstream/batch"

/** Whether a service accepts a request at this time. If not, the time until it would, in milliseconds. */
export type Service = (now: number) => number | undefined

/** A bucket of tokens. `rate`: per second. */
export const bucket = (rate: number, size: number): Service => {
  let tokens = size
  let filledAt = 0
  return (now) => {
    tokens = Math.min(size, tokens + ((now - filledAt) * rate) / 1000)
    filledAt = now
    if (tokens < 1 - 1e-9) return ((1 - tokens) * 1000) / rate
    tokens--
    return undefined
  }
}

/** A number of requests within any span of some milliseconds. */
export const slidingWindow = (rate: number, millis: number): Service => {
  let accepted: ReadonlyArray<number> = []
  return (now) => {
    accepted = accepted.filter((time) => time > now - millis)
    if (accepted.length >= Math.round((rate * millis) / 1000)) return (accepted[0] as number) + millis - now
    accepted = [...accepted, now]
    return undefined
  }
}

export interface Options {
  readonly service: Service
  /** Whether refusals have `Retry-After`, in whole seconds. */
  readonly isTimed: boolean
  /** The number of processes, which share a pace, and of calls in each. */
  readonly processes: number
  readonly calls: number
  /** The time of a request and its response, and of the simulation, in milliseconds. */
  readonly latency: number
  readonly millis: number
}

/** What a simulated service has accepted and refused. */
export interface Result {
  readonly accepted: number
  readonly refused: number
}

type Action = (now: number) => void

/** Runs actions at their times. */
const makeClock = () => {
  const timers: Array<{ readonly at: number; readonly action: Action }> = []
  return {
    at: (time: number, action: Action): void => {
      let index = timers.length
      while (index > 0 && (timers[index - 1] as { at: number }).at <= time) index--
      timers.splice(index, 0, { at: time, action })
    },
    runUntil: (end: number): void => {
      for (let next = timers.pop(); next !== undefined && next.at <= end; next = timers.pop())
        next.action(next.at)
    }
  }
}

/** The shortest and longest pause after a refusal, in milliseconds. */
const pauses = { shortest: 1000, longest: 5000 }

/** Simulates clients that always have a request to send. */
export const simulate = (options: Options): Result => {
  const clock = makeClock()
  const counts = { accepted: 0, refused: 0 }
  const shared: Shared = { state: undefined }
  for (let process = 0; process < options.processes; process++) startClient(options, clock, shared, counts)
  clock.runUntil(options.millis)
  return counts
}

interface Shared {
  state: Pace.State | undefined
}

const startClient = (
  { calls, isTimed, latency, processes, service }: Options,
  clock: ReturnType<typeof makeClock>,
  shared: Shared,
  counts: { accepted: number; refused: number }
): void => {
  let wait: { readonly until: number; readonly failures: number } | undefined
  let isDeciding = false
  let isTurnTaken = false
  let accepted: Pace.Accepted = { epoch: 0, count: 0 }
  const blocked: Array<Action> = []
  const turns: Array<Action> = []

  const takeAccepted = (): Pace.Accepted => {
    const seen = accepted
    accepted = { epoch: seen.epoch, count: 0 }
    return seen
  }
  // After a pause one request at a time decides whether it is over.
  const admit: Action = (now) => {
    if (wait === undefined) return takeTurn(now, false)
    if (now < wait.until) return clock.at(wait.until, admit)
    if (isDeciding) return void blocked.push(admit)
    isDeciding = true
    takeTurn(now, true)
  }
  const takeTurn = (now: number, isTrial: boolean): void => {
    if (isTurnTaken) return void turns.push((later) => takeTurn(later, isTrial))
    isTurnTaken = true
    reserve(now, isTrial)
  }
  const leaveTurn = (now: number, next: () => void): void => {
    isTurnTaken = false
    turns.shift()?.(now)
    next()
  }
  const reserve = (now: number, isTrial: boolean): void => {
    if (!isTrial && wait !== undefined) {
      leaveTurn(now, () => admit(now))
      return
    }
    const [state, { delay, epoch, isPaused, isReserved }] = Pace.reserve(
      shared.state,
      now,
      Number.POSITIVE_INFINITY,
      takeAccepted()
    )
    shared.state = state
    if (isPaused) wait = { until: Math.max(wait?.until ?? 0, now + delay), failures: wait?.failures ?? 0 }
    if (!isTrial && wait !== undefined) leaveTurn(now, () => admit(now))
    else if (isTrial && !isPaused && processes === 1) leaveTurn(now, () => send(now, epoch, isTrial))
    else sendAfter(now + Math.ceil(delay), epoch, isReserved, isTrial)
  }
  const sendAfter = (time: number, epoch: number, isReserved: boolean, isTrial: boolean): void =>
    clock.at(time, (later) => {
      if (!isTrial && wait !== undefined) leaveTurn(later, () => admit(later))
      else if (isReserved) leaveTurn(later, () => send(later, epoch, isTrial))
      else reserve(later, isTrial)
    })
  const send = (sentAt: number, epoch: number, isTrial: boolean): void =>
    clock.at(sentAt + latency / 2, (arrivedAt) => {
      const rest = service(arrivedAt)
      clock.at(arrivedAt + latency / 2, (now) => {
        if (rest === undefined) enterSuccess(sentAt, epoch, isTrial)
        else enterRefusal(now, epoch, isTrial, isTimed ? Math.ceil(rest / 1000) * 1000 : 0)
        if (isTrial) {
          isDeciding = false
          for (const action of blocked.splice(0)) clock.at(now, action)
        }
        admit(now)
      })
    })
  const enterSuccess = (sentAt: number, epoch: number, isTrial: boolean): void => {
    counts.accepted++
    accepted = { epoch, count: epoch === accepted.epoch ? accepted.count + 1 : 1 }
    if (isTrial || sentAt >= (wait?.until ?? 0)) wait = undefined
  }
  const enterRefusal = (now: number, epoch: number, isTrial: boolean, asked: number): void => {
    counts.refused++
    const refusal = { epoch, wait: Math.max(asked, pauses.shortest), isLearning: true }
    shared.state = Pace.refuse(shared.state, now, refusal, takeAccepted())
    const failures = (wait?.failures ?? 0) + (isTrial ? 1 : 0)
    const pause = Math.max(asked, Math.min(pauses.longest, pauses.shortest * 2 ** failures))
    wait = { until: Math.max(now + pause, wait?.until ?? 0), failures }
  }
  for (let call = 0; call < calls; call++) clock.at(0, admit)
}
