// Tests harvests that wait or are paused: for the service, for a worker, for a resume.
import { RawRecord } from "@chemstream/ndjson"
import { type Fetch, Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { awaitWorker, expected, it, pollUntil } from "./harvestFixture.ts"

const record = (id: string) => ({ key: id, record: RawRecord.fromText(Chemicals.recordOf(id)) })

describe("a harvest that waits", () => {
  it("marks nothing failed while the service is unavailable, before its first response or after", async ({
    harvests: { storedOutcomes, service, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(200)
    service.status = 503
    const status = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start(settings(ids))
        yield* Effect.promise(() => service.received(6))
        service.hold()
        service.status = 200
        yield* Effect.promise(() => service.received(service.requests.length + 1))
        // Responds to the held requests, and then fails.
        service.release()
        service.status = 503
        yield* Effect.promise(() => service.received(service.requests.length + 3))
        service.status = 200
        return yield* Harvest.awaitEnd("mirror")
      })
    )
    expect(status).toMatchObject({ state: "finished", tally: { read: 200, failed: 0 } })
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("reports that it waits for the service, pauses after too long a wait, and continues when it is resumed", async ({
    harvests: { storedOutcomes, service, settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(200)
    const [waiting, paused, ended] = await withWorker(
      Effect.gen(function* () {
        service.hold()
        yield* Harvest.start(settings(ids))
        yield* Effect.promise(() => service.received(4))
        service.release()
        service.status = 503
        const waiting = yield* pollUntil("mirror", ({ reason }) => reason !== undefined)
        const paused = yield* Harvest.awaitHalt("mirror")
        service.status = 200
        yield* Harvest.resume("mirror")
        return [waiting, paused, yield* Harvest.awaitEnd("mirror")] as const
      }),
      {},
      "3 seconds"
    )
    expect(waiting).toMatchObject({ reason: "the service is unavailable: waiting for it", eta: undefined })
    expect(paused).toMatchObject({
      state: "paused",
      reason: "the service stayed unavailable for longer than 3s",
      failure: { tag: "ServiceUnavailable" }
    })
    expect(ended.tally).toMatchObject({ read: 200, failed: 0 })
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("sends no further request when paused, and reports what is in flight", async ({
    harvests: { settings, withWorker }
  }) => {
    const ids = Chemicals.idsOf(200)
    let asked = 0
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const slow: Fetch.OwnLookup = {
      call: async (ids) => {
        asked += ids.length
        await answered
        return { records: ids.map(record) }
      },
      size: 1
    }
    const [inFlight, before, after, ended] = await withWorker(
      Effect.gen(function* () {
        yield* Harvest.start({ ...settings(ids), fetch: { own: "slow" } })
        yield* pollUntil("mirror", ({ inFlight }) => inFlight > 0)
        yield* awaitWorker("own")
        yield* Harvest.pause("mirror")
        yield* awaitWorker("own")
        const { inFlight } = yield* Harvest.status("mirror")
        const before = asked
        answer()
        yield* pollUntil("mirror", ({ inFlight }) => inFlight === 0)
        const after = asked
        yield* Harvest.resume("mirror")
        return [inFlight, before, after, yield* Harvest.awaitEnd("mirror")] as const
      }),
      { slow }
    )
    expect(inFlight).toBe(4)
    expect(after).toBe(before)
    expect(ended.tally).toMatchObject({ found: 200 })
  })

  it("reports that no worker runs, also if only its output is left to verify", async ({
    harvests: { asClient, settings }
  }) => {
    const waits = { state: "running", working: 0, reason: "no worker runs", eta: undefined }
    await asClient(Harvest.start(settings(Chemicals.idsOf(10))))
    expect(await asClient(Harvest.status("mirror"))).toMatchObject(waits)
    const counts = ["missing", "failed", "invalid", "duplicates", "records", "surplus", "truncated"]
    const costs = ["requests", "retries", "bytes", "millis"]
    const row = Object.fromEntries([...counts, ...costs].map((name) => [name, 0]))
    const at = Date.now()
    await asClient(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          INSERT INTO chemstream_progress (harvest, idx, worker, read, found, done_at, ${sql.csv(Object.keys(row).map((name) => sql`${sql(name)}`))})
          SELECT harvest, idx, 'gone', 10, 10, ${at}, ${sql.csv(Object.values(row).map((value) => sql`${value}`))}
          FROM chemstream_chunks`
      )
    )
    const status = await asClient(Harvest.status("mirror"))
    expect(status).toMatchObject({ ...waits, chunksDone: status.chunks })
  })
})
