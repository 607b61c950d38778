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

// A lease that runs out, twice the time in which workers look for shards that are nobody's, the turn of the shard at this
// rate, and a second for the machine.
const standstill = Disturbed.lease + 2 + 64 / short.rate + 1

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
    if (isWhole) expect(report.standstills[0]?.seconds).toBeLessThan(standstill)
    // Evenly spaced, up to a tenth of a second's worth at once; and a worker that slept sends what was its turn before.
    expect(report.busiestSecond).toBeLessThanOrEqual(options.rate * 1.1 + 4)
    for (const what of options.disturbances) expect(report.disturbances[what]).toBeGreaterThan(0)
  }, 1_000_000)
})
