// Harvests whose workers are processes. Most of the time the tests wait for a lease or a look, so they run side by side.
import { Harvest, Worker } from "@chemstream/workflow"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { alive, expected, it, kill } from "./harvestBench.ts"

describe.concurrent("a harvest and other processes", () => {
  it("goes on where it was when its worker was killed", async ({
    harvests: { asClient, kept, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(400)
    await asClient(Harvest.start(settings(ids)))
    const first = startWorker("first")
    await service.came(8)
    service.hold()
    await service.came(12)
    await kill(first)
    service.release()
    startWorker("second")
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.tally).toMatchObject({ read: 400, found: 200, missing: 200 })
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["first", "second"])
    expect(kept()).toEqual(expected(ids))
    // What was kept was not asked for again; of what was under way when it was killed, four chunks that were fetched and
    // four that were written at most.
    expect(service.requests.length).toBeLessThanOrEqual(48)
  })

  it("is done by several workers, each a part", async ({
    harvests: { asClient, begunTogether, kept, settings }
  }) => {
    const ids = Chemicals.idsOf(1200)
    await asClient(Harvest.start(settings(ids)))
    await begunTogether(["one", "two", "three"])
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "three", "two"])
    expect(kept()).toEqual(expected(ids))
  })

  it("is asked for no faster by two workers than by one, where they share a rate", async ({
    harvests: { asClient, begunTogether, service, settings }
  }) => {
    const ids = Chemicals.idsOf(600)
    await asClient(Harvest.start(settings(ids)))
    await begunTogether(["one", "two"], 20)
    const status = await asClient(Harvest.ended("mirror"))
    expect(status.workers.map(({ name }) => name).sort()).toEqual(["one", "two"])
    // At most two at once, then one each 50 ms. On a busy machine the first request may come late, but no later than when
    // both workers have all in flight that they may.
    const inFlight = 2 * Worker.defaultConcurrency
    const { times } = service
    expect(times.length).toBeGreaterThanOrEqual(60)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - inFlight - 3) * 50)
  })

  it("begins no chunk while it is paused, and goes on when it is resumed", async ({
    harvests: { asClient, kept, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(300)
    await asClient(Harvest.start(settings(ids)))
    expect(await asClient(Harvest.pause("mirror"))).toBe("paused")
    startWorker("only")
    await asClient(alive("only"))
    expect(service.requests).toHaveLength(0)
    expect(await asClient(Harvest.resume("mirror"))).toBe("running")
    expect((await asClient(Harvest.ended("mirror"))).state).toBe("finished")
    expect(kept()).toEqual(expected(ids))
  })

  it("stays cancelled, whatever is asked of it later", async ({
    harvests: { asClient, service, settings, startWorker }
  }) => {
    await asClient(Harvest.start(settings(Chemicals.idsOf(300))))
    service.hold()
    startWorker("only")
    await service.came(4)
    expect(await asClient(Harvest.cancel("mirror"))).toBe("cancelled")
    expect(await asClient(Harvest.resume("mirror"))).toBe("cancelled")
    service.release()
    expect(await asClient(Harvest.ended("mirror"))).toMatchObject({ state: "cancelled" })
    expect(await asClient(Harvest.forget("mirror"))).toBe(true)
    expect(await asClient(Harvest.list)).toEqual([])
  })

  it("pauses itself where the key is refused, says why, and finishes when that is put right", async ({
    harvests: { asClient, kept, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(50)
    service.status = 401
    await asClient(Harvest.start(settings(ids)))
    startWorker("only")
    const paused = await asClient(Harvest.halted("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "Unauthorized", status: 401 } })
    expect(paused.reason).toContain("key")
    service.status = 200
    await asClient(Harvest.resume("mirror"))
    expect(await asClient(Harvest.status("mirror"))).toMatchObject({ reason: undefined, failure: undefined })
    await asClient(Harvest.ended("mirror"))
    expect(kept()).toEqual(expected(ids))
  })

  it("names the harvest that is not there", async ({ harvests: { asClient } }) => {
    const error = await asClient(Effect.flip(Harvest.status("nobody")))
    expect(error).toMatchObject({ _tag: "UnknownHarvest", message: expect.stringContaining('"nobody"') })
  })
})

describe.concurrent("a harvest and the service that it asks", () => {
  it("is paused, and not asked for, by a worker of another service that was there before", async ({
    harvests: { asClient, kept, service, settings, startWorker }
  }) => {
    const other = await Chemicals.start()
    const stranger = startWorker("stranger", 0, other)
    await asClient(alive("stranger"))
    await asClient(Harvest.start({ ...settings(Chemicals.idsOf(50)), service: service.url }))
    const paused = await asClient(Harvest.halted("mirror"))
    expect(paused).toMatchObject({ state: "paused", failure: { tag: "OtherService" } })
    expect(paused.reason).toContain(`it asks ${service.url}, and the worker stranger asks ${other.url}`)
    expect(other.requests).toEqual([])
    await kill(stranger)
    await other[Symbol.asyncDispose]()
    await asClient(Harvest.resume("mirror"))
    startWorker("own")
    await asClient(Harvest.ended("mirror"))
    expect(kept()).toEqual(expected(Chemicals.idsOf(50)))
  })
})
