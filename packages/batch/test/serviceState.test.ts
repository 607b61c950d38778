/** The table of states and results of docs/decisions/0031-one-model-of-not-now.md, pair by pair. */
import type { Availability } from "@chemstream/batch"
import { describe, expect, it } from "vitest"
import * as availabilityOptions from "../src/internal/availability/availabilityOptions.ts"
import * as model from "../src/internal/availability/serviceState.ts"

const patience = availabilityOptions.patience({ wait: "1 minute" })
const now = 100_000

const wait = (kind: model.Wait["kind"]): model.Wait => ({
  kind,
  since: now - 10_000,
  until: kind === "doubted" ? now - 10_000 : now + 5000,
  failures: 1,
  error: "the first refusal"
})

/** The states: never reached or available, doubted, unavailable and throttled. */
const states = {
  new: model.unknownService,
  available: { ...model.unknownService, isReached: true },
  doubted: { ...model.unknownService, isReached: true, wait: wait("doubted") },
  unavailable: { ...model.unknownService, isReached: true, outages: 1, wait: wait("unavailable") },
  throttled: { ...model.unknownService, isReached: true, wait: wait("throttled") },
  "refused 19 times": { ...model.unknownService, isReached: true, refusals: 19 }
} satisfies Record<string, model.Service>

type State = keyof typeof states

const signals: ReadonlyArray<Availability.Signal> = [
  "responded",
  { throttled: 30_000 },
  "unreachable",
  "unavailable",
  "elsewhere",
  "overdue",
  "failed",
  "refused",
  "unclear",
  "unsent"
]

const nameOf = (signal: Availability.Signal): string => (typeof signal === "object" ? "throttled" : signal)

/** The kind of wait after the result of a request that was sent before the state. `-`: none. */
const expected: Record<State, Record<string, string>> = {
  new: {
    responded: "-",
    throttled: "throttled",
    unreachable: "-",
    unavailable: "doubted",
    elsewhere: "-",
    overdue: "doubted",
    failed: "-",
    refused: "-",
    unclear: "-",
    unsent: "-"
  },
  available: {
    responded: "-",
    throttled: "throttled",
    unreachable: "doubted",
    unavailable: "doubted",
    elsewhere: "doubted",
    overdue: "doubted",
    failed: "-",
    refused: "-",
    unclear: "-",
    unsent: "-"
  },
  doubted: { responded: "-", throttled: "throttled", ...same("doubted") },
  unavailable: { responded: "unavailable", throttled: "throttled", ...same("unavailable") },
  throttled: { responded: "throttled", throttled: "throttled", ...same("throttled") },
  "refused 19 times": {
    responded: "-",
    throttled: "throttled",
    unreachable: "doubted",
    unavailable: "doubted",
    elsewhere: "doubted",
    overdue: "doubted",
    failed: "-",
    refused: "doubted",
    unclear: "-",
    unsent: "-"
  }
}

function same(kind: string): Record<string, string> {
  return Object.fromEntries(signals.slice(2).map((signal) => [nameOf(signal), kind]))
}

const pairs = Object.keys(states).flatMap((state) =>
  signals.map((signal) => [state as State, signal] as const)
)

describe("the model of a service", () => {
  const report = (signal: Availability.Signal, isTrial = false): model.Report => ({
    signal,
    error: "the latest failure",
    sentAt: now - 11_000,
    now,
    isTrial
  })

  it.each(pairs.map(([state, signal]) => [state, nameOf(signal), signal] as const))(
    "goes from %s after %s to the state of the table",
    (state, name, signal) => {
      const next = model.afterAttempt(states[state], report(signal), patience)
      expect(next.wait?.kind ?? "-").toBe(expected[state][name])
      // A further refusal does not start the wait anew.
      const { wait: before } = states[state] as model.Service
      if (before !== undefined && next.wait !== undefined) expect(next.wait.since).toBe(before.since)
      if (name === "throttled") expect(next.wait?.until).toBe(now + 30_000)
      expect(next.isReached).toBe(state !== "new" || name === "responded" || name === "throttled")
    }
  )

  it.each(["unavailable", "throttled"] as const)(
    "ends at the response to the request that decides: %s",
    (state) => {
      expect(model.afterAttempt(states[state], report("responded", true), patience).wait).toBeUndefined()
    }
  )

  it.each(["doubted", "unavailable", "throttled"] as const)(
    "is unavailable after a failed probe: %s",
    (state) => {
      const next = model.afterFailedProbe(states[state], now, patience)
      expect(next).toMatchObject({ outages: 1, wait: { kind: "unavailable", since: now - 10_000 } })
    }
  )

  it("is probed after 1, 2, 4, 5 and 5 seconds", () => {
    let service: model.Service = states.doubted
    const delays = Array.from({ length: 5 }, () => {
      service = model.afterFailedProbe(service, now, patience)
      return (service.wait?.until ?? 0) - now
    })
    expect(delays).toEqual([1000, 2000, 4000, 5000, 5000])
  })

  it.each([
    ["unavailable", now + 49_999, false],
    ["unavailable", now + 50_000, true],
    ["throttled", now, false]
  ] as const)("ends the wait one minute after the first refusal: %s at %i", (state, at, isOver) => {
    expect(model.isOver(states[state].wait, at, patience)).toBe(isOver)
  })

  it.each([
    ["available", now + 30_000, 2000],
    ["throttled", now + 30_000, 4000],
    ["refused 19 times", now + 30_000, 2000]
  ] as const)(
    "waits as long as another process was asked to, and then as its own failures say: %s",
    (state, until, delay) => {
      const next = model.paused(states[state], now, 30_000)
      expect(next.wait).toMatchObject({ kind: "throttled", until })
      expect(model.paused(next, now, 10_000).wait?.until).toBe(until)
      expect(model.afterFailedProbe(next, until, patience).wait?.until).toBe(until + delay)
    }
  )

  it("ends the wait at once if the service asks to wait longer", () => {
    const next = model.afterAttempt(states.available, report({ throttled: 60_001 }), patience)
    expect(model.isOver(next.wait as model.Wait, now, patience)).toBe(true)
  })
})
