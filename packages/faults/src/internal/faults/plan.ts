/**
 * Which fault meets a request: the bursts by the order requests come in, the rules by what a request asks for and how
 * often it has come.
 */
import type { Fault } from "../../Fault.ts"
import type { Scenario } from "../../Scenario.ts"
import * as Random from "../random.ts"

/** The most requests whose attempts are remembered; the one that has not come for longest is forgotten. */
const maxTrackedRequests = 10_000

/** What awaits a request. */
export interface PlannedAttempt {
  readonly fault: Fault | undefined
  /** Which attempt of this request it is, from 1. */
  readonly attempt: number
  /** The chance of this attempt. */
  readonly random: Random.Random
}

/** The fates of the requests of a scenario. */
export interface Plan {
  readonly next: (request: string) => PlannedAttempt
}

export const make = (scenario: Scenario): Plan => {
  const attempts = new Map<number, number>()
  let count = 0
  return {
    next: (request) => {
      const place = count++
      const key = Random.hash(scenario.seed, request)
      const burst = scenario.bursts.find(({ after, length }) => place >= after && place < after + length)
      const before = attempts.get(key) ?? 0
      const random = Random.of(Random.hash(scenario.seed, String(key), String(before)))
      if (burst !== undefined) return { fault: burst.fault, attempt: before + 1, random }
      const fault = faultOfAttempt(scenario, key, before)
      // Anew, so that the first in the order is the one that has not come for longest.
      attempts.delete(key)
      attempts.set(key, before + 1)
      const [oldest] = attempts.keys()
      if (attempts.size > maxTrackedRequests && oldest !== undefined) attempts.delete(oldest)
      return { fault, attempt: before + 1, random }
    }
  }
}

/** The fault of an attempt that so many were spoilt before: the rules that strike the request spoil it in turn. */
const faultOfAttempt = ({ rules, seed }: Scenario, key: number, before: number): Fault | undefined => {
  let faulted = 0
  for (const [index, { fault, share, times }] of rules.entries()) {
    if (Random.of(Random.hash(seed, String(key), "rule", String(index))).unit() >= share) continue
    faulted += times ?? Number.POSITIVE_INFINITY
    if (before < faulted) return fault
  }
  return undefined
}
