import { Worker } from "@chemstream/workflow"
import { describe, expect, it } from "vitest"
import * as Disturbed from "./disturbed.ts"

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

/** Every kind of disturbance once in the fast tier; in the thorough tier for some minutes, every few seconds. */
const options: Disturbed.Options = {
  identifiers: isThorough ? 200_000 : 8_000,
  chunkSize: isThorough ? 200 : 50,
  workers: 4,
  rate: 20,
  latency: isThorough ? 150 : 20,
  every: isThorough ? 4 : 1,
  disturbances: isThorough
    ? ["kill worker", "kill database", "kill worker", "stop worker", "kill worker"]
    : ["kill worker", "kill database", "stop worker"],
  again: isThorough,
  seed: 7,
  ...(isThorough ? { log: console.log } : {})
}

/** How much longer than on an idle machine a takeover may take. */
const slack = 4

// How long a shard may be with nobody: until its lease has run out, and twice the time in which workers look for shards.
const orphaned = (Disturbed.lease + 2) * slack

// How long a worker may have a shard and do nothing with it: its turn at this rate, where one of the workers has two thirds
// of the shards, the start of its workflow, and a second for the machine.
const idle = ((64 / options.rate) * 1.5 + 2 + 1) * slack

describe("a harvest of four workers", () => {
  it("has every identifier once and keeps its rate, whichever workers die or sleep, and whenever the database dies", async () => {
    const report = await Disturbed.run(options)
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
    if (isThorough) {
      expect(report.orphaned[0]?.seconds).toBeLessThan(orphaned)
      expect(report.idle[0]?.seconds).toBeLessThan(idle)
    }
    // Evenly spaced, up to a tenth of a second's worth at once. On a busy machine, and from a worker that slept, all
    // requests that a worker may have in flight can come late.
    const late = options.workers * Worker.defaultConcurrency
    for (const seconds of [1, 5]) {
      expect(report.busiest(seconds)).toBeLessThanOrEqual(options.rate * (seconds + 0.1) + late)
    }
    for (const what of options.disturbances) expect(report.disturbances[what]).toBeGreaterThan(0)
  }, 1_000_000)
})
