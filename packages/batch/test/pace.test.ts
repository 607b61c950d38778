/** The law of docs/decisions/0032-a-learned-rate.md: few requests are refused, and most of what a service accepts is used. */
import { Pace } from "@chemstream/batch"
import { describe, expect, it } from "vitest"
import { bucket, type Service, simulate, slidingWindow } from "./pacedService.ts"

const rates = [0.2, 0.5, 1, 2, 5, 10, 20, 50]

const services: Readonly<Record<string, (rate: number) => Service>> = {
  "a bucket of one token": (rate) => bucket(rate, 1),
  "a bucket of a second's tokens": (rate) => bucket(rate, Math.max(1, rate)),
  "a sliding window": (rate) => slidingWindow(rate, rate < 1 ? 10_000 : 1000)
}

const clients = {
  "one process with 4 calls": { processes: 1, calls: 4 },
  "one process with 16 calls": { processes: 1, calls: 16 },
  "four workers that share a pace": { processes: 4, calls: 4 }
}

describe.each(Object.entries(services))("the rate learned from %s", (_, make) => {
  describe.each(Object.entries(clients))("by %s", (_, client) => {
    it.each([
      ["with", true],
      ["without", false]
    ])(
      "%s Retry-After uses 90 %% of 0.2 to 50 requests per second, and at most 5 %% are refused",
      (_, isTimed) => {
        for (const rate of rates) {
          const millis = Math.max(600, 1000 / rate) * 1000
          const result = simulate({ service: make(rate), isTimed, ...client, latency: 50, millis })
          const about = `${rate} a second: ${JSON.stringify(result)}`
          expect((1000 * result.accepted) / (rate * millis), about).toBeGreaterThanOrEqual(0.9)
          expect(result.refused / (result.accepted + result.refused), about).toBeLessThanOrEqual(0.05)
        }
      }
    )
  })
})

describe("a learned rate", () => {
  it("follows a service that accepts fewer requests for some minutes", () => {
    const minute = 60_000
    const plenty = bucket(20, 1)
    const scarce = bucket(2, 1)
    const service: Service = (now) => (now >= 5 * minute && now < 10 * minute ? scarce(now) : plenty(now))
    const { accepted, refused } = simulate({
      service,
      isTimed: true,
      processes: 1,
      calls: 4,
      latency: 100,
      millis: 60 * minute
    })
    expect(accepted / (20 * 55 * 60 + 2 * 5 * 60)).toBeGreaterThan(0.75)
    expect(refused / accepted).toBeLessThan(0.01)
  })

  it("is never so low that a service which refuses every request is left for more than ten seconds", () => {
    let [state] = Pace.reserve(undefined, 0)
    for (let now = 1000; now < 3_600_000; now += 1000)
      state = Pace.refuse(
        state,
        now,
        { epoch: state.epoch, wait: 1000, isLearning: true },
        { epoch: state.epoch, count: now === 1000 ? 1 : 0 }
      )
    expect(state.rate).toBeGreaterThanOrEqual(0.1)
  })
})
