/** Decides the fault of each request: bursts by the order of requests, rules by content and attempt. */
import type { Fault } from "../../Fault.ts"
import type { Scenario } from "../../Scenario.ts"
import * as seededRandom from "../seededRandom.ts"

/** The largest number of requests whose attempts are counted. The least recent one is dropped first. */
const maxTrackedRequests = 10_000

/** An attempt with its fault. */
export interface PlannedAttempt {
  readonly fault: Fault | undefined
  /** The attempt, from 1. */
  readonly attempt: number
  /** The random numbers of this attempt. */
  readonly random: seededRandom.Random
}

export interface Plan {
  readonly next: (request: string) => PlannedAttempt
}

export const make = (scenario: Scenario): Plan => {
  const attempts = new Map<number, number>()
  let count = 0
  return {
    next: (request) => {
      const position = count++
      const key = seededRandom.hash(scenario.seed, request)
      const burst = scenario.bursts.find(
        ({ after, length }) => position >= after && position < after + length
      )
      const before = attempts.get(key) ?? 0
      const random = seededRandom.make(seededRandom.hash(scenario.seed, String(key), String(before)))
      if (burst !== undefined) return { fault: burst.fault, attempt: before + 1, random }
      const fault = faultOfAttempt(scenario, key, before)
      // Inserted again, so that the first entry is the least recent one.
      attempts.delete(key)
      attempts.set(key, before + 1)
      const [oldest] = attempts.keys()
      if (attempts.size > maxTrackedRequests && oldest !== undefined) attempts.delete(oldest)
      return { fault, attempt: before + 1, random }
    }
  }
}

/**
 * Returns the fault of an attempt after `before` attempts. Each rule of the request applies `times` times, then the
 * next.
 */
const faultOfAttempt = ({ rules, seed }: Scenario, key: number, before: number): Fault | undefined => {
  let faulted = 0
  for (const [index, { fault, share, times }] of rules.entries()) {
    if (seededRandom.make(seededRandom.hash(seed, String(key), "rule", String(index))).unit() >= share)
      continue
    faulted += times ?? Number.POSITIVE_INFINITY
    if (before < faulted) return fault
  }
  return undefined
}
