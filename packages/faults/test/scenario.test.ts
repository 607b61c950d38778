import { FaultProxy, Scenario } from "@chemstream/faults"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const seeds = Array.from({ length: 2000 }, (_, seed) => seed)

const faultsOf = ({ bursts, rules }: Scenario.Scenario) =>
  [...rules, ...bursts].map(({ fault }) => fault._tag)

describe("Scenario.fromSeed", () => {
  it("makes equal scenarios from equal seeds, different ones from different seeds, and all survive JSON", () => {
    const texts = seeds.map((seed) => JSON.stringify(Scenario.fromSeed(seed)))
    expect(texts).toEqual(seeds.map((seed) => JSON.stringify(Scenario.fromSeed(seed))))
    expect(new Set(texts).size).toBe(seeds.length)
    const decode = Schema.decodeUnknownSync(Scenario.Scenario)
    for (const seed of seeds) expect(decode(JSON.parse(texts[seed] ?? ""))).toEqual(Scenario.fromSeed(seed))
  })

  it("makes scenarios with every fault, with none, and with faults that a client recovers from", () => {
    const scenarios = seeds.map((seed) => Scenario.fromSeed(seed))
    expect([...new Set(scenarios.flatMap(faultsOf))].sort()).toEqual([
      "Corruption",
      "Cut",
      "Drip",
      "Duplication",
      "Omission",
      "Page",
      "Shuffle",
      "Silence",
      "Status",
      "Surplus",
      "Truncation",
      "WrongType"
    ])
    expect(scenarios.some((one) => faultsOf(one).length === 0)).toBe(true)
    expect(scenarios.some((one) => one.outages.length > 0)).toBe(true)
    expect(scenarios.some((one) => one.clockJumps.length > 0)).toBe(true)
    expect(scenarios.some((one) => one.startDelay !== 0)).toBe(true)
    expect(scenarios.some((one) => one.nameDelay !== 0)).toBe(true)
    const recoverable = scenarios.filter((one) => Scenario.maxFailures(one) <= 4).length
    expect(recoverable).toBeGreaterThan(seeds.length / 3)
    expect(recoverable).toBeLessThan(seeds.length)
  })
})

describe("a scenario in a proxy", () => {
  /** Returns the statuses of the responses by request. */
  const statuses = async (
    order: ReadonlyArray<number>
  ): Promise<Readonly<Record<number, ReadonlyArray<number>>>> => {
    const scenario: Scenario.Scenario = {
      ...Scenario.noFaults,
      seed: 5,
      rules: [
        { fault: { _tag: "Status", status: 503, body: "nothing" }, share: 0.5, times: 1 },
        { fault: { _tag: "Status", status: 429, body: "nothing" }, share: 0.5, times: 1 }
      ]
    }
    await using proxy = await FaultProxy.start({
      scenario,
      upstream: () => ({ status: 200, headers: {}, body: Buffer.from("[]") })
    })
    const met: Record<number, Array<number>> = {}
    for (const n of order) {
      met[n] ??= []
      met[n].push((await fetch(`${proxy.url}/${n}`)).status)
    }
    return met
  }

  it("gives the same requests the same statuses in any order", async () => {
    const order = Array.from({ length: 120 }, (_, n) => n % 40)
    const forwards = await statuses(order)
    expect(await statuses(order.toReversed())).toEqual(forwards)
    const kinds = new Set(Object.values(forwards).map(String))
    // A request meets no rule, one rule, or both rules one after the other.
    expect([...kinds].sort()).toEqual(["200,200,200", "429,200,200", "503,200,200", "503,429,200"])
  })

  it("applies bursts by the order of requests", async () => {
    const scenario: Scenario.Scenario = {
      ...Scenario.noFaults,
      bursts: [{ fault: { _tag: "Status", status: 500, body: "nothing" }, after: 1, length: 2 }]
    }
    await using proxy = await FaultProxy.start({
      scenario,
      upstream: () => ({ status: 200, headers: {}, body: Buffer.from("") })
    })
    const met: Array<number> = []
    for (let n = 0; n < 4; n++) met.push((await fetch(`${proxy.url}/${n}`)).status)
    expect(met).toEqual([200, 500, 500, 200])
  })
})

describe("a time of a scenario", () => {
  const isScenario = Schema.is(Scenario.Scenario)

  it.each([0, 20, "2 seconds", "1 day", { seconds: 1 }])("can be %j", (latency) => {
    expect(isScenario({ ...Scenario.noFaults, latency })).toBe(true)
  })

  it.each([-1, Number.NaN, "soon", "2 days", null])("cannot be %j", (latency) => {
    expect(isScenario({ ...Scenario.noFaults, latency })).toBe(false)
  })
})
