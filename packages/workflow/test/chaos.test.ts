import { describe, expect, it } from "vitest"
import * as Disturbed from "./disturbed.ts"

// The short form has every kind of disturbance once. CHEMSTREAM_CHAOS=whole is 200,000 identifiers, disturbed every
// few seconds for some minutes.
const isWhole = process.env["CHEMSTREAM_CHAOS"] === "whole"

const short: Disturbed.Options = {
  identifiers: 10_000,
  chunkSize: 50,
  workers: 4,
  rate: 20,
  latency: 20,
  every: 2,
  disturbances: ["kill worker", "kill database", "stop worker"],
  again: false,
  seed: 7
}

const whole: Disturbed.Options = {
  ...short,
  identifiers: 200_000,
  chunkSize: 200,
  latency: 150,
  every: 4,
  disturbances: ["kill worker", "kill database", "kill worker", "stop worker", "kill worker"],
  again: true,
  log: console.log
}

// How long a shard may be with nobody: until its lease has run out, and twice the time in which workers look for shards.
const orphaned = Disturbed.lease + 2

// How long a worker may have a shard and do nothing with it: its turn at this rate, where one of the workers has two thirds
// of the shards, the start of its workflow, and a second for the machine.
const idle = (64 / whole.rate) * 1.5 + 2 + 1

describe("a harvest of four workers", () => {
  it("has every identifier once and keeps its rate, whichever workers die or sleep, and whenever the database dies", async () => {
    const options = isWhole ? whole : short
    const report = await Disturbed.run(options)
    if (isWhole) console.log(report)
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
    // How soon a shard is taken over says something only where nothing else keeps the machine busy.
    if (isWhole) {
      expect(report.orphaned[0]?.seconds).toBeLessThan(orphaned)
      expect(report.idle[0]?.seconds).toBeLessThan(idle)
    }
    // Evenly spaced, up to a tenth of a second's worth at once; and a worker that slept sends what was its turn before.
    expect(report.busiestSecond).toBeLessThanOrEqual(options.rate * 1.1 + 4)
    for (const what of options.disturbances) expect(report.disturbances[what]).toBeGreaterThan(0)
  }, 1_000_000)
})
