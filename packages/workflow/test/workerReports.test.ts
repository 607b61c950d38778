// Tests what a worker reports beside the status of its harvests: its metrics, and its log of waits.
import { Harvest, Worker } from "@chemstream/workflow"
import { Effect, Logger, Metric } from "effect"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { it, pollUntil } from "./harvestFixture.ts"

/** The values of the metrics of harvests, by their names and labels; of a histogram its count. */
const metrics = Effect.map(Metric.snapshot, (snapshots) =>
  Object.fromEntries(
    snapshots.flatMap(({ attributes, id, state }): ReadonlyArray<readonly [string, number]> => {
      if (!id.startsWith("chemstream_harvest_")) return []
      const name = [id.replace("chemstream_harvest_", ""), ...Object.values(attributes ?? {})].join(" ")
      return [[name, Number("count" in state ? state.count : "value" in state ? state.value : undefined)]]
    })
  )
)

/** Reads the metrics until they have these values. The loop of a worker records them at each turn. */
const metricsUntil = (values: Readonly<Record<string, number>>) =>
  metrics.pipe(
    Effect.tap(() => Effect.sleep("20 millis")),
    Effect.repeat({ until: (now) => Object.entries(values).every(([name, value]) => now[name] === value) })
  )

describe("the metrics of a worker", () => {
  it("have the harvests of its database, their identifiers, and its chunks and attempts", async ({
    harvests: { service, settings, withWorker }
  }) => {
    const [waiting, later] = await withWorker(
      Effect.gen(function* () {
        service.hold()
        yield* Harvest.start(settings(Chemicals.idsOf(25)))
        const output = { _tag: "Mirror", mirror: "m" } as const
        yield* Harvest.start({ ...settings(Chemicals.idsOf(7)), name: "paused", sink: output })
        yield* Harvest.pause("paused")
        const waiting = yield* metricsUntil({ chunks_in_flight: 3, "harvests paused": 1, expected_items: 32 })
        service.release()
        yield* Harvest.awaitEnd("mirror")
        const later = yield* metricsUntil({ expected_items: 7, chunks_in_flight: 0 })
        return [waiting, later] as const
      })
    )
    expect(waiting).toMatchObject({
      "harvests running": 1,
      "harvests paused": 1,
      shards: 64,
      done_items: 0,
      failed_attempts_total: 0,
      expected_end_timestamp_seconds: 0
    })
    expect(later).toMatchObject({
      chunk_seconds: 3,
      "harvests running": 0,
      "harvests paused": 1,
      done_items: 0,
      failed_attempts_total: 0
    })
  })
})

describe("the log of a worker", () => {
  it("says once why a harvest is paused, and again when it is paused for another reason", async ({
    harvests: { service, settings, withWorker }
  }) => {
    const log: Array<string> = []
    const logged = (count: number) =>
      Effect.repeat(Effect.sleep("20 millis"), { until: () => log.length >= count })
    const body = Effect.gen(function* () {
      yield* Harvest.start(settings(Chemicals.idsOf(5)))
      yield* Harvest.pause("mirror")
      yield* logged(1)
      service.status = 401
      yield* Harvest.resume("mirror")
      yield* pollUntil("mirror", ({ state }) => state === "paused")
      yield* logged(2)
      service.status = 200
      yield* Harvest.resume("mirror")
      return yield* Harvest.awaitEnd("mirror")
    })
    await withWorker(
      Effect.flatMap(Worker.Worker, ({ logWaits }) => Effect.raceFirst(logWaits, body)).pipe(
        Effect.provide(
          Logger.layer([
            Logger.make(({ message }) => {
              const text = [message].flat().join(" ")
              if (text.startsWith("the harvest")) log.push(text)
            })
          ])
        )
      )
    )
    expect(log[0]).toBe('the harvest "mirror" is paused: by harvest pause')
    expect(log[1]).toMatch(/^the harvest "mirror" is paused: (?!by harvest pause)./)
    expect(log).toHaveLength(2)
  })
})
