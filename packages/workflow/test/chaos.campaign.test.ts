import { Worker } from "@chemstream/workflow"
import { describe, expect, it } from "vitest"
import * as DisturbedHarvest from "./disturbedHarvest.ts"
import * as TestPostgres from "./testPostgres.ts"

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

/** The fast tier has each disturbance once. The thorough tier repeats them every few seconds, for some minutes. */
const options: DisturbedHarvest.Options = {
  identifiers: isThorough ? 200_000 : 8_000,
  chunkSize: isThorough ? 200 : 50,
  workers: 4,
  rate: 20,
  latency: isThorough ? 150 : 20,
  every: isThorough ? 4 : 1,
  disturbances: isThorough
    ? ["kill worker", "kill database", "kill worker", "stop service", "stop worker", "kill worker"]
    : ["kill worker", "kill database", "stop service", "stop worker"],
  outage: isThorough ? 20 : 2,
  repeats: isThorough,
  seed: 7,
  ...(isThorough ? { log: console.log } : {})
}

describe("a harvest of four workers", () => {
  it("has every identifier once and keeps its rate while workers, the database and the service fail", async (test) => {
    const report = await DisturbedHarvest.run(options, await TestPostgres.forTest(test))
    if (isThorough) console.log(report)
    expect(report.wrong).toEqual([])
    const invalid = options.identifiers / 1000
    expect(report.right).toBe(options.identifiers + invalid)
    expect(report.tally).toMatchObject({
      read: options.identifiers * 1.01 + invalid,
      found: options.identifiers / 2,
      missing: options.identifiers / 2,
      failed: 0,
      invalid,
      duplicates: options.identifiers / 100
    })
    // The rate permits evenly spaced requests, and bursts of a tenth of a second. On a busy machine, or after a
    // worker slept, all requests that workers may have in flight can arrive late.
    const late = options.workers * Worker.defaultConcurrency
    for (const seconds of [1, 5]) {
      expect(report.busiest(seconds)).toBeLessThanOrEqual(options.rate * (seconds + 0.1) + late)
    }
    for (const what of options.disturbances) expect(report.disturbances[what]).toBeGreaterThan(0)
  }, 1_000_000)
})
