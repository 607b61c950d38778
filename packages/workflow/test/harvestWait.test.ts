// Tests harvests of a service that asks to wait, or in whose place another server responds.
import { Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { awaitWorker, expected, it, pollUntil } from "./harvestFixture.ts"
import * as JumpingClock from "./jumpingClock.ts"

const ids = Chemicals.idsOf(200)

/** Asks to wait for an hour. */
const throttle = (service: Chemicals.ChemicalService): void => {
  service.status = 429
  service.headers = { "retry-after": "3600" }
}

const recover = (service: Chemicals.ChemicalService): void => {
  service.status = 200
  service.headers = {}
  service.body = undefined
}

const page = "<!doctype html><html><head><title>Maintenance</title></head><body>Come back later</body></html>"

const hasReason = ({ reason }: Harvest.Status): boolean => reason !== undefined

describe("a service that asks to wait for an hour", () => {
  it("gets no request before, and its harvest shows until when, and continues by itself", async ({
    harvests: { storedOutcomes, service, settings, withWorker }
  }) => {
    const { clock, jump } = await Effect.runPromise(JumpingClock.make)
    throttle(service)
    service.hold()
    const [waiting, requests, later, ended] = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        yield* Effect.promise(() => service.received(4))
        service.release()
        const waiting = yield* pollUntil("mirror", hasReason)
        recover(service)
        yield* jump("50 minutes")
        yield* awaitWorker("own")
        const requests = service.requests.length
        const later = yield* Harvest.status("mirror")
        yield* jump("601 seconds")
        return [waiting, requests, later, yield* Harvest.awaitEnd("mirror")] as const
      }),
      {},
      undefined,
      clock
    )
    const until = /^the service asks to wait until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(
      waiting.reason ?? ""
    )
    expect(Date.parse(until?.[1] ?? "") - waiting.startedAt).toBeGreaterThan(3_590_000)
    expect(waiting).toMatchObject({ state: "running", eta: undefined, tally: { failed: 0 } })
    expect(later).toMatchObject({ state: "running", reason: waiting.reason })
    expect(requests).toBe(4)
    expect(ended).toMatchObject({ state: "finished", reason: undefined, tally: { read: 200, failed: 0 } })
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("does not delay a pause, a resume or a cancellation of the harvest", async ({
    harvests: { service, settings, withWorker }
  }) => {
    throttle(service)
    service.hold()
    const [first, resumed, ended] = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        yield* Effect.promise(() => service.received(4))
        service.release()
        const first = yield* pollUntil("mirror", hasReason)
        yield* Harvest.pause("mirror")
        yield* awaitWorker("own")
        yield* Harvest.resume("mirror")
        const resumed = yield* pollUntil("mirror", hasReason)
        yield* Harvest.cancel("mirror")
        return [first, resumed, yield* Harvest.awaitEnd("mirror")] as const
      }),
      {},
      // The wait for an unavailable service does not apply.
      "1 second"
    )
    expect(resumed.reason).toMatch(/^the service asks to wait until/)
    expect(first.reason).toMatch(/^the service asks to wait until/)
    expect(ended).toMatchObject({ state: "cancelled", tally: { failed: 0 } })
    expect(service.requests).toHaveLength(4)
  })
})

describe("another server that responds in the place of the service", () => {
  it.for([
    ["a page", 200, {}, page, "MalformedResponse", "Maintenance"],
    [
      "a redirect",
      302,
      { location: "https://login.example/start" },
      "",
      "InvalidRequest",
      "https://login.example"
    ]
  ] as const)(
    "pauses the harvest with the reason if %s is the first response of all",
    async ([, status, headers, body, tag, text], { harvests: { service, settings, withWorker } }) => {
      Object.assign(service, { status, headers, body })
      const paused = await withWorker(
        Effect.andThen(Harvest.start(settings(ids)), Harvest.awaitHalt("mirror"))
      )
      expect(paused).toMatchObject({
        state: "paused",
        reason: expect.stringContaining(text),
        failure: { tag },
        tally: { failed: 0 }
      })
    }
  )

  it("is an outage if the service has responded to the harvest, also for a new worker", async ({
    harvests: { storedOutcomes, service, settings, withWorker }
  }) => {
    const runUntilPage = withWorker(
      Effect.gen(function* () {
        service.hold()
        yield* Harvest.start(settings(ids))
        yield* Effect.promise(() => service.received(4))
        service.release()
        yield* pollUntil("mirror", ({ chunksDone }) => chunksDone > 0)
        service.body = page
        service.headers = { "content-type": "text/html" }
        return yield* pollUntil("mirror", hasReason)
      })
    )
    expect(await runUntilPage).toMatchObject({ reason: "the service is unavailable: waiting for it" })
    const sent = service.requests.length
    const ended = await withWorker(
      Effect.gen(function* () {
        yield* Effect.promise(() => service.received(sent + 2))
        expect((yield* Harvest.status("mirror")).state).toBe("running")
        recover(service)
        return yield* Harvest.awaitEnd("mirror")
      })
    )
    expect(ended).toMatchObject({ state: "finished", tally: { read: 200, failed: 0 } })
    expect(storedOutcomes()).toEqual(expected(ids))
  })
})
