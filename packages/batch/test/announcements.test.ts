/** What a log says about a service that asks to wait or is unavailable. */
import { Availability } from "@chemstream/batch"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

/** Makes attempts at a service, one after the other, whose requests have these results. Returns the log. */
const logOf = (
  results: ReadonlyArray<Availability.Signal | "ok">,
  attempts: number,
  wait: Availability.Options["wait"] = "1 minute"
) => {
  const log: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    log.push(`${logLevel}: ${String(Array.isArray(message) ? message[0] : message)}`)
  })
  return Effect.gen(function* () {
    const availability = Availability.make()
    let requests = 0
    const request = Effect.gen(function* () {
      const current = yield* Availability.Current
      if (current !== undefined) yield* Effect.orDie(availability.admit(current))
      const result = results[requests++] ?? "ok"
      return yield* result === "ok" ? Effect.succeed(result) : Effect.fail(result)
    })
    const call = { signal: (signal: Availability.Signal) => signal, probe: () => request }
    const limits = { patience: Availability.patience({ wait }) }
    const attempt = Effect.exit(availability.attempt(request, call, limits))
    const fiber = yield* Effect.forkChild(Effect.replicateEffect(attempt, attempts), {
      startImmediately: true
    })
    yield* TestClock.adjust("10 minutes")
    yield* Fiber.join(fiber)
    return log
  }).pipe(Effect.provide(TestClock.layer()), Effect.provide(Logger.layer([logger])), Effect.runPromise)
}

describe("the log", () => {
  it.each<
    [
      string,
      ReadonlyArray<Availability.Signal | "ok">,
      number,
      Availability.Options["wait"],
      ReadonlyArray<string>
    ]
  >([
    ["says nothing of a service that responds", ["ok", "responded", "failed"], 3, "1 minute", []],
    [
      "says when the next request is sent",
      [{ throttled: 10_000 }],
      1,
      "1 minute",
      ["Warn: the service asks to wait: the next request in 10s"]
    ],
    ["says nothing of a short pause", [{ throttled: 9999 }], 1, "1 minute", []],
    ["says nothing of a pause for which no call waits", [{ throttled: 61_000 }], 1, "1 minute", []],
    [
      "announces a pause once, however often it is prolonged",
      [{ throttled: 20_000 }, { throttled: 20_000 }],
      2,
      "1 minute",
      ["Warn: the service asks to wait: the next request in 20s"]
    ],
    [
      "announces a pause again after a response",
      [{ throttled: 20_000 }, "ok", { throttled: 30_000 }],
      3,
      "1 minute",
      [
        "Warn: the service asks to wait: the next request in 20s",
        "Warn: the service asks to wait: the next request in 30s"
      ]
    ],
    [
      "says that a service is unavailable, and when it is available again",
      ["unavailable", "unavailable", "unavailable", "ok"],
      1,
      "2 minutes",
      ["Warn: the service is unavailable: waiting up to 2m for it", "Info: the service is available again"]
    ],
    ["says nothing of an outage that a probe does not confirm", ["unavailable", "ok"], 1, "1 minute", []],
    ["says nothing of an outage for which no call waits", ["unavailable", "unavailable"], 1, 0, []]
  ])("%s", async (_, results, attempts, wait, expected) => {
    expect(await logOf(results, attempts, wait)).toEqual(expected)
  })
})
