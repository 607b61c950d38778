// Tests harvests with worker processes. The tests mostly wait for a lease or a poll, so they run at the same time.
import { randomUUID } from "node:crypto"
import { existsSync, rmSync, symlinkSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Harvest, Worker } from "@chemstream/workflow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { awaitWorker, expected, it, kill, pollUntil } from "./harvestFixture.ts"

describe.concurrent("a harvest and other processes", () => {
  it("continues after its worker was killed, and does not request stored chunks again", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(400)
    await asClient(Harvest.start(settings(ids)))
    const first = startWorker("first")
    await service.received(8)
    service.hold()
    await service.received(12)
    await kill(first)
    service.release()
    startWorker("second")
    const status = await asClient(Harvest.awaitEnd("mirror"))
    expect(status.tally).toMatchObject({ read: 400, found: 200, missing: 200 })
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["first", "second"])
    expect(storedOutcomes()).toEqual(expected(ids))
    // Stored chunks are not requested again. At the kill, at most four chunks were being fetched and four were being
    // written.
    expect(service.requests.length).toBeLessThanOrEqual(48)
  })

  it("continues at once after a kill on the same machine, even with a lease of an hour", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(100)
    await asClient(Harvest.start(settings(ids)))
    service.hold()
    const first = startWorker("first", 0, service, "1 hour")
    await service.received(4)
    await kill(first)
    service.release()
    startWorker("second", 0, service, "1 hour")
    expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("gives the shards of a killed worker to a live one at once, even with a lease of an hour", async ({
    harvests: { asClient, startTogether, storedOutcomes, service, settings }
  }) => {
    const ids = Chemicals.idsOf(640)
    await asClient(Harvest.start(settings(ids)))
    service.hold()
    const [first] = await startTogether(["first", "second"], 0, "1 hour")
    await service.received(8)
    if (first !== undefined) await kill(first)
    service.release()
    expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("removes the sockets of killed workers, and ignores a dangling link with such a name", async ({
    harvests: { asClient, service, startWorker },
    onTestFinished
  }) => {
    const gone = join(tmpdir(), `chemstream-worker-${randomUUID()}.sock`)
    symlinkSync(`${gone}.target`, gone)
    onTestFinished(() => rmSync(gone, { force: true }))
    const first = startWorker("first", 0, service, "3 seconds")
    await asClient(awaitWorker("first"))
    const [runner] = await asClient(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ socket: string }>`SELECT socket FROM chemstream_runners`
      )
    )
    const socket = runner?.socket ?? ""
    await kill(first)
    // Acts as if the database were new.
    await asClient(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM chemstream_runners`))
    expect(existsSync(socket)).toBe(true)
    utimesSync(socket, 0, 0)
    startWorker("second", 0, service, "3 seconds")
    await asClient(awaitWorker("second"))
    expect(existsSync(socket)).toBe(false)
  })

  it("names a silent worker, gives its shards to others, and stores each outcome once", async ({
    harvests: { asClient, stopIdle, startTogether, storedOutcomes, service, settings }
  }) => {
    const ids = Chemicals.idsOf(640)
    await asClient(Harvest.start(settings(ids)))
    service.hold()
    const [first] = await startTogether(["first", "second"], 0, "8 seconds")
    await service.received(8)
    if (first !== undefined) await stopIdle(first)
    const isSilent = ({ reason }: Harvest.Status) =>
      reason?.startsWith("the worker first has been silent") === true
    const { reason } = await asClient(pollUntil("mirror", isSilent))
    expect(reason).toMatch(/^the worker first has been silent for \d+ s; others get its shards in \d+ s$/)
    service.release()
    const status = await asClient(Harvest.awaitEnd("mirror"))
    first?.kill("SIGCONT")
    expect(status).toMatchObject({ state: "finished", tally: { read: 640, failed: 0 } })
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("is shared by several workers", async ({
    harvests: { asClient, startTogether, storedOutcomes, settings }
  }) => {
    const ids = Chemicals.idsOf(1200)
    await asClient(Harvest.start(settings(ids)))
    await startTogether(["one", "two", "three"])
    const status = await asClient(Harvest.awaitEnd("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "three", "two"])
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("is requested no faster by two workers than by one, if they share a rate", async ({
    harvests: { asClient, startTogether, service, settings }
  }) => {
    const ids = Chemicals.idsOf(600)
    await asClient(Harvest.start(settings(ids)))
    await startTogether(["one", "two"], 20)
    const status = await asClient(Harvest.awaitEnd("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "two"])
    // The rate permits two requests at once, then one every 50 ms. On a busy machine, all requests that both workers
    // may have in flight can arrive late.
    const inFlight = 2 * Worker.defaultConcurrency
    const { times } = service
    expect(times.length).toBeGreaterThanOrEqual(60)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - inFlight - 3) * 50)
  })

  it("starts no chunk while paused, and continues when resumed", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(300)
    await asClient(Harvest.start(settings(ids)))
    expect(await asClient(Harvest.pause("mirror"))).toBe("paused")
    startWorker("only")
    await asClient(awaitWorker("only"))
    expect(service.requests).toHaveLength(0)
    expect(await asClient(Harvest.resume("mirror"))).toBe("running")
    expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("stays cancelled after a resume", async ({ harvests: { asClient, service, settings, startWorker } }) => {
    await asClient(Harvest.start(settings(Chemicals.idsOf(300))))
    service.hold()
    startWorker("only")
    await service.received(4)
    expect(await asClient(Harvest.cancel("mirror"))).toBe("cancelled")
    expect(await asClient(Harvest.resume("mirror"))).toBe("cancelled")
    service.release()
    expect(await asClient(Harvest.awaitEnd("mirror"))).toMatchObject({ state: "cancelled" })
    expect(await asClient(Harvest.delete("mirror"))).toBe(true)
    expect(await asClient(Harvest.list)).toEqual([])
  })

  it("pauses with the reason when the key is refused, and finishes when the key is accepted", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(50)
    service.status = 401
    await asClient(Harvest.start(settings(ids)))
    startWorker("only")
    const paused = await asClient(Harvest.awaitHalt("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "Unauthorized", status: 401 } })
    expect(paused.reason).toContain("key")
    service.status = 200
    await asClient(Harvest.resume("mirror"))
    expect(await asClient(Harvest.status("mirror"))).toMatchObject({ reason: undefined, failure: undefined })
    await asClient(Harvest.awaitEnd("mirror"))
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("waits for an unavailable service, and fails no identifier", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(10)
    service.status = 503
    await asClient(Harvest.start(settings(ids)))
    startWorker("only")
    // All attempts of the only request, and a probe.
    await service.received(6)
    service.status = 200
    await asClient(Harvest.awaitEnd("mirror"))
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("reports the name of an unknown harvest", async ({ harvests: { asClient } }) => {
    const error = await asClient(Effect.flip(Harvest.status("nobody")))
    expect(error).toMatchObject({ _tag: "UnknownHarvest", message: expect.stringContaining('"nobody"') })
  })
})

describe.concurrent("a harvest and its service", () => {
  it("is paused, without a request, by a worker of another service that started before it", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const other = await Chemicals.start()
    const stranger = startWorker("stranger", 0, other)
    await asClient(awaitWorker("stranger"))
    await asClient(Harvest.start({ ...settings(Chemicals.idsOf(50)), service: service.url }))
    const paused = await asClient(Harvest.awaitHalt("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "ServiceMismatch" } })
    expect(paused.reason).toContain(`it uses ${service.url}, and the worker stranger uses ${other.url}`)
    expect(other.requests).toEqual([])
    await kill(stranger)
    await other[Symbol.asyncDispose]()
    await asClient(Harvest.resume("mirror"))
    startWorker("own")
    await asClient(Harvest.awaitEnd("mirror"))
    expect(storedOutcomes()).toEqual(expected(Chemicals.idsOf(50)))
  })
})
