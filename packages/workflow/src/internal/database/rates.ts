/**
 * Computes a shared rate limit: pure functions from a state to the next state and a result.
 *
 * `SharedRate` stores the states. The rules are those of Effect's store in memory.
 */
import type { RateLimiter } from "effect/persistence"

/** A state is forgotten this long after its last wait, in milliseconds. */
const graceMillis = 60_000

/** The longest wait that a service may request, in milliseconds. */
const maxWaitMillis = 3_600_000

export interface Window {
  readonly count: number
  readonly expiresAt: number
}

export interface Bucket {
  readonly tokens: number
  readonly lastRefill: number
}

export interface Adaptive {
  readonly phase: RateLimiter.AdaptivePhase
  readonly epoch: number
  readonly cooldownUntil: number
  readonly learningStartedAt: number
  readonly observedTokens: number
  readonly learnedLimit: number
  readonly learnedWindow: number
  readonly expiresAt: number
}

/** The next state, undefined if it has not changed, and the result of the call. */
export type StateUpdate<State, A> = readonly [next: State | undefined, result: A]

export const fixedWindow = (
  state: Window | undefined,
  now: number,
  options: { readonly tokens: number; readonly refill: number; readonly limit: number | undefined }
): StateUpdate<Window, readonly [count: number, ttl: number]> => {
  const open = state === undefined || state.expiresAt <= now ? { count: 0, expiresAt: now } : state
  const count = open.count + options.tokens
  if (options.limit && count > options.limit) return [undefined, [count, open.expiresAt - now]]
  const expiresAt = open.expiresAt + options.refill * options.tokens
  return [{ count, expiresAt }, [count, expiresAt - now]]
}

export const tokenBucket = (
  state: Bucket | undefined,
  now: number,
  options: {
    readonly tokens: number
    readonly refill: number
    readonly limit: number
    readonly allowOverflow: boolean
  }
): StateUpdate<Bucket, readonly [remaining: number, elapsed: number]> => {
  const { limit, refill } = options
  let { lastRefill, tokens } = state ?? { tokens: limit, lastRefill: now }
  const added = Math.max(0, Math.floor((now - lastRefill) / refill))
  tokens = Math.min(limit, tokens + added)
  lastRefill += added * refill
  if (tokens >= limit) lastRefill = now
  const remaining = tokens - options.tokens
  const isTaken = options.allowOverflow || remaining >= 0
  return [{ tokens: isTaken ? remaining : tokens, lastRefill }, [remaining, Math.max(0, now - lastRefill)]]
}

export const isOver = (state: Adaptive, now: number): boolean => state.expiresAt <= now

export const consume = (
  state: Adaptive,
  now: number,
  options: { readonly tokens: number; readonly fallbackWindow: number }
): StateUpdate<
  Adaptive,
  { readonly delay: number; readonly epoch: number; readonly phase: Adaptive["phase"] }
> => {
  const { epoch, phase } = state
  if (phase === "cooldown" && state.cooldownUntil > now) {
    return [undefined, { delay: state.cooldownUntil - now, epoch, phase }]
  }
  if (phase === "cooldown") {
    const next: Adaptive = {
      ...state,
      phase: "learning",
      epoch: epoch + 1,
      learningStartedAt: now,
      observedTokens: options.tokens,
      expiresAt: now + options.fallbackWindow + graceMillis
    }
    return [next, { delay: 0, epoch: next.epoch, phase: next.phase }]
  }
  if (phase === "learning") {
    const next = { ...state, observedTokens: state.observedTokens + options.tokens }
    return [next, { delay: 0, epoch, phase }]
  }
  if (phase !== "learned") return [undefined, { delay: 0, epoch, phase }]
  const refill = state.learnedWindow / state.learnedLimit
  const isIdle = state.cooldownUntil <= now
  const observedTokens = (isIdle ? 0 : state.observedTokens) + options.tokens
  const cooldownUntil = (isIdle ? now : state.cooldownUntil) + refill * options.tokens
  const elapsed = observedTokens * refill - (cooldownUntil - now)
  const window = Math.floor((observedTokens - 1) / state.learnedLimit)
  const delay = Math.max(0, window * state.learnedWindow - elapsed)
  return [
    { ...state, observedTokens, cooldownUntil },
    { delay, epoch, phase }
  ]
}

export const feedback = (
  state: Adaptive | undefined,
  now: number,
  options: { readonly epoch: number; readonly tokens: number; readonly wait: number }
): Adaptive | undefined => {
  const wait = options.wait > 0 ? Math.min(options.wait, maxWaitMillis) : 1
  const until = now + wait
  const cooldown = (epoch: number): Adaptive => ({
    phase: "cooldown",
    epoch,
    cooldownUntil: until,
    learningStartedAt: 0,
    observedTokens: 0,
    learnedLimit: 0,
    learnedWindow: 0,
    expiresAt: until + graceMillis
  })
  if (state === undefined) return options.epoch === 0 ? cooldown(0) : undefined
  if (state.epoch !== options.epoch) return undefined
  if (state.phase === "cooldown") {
    const cooldownUntil = Math.max(state.cooldownUntil, until)
    return { ...state, cooldownUntil, expiresAt: cooldownUntil + graceMillis }
  }
  const accepted = state.observedTokens - options.tokens
  if (state.phase !== "learning" || accepted <= 0) return cooldown(state.epoch)
  const learnedWindow = Math.min(now - state.learningStartedAt + wait, maxWaitMillis)
  return {
    ...state,
    phase: "learned",
    epoch: state.epoch + 1,
    cooldownUntil: state.learningStartedAt + learnedWindow,
    observedTokens: accepted,
    learnedLimit: accepted,
    learnedWindow,
    expiresAt: now + learnedWindow + graceMillis
  }
}
