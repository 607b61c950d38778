/**
 * Runs against services with faults of all kinds and mixtures of them, drawn from seeds, on a virtual clock, and checks
 * the laws of docs/decisions/0031-one-model-of-not-now.md. A failed law names its seed.
 */
import { Batch, Ledger } from "@chemstream/batch"
import { Effect, Logger, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { classify, type Plan, plan, type Refused, type Seen, serve } from "./simulatedService.ts"
import * as VirtualClock from "./virtualClock.ts"

const runs = process.env["CHEMSTREAM_TIER"] === "thorough" ? 10_000 : 500

/** The tests that share the runs, so that each is short. */
const parts = 10

const simulate = (planned: Plan) => {
  const seen: Seen = {
    hasResponded: false,
    wrongAddresses: new Set(),
    requests: [],
    pauses: [],
    deaths: new Map()
  }
  const ledger = Ledger.make()
  const outcomes: Array<{
    readonly _tag: string
    readonly key?: string | undefined
    readonly error?: unknown
  }> = []
  const run = Batch.outcomes(Stream.fromIterable(planned.keys), {
    call: serve(planned, seen),
    classify: (error: Refused) => classify(error, seen),
    signal: (error: Refused) => error.signal,
    availability: { wait: "2 hours" },
    size: planned.size,
    concurrency: planned.concurrency,
    ledger
  })
  return VirtualClock.run(
    Effect.map(
      Effect.result(Stream.runForEach(run, (outcome) => Effect.sync(() => outcomes.push(outcome)))),
      (result) => ({ result, seen, ledger, outcomes })
    ).pipe(Effect.provide(Logger.layer([])))
  )
}

/** The requests that a plan may cost at most. */
const bound = ({ bad, deadly, disturbances, keys, largest, size }: Plan): number => {
  const depth = Math.ceil(Math.log2(Math.max(2, size)))
  const batches = Math.ceil(keys.length / Math.min(size, largest))
  const probes = disturbances.reduce((sum, { from, to }) => sum + 20 + (to - from) / 4000, 0)
  return (
    4 * batches +
    2 * (bad.size + deadly.size) * depth +
    (deadly.size > 0 ? 60 + 8 * depth : 0) +
    probes * 4 +
    60
  )
}

const check = async (seed: number): Promise<void> => {
  const planned = plan(seed)
  const { ledger, outcomes, result, seen } = await simulate(planned)
  const about = `seed ${seed}`
  if (Result.isFailure(result)) {
    if (result.failure._tag === "Refused") {
      // The address is wrong.
      expect(seen.wrongAddresses, about).toContain(result.failure)
      const failed = outcomes.filter(({ _tag }) => _tag === "Failed")
      expect(
        failed.filter(({ key }) => !planned.bad.has(key as string)),
        about
      ).toEqual([])
      expect(seen.requests.length, about).toBeLessThanOrEqual(bound(planned))
      return
    }
    expect(outcomes, about).toEqual([])
    // If all requested keys are bad, the probes cannot tell that an outage is over.
    const isHidden = seen.requests.every(({ keys }) => keys.every((key) => planned.bad.has(key)))
    if (isHidden && planned.disturbances.length > 0) return
    // Nothing has succeeded: the run ends soon, and no key fails.
    expect(String(result.failure), about).toContain("has succeeded")
    const extra = Math.max(8, 18 - Math.ceil(Math.log2(planned.size))) + planned.concurrency
    const judged = seen.requests.length - seen.pauses.length
    const few = Math.ceil(Math.log2(planned.size)) + extra + 40
    // With a disturbance, probes come to them.
    expect(judged, about).toBeLessThanOrEqual(
      planned.disturbances.length === 0 ? few : Math.max(few, bound(planned))
    )
    return
  }
  const tagOf = (key: string): string =>
    planned.bad.has(key) || planned.deadly.has(key)
      ? "Failed"
      : planned.unknown.has(key)
        ? "Missing"
        : "Found"
  expect(
    outcomes.map(({ _tag, key }) => `${_tag} ${key}`),
    about
  ).toEqual(planned.keys.map((key) => `${tagOf(key)} ${key}`))
  for (const { _tag, error, key } of outcomes) {
    // A key fails only with the error of a request that carried no other key.
    if (_tag === "Failed") expect((error as Refused).keys, about).toEqual([key])
  }
  for (const { at } of seen.requests) {
    expect(
      seen.pauses.some((pause) => pause.at < at && at < pause.until - 1),
      about
    ).toBe(false)
  }
  const depth = Math.ceil(Math.log2(Math.max(2, planned.size)))
  // A batch with other bad keys gets responses, so each of its parts becomes a suspect anew. Before the first success, a probe may
  // carry the deadly key alone.
  const most = planned.bad.size > 0 ? 3 * (depth + 2) + 1 : depth + 4
  for (const deaths of seen.deaths.values()) expect(deaths, about).toBeLessThanOrEqual(most)
  expect(seen.requests.length, about).toBeLessThanOrEqual(bound(planned))
  expect(ledger, about).toMatchObject({ read: planned.keys.length, inFlight: 0, waiting: 0 })
}

describe("a run against a service with faults of all kinds", () => {
  const only = process.env["CHEMSTREAM_SEED"]
  const firsts = Array.from({ length: parts }, (_, part) => (part * runs) / parts)
  it.each(only === undefined ? firsts : [Number(only)])(
    "finds every good key, fails only bad ones alone, and obeys every wait: seeds from %i",
    async (first) => {
      const count = only === undefined ? runs / parts : 1
      for (let seed = first; seed < first + count; seed++) await check(seed)
    }
  )

  it("fails no key in an outage before which only a missing key had got a response", () => check(666))
})
