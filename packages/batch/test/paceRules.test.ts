/** What a pace does at a refusal, after an outage, and before a request, beside the rate that it learns (pace.test.ts). */

import { MonotonicClock, Pace } from "@chemstream/batch"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

/** Reserves places as fast as a limit allows from time 0 on. Returns the times of the requests. */
const timesOf = (limit: number | undefined, count: number): ReadonlyArray<number> => {
  let state: Pace.State | undefined
  let now = 0
  return Array.from({ length: count }, () => {
    const [next, { delay, isReserved }] = Pace.reserve(state, now, limit)
    expect(isReserved).toBe(true)
    state = next
    now += delay
    return now
  })
}

const learned = (more: Partial<Pace.State> = {}): Pace.State => ({
  next: 0,
  pausedUntil: 0,
  rate: 10,
  held: 8,
  refused: null,
  raises: 0,
  epoch: 5,
  accepted: 0,
  since: 0,
  recent: { accepted: 50, from: -5000 },
  measured: { accepted: 100, from: -20_000, to: -5000 },
  ...more
})

const refusal = (more: Partial<Pace.Refusal> = {}): Pace.Refusal => ({
  epoch: 5,
  wait: 1000,
  isLearning: true,
  ...more
})

describe("a place in a pace", () => {
  it("comes at once without a limit", () => {
    expect(timesOf(undefined, 100)).toEqual(Array(100).fill(0))
  })

  it.each([
    [2, [0, 500, 1000, 1500]],
    [10, [0, 100, 200, 300]],
    [20, [0, 0, 50, 100]],
    [50, [0, 0, 0, 0, 0, 20, 40]]
  ])(
    "comes as a limit of %d a second says, with at most a tenth of a second's requests at once",
    (limit, times) => {
      expect(timesOf(limit, times.length)).toEqual(times)
    }
  )

  it("comes one by one at a learned rate, and is not reserved ahead", () => {
    const [next, first] = Pace.reserve(learned(), 0)
    expect(first).toEqual({ delay: 0, isReserved: true, isPaused: false, epoch: 5 })
    expect(next.next).toBe(100)
    const [same, second] = Pace.reserve(next, 30)
    expect(second).toEqual({ delay: 70, isReserved: false, isPaused: false, epoch: 5 })
    expect(same.next).toBe(100)
    expect(Pace.reserve(same, 100)[1]).toMatchObject({ delay: 0, isReserved: true })
  })

  it("comes at the lower one of a limit and a learned rate", () => {
    expect(Pace.reserve(learned(), 0, 4)[0].next).toBe(250)
    expect(Pace.reserve(learned(), 0, 40)[0].next).toBe(100)
  })

  it("does not come before the service's wait is over", () => {
    for (const rate of [10, null]) {
      const state = learned({ rate, pausedUntil: 2000 })
      const [, paused] = Pace.reserve(state, 500)
      expect(paused).toEqual({ delay: 1500, isReserved: false, isPaused: true, epoch: 5 })
      expect(Pace.reserve(state, 2000)[1]).toMatchObject({ isReserved: true, isPaused: false })
    }
  })

  it("begins at the present after a time without requests", () => {
    const [next] = Pace.reserve(learned({ next: 100 }), 5000)
    expect(next.next).toBe(5100)
  })
})

describe("accepted requests", () => {
  it("count in their epoch", () => {
    expect(Pace.counted(learned({ accepted: 2 }), { epoch: 5, count: 3 })).toMatchObject({
      accepted: 5,
      recent: { accepted: 53 },
      measured: { accepted: 100 }
    })
  })

  it("of an earlier epoch count since the last refusal, or before it", () => {
    const state = learned({ accepted: 2, raises: 2 })
    for (const epoch of [3, 4])
      expect(Pace.counted(state, { epoch, count: 3 })).toMatchObject({
        accepted: 2,
        recent: { accepted: 53 },
        measured: { accepted: 100 }
      })
    expect(Pace.counted(state, { epoch: 2, count: 3 })).toMatchObject({
      accepted: 2,
      recent: { accepted: 50 },
      measured: { accepted: 103 }
    })
  })

  it("raise the rate, which has then held, after they have come for long enough", () => {
    const state = learned({ measured: { accepted: 100, from: 0, to: 4000 } })
    const after = (count: number, now: number) => Pace.reserve(state, now, undefined, { epoch: 5, count })[0]
    expect(after(100, 3999)).toMatchObject({ rate: 10, epoch: 5 })
    expect(after(2, 4000)).toMatchObject({ rate: 10, epoch: 5 })
    expect(after(100, 4000)).toMatchObject({ held: 10, epoch: 6, accepted: 0, since: 4000, raises: 1 })
    expect(after(100, 4000).rate).toBeGreaterThan(10)
  })

  it("raise the rate to one between those that held and were refused, until they are near", () => {
    const raised = Pace.reserve(learned({ refused: 40 }), 10_000_000, undefined, { epoch: 5, count: 1000 })[0]
    expect(raised).toMatchObject({ rate: 20, held: 10, refused: 40, raises: 1 })
    const found = Pace.reserve(learned({ refused: 10.1 }), 20_000, undefined, { epoch: 5, count: 50 })[0]
    expect(found).toMatchObject({ rate: 10, held: 10, refused: 10.1, epoch: 5 })
    const later = Pace.reserve(learned({ refused: 10.1, raises: 4 }), 10_000_000, undefined, {
      epoch: 5,
      count: 1000
    })[0]
    expect(later).toMatchObject({ held: 10, refused: null, raises: 0, epoch: 6 })
    expect(later.rate).toBeGreaterThan(10)
  })

  it("of an unlimited pace are those of about the last minute, whose mean stays", () => {
    const recent = { accepted: 120, from: 10_000 }
    const state = learned({ rate: null, held: null, recent })
    expect(Pace.reserve(state, 70_000)[0].recent).toEqual(recent)
    const { accepted, from } = Pace.reserve(state, 90_000)[0].recent
    expect(from).toBe(50_000)
    expect((1000 * accepted) / (90_000 - from)).toBeCloseTo((1000 * 120) / 80_000)
  })

  it("end the search at the limit, beyond which nothing needs to be learned", () => {
    expect(Pace.reserve(learned(), 10_000_000, 12, { epoch: 5, count: 1000 })[0]).toMatchObject({
      rate: null,
      held: null,
      refused: null,
      epoch: 6
    })
    expect(
      Pace.reserve(learned({ rate: 900 }), 10_000_000, undefined, { epoch: 5, count: 9000 })[0].rate
    ).toBeNull()
  })
})

describe("the rate of a pace, by the figures of its decision record", () => {
  /** The rate after some accepted requests, at a time. The epoch began at 0. */
  const rateAfter = (state: Partial<Pace.State>, count: number, now: number, limit?: number): number | null =>
    Pace.reserve(learned({ measured: { accepted: 0, from: 0, to: 0 }, ...state }), now, limit, {
      epoch: 5,
      count
    })[0].rate

  it.each<[string, Partial<Pace.State>, number, number, number | null]>([
    ["grows by a half the first time", {}, 3, 1000, 15],
    ["doubles from then on", { raises: 1 }, 3, 1000, 20],
    ["does not grow after fewer than 3 requests", {}, 2, 9999, 10],
    ["does not grow before a second has passed", {}, 99, 999, 10],
    ["grows after as long as 5 requests took", { measured: { accepted: 5, from: 0, to: 4000 } }, 9, 3999, 10],
    ["grows then", { measured: { accepted: 5, from: 0, to: 4000 } }, 9, 4000, 15],
    ["takes no time of 4 requests", { measured: { accepted: 4, from: 0, to: 4000 } }, 9, 1000, 15],
    ["is searched between held and refused", { refused: 22.5 }, 3, 1000, 15],
    ["grows by 3 % at least", { refused: 10.4 }, 3, 1000, 10.3],
    ["is found within 3 %, and stays for 120 requests", { refused: 10.3 }, 119, 99_999, 10],
    ["stays for 45 seconds", { refused: 10.3 }, 999, 44_999, 10],
    ["grows by 3 % then", { refused: 10.3 }, 120, 45_000, 10.3],
    ["grows up to 1000 a second", { rate: 660 }, 3, 1000, 990],
    ["is not limited from 1000 a second on", { rate: 1000 / 1.5 }, 3, 1000, null]
  ])("%s", (_, state, count, now, expected) => {
    if (expected === null) expect(rateAfter(state, count, now)).toBeNull()
    else expect(rateAfter(state, count, now)).toBeCloseTo(expected)
  })

  it("is not learned from the limit on", () => {
    expect(rateAfter({}, 3, 1000, 15)).toBeNull()
    expect(rateAfter({}, 3, 1000, 15.1)).toBe(15)
  })

  it.each<[string, Partial<Pace.State>, Partial<Pace.Refusal>, number]>([
    ["loses 15 % if none held", { held: null }, {}, 8.5],
    ["loses 15 % of the one that seemed to have held", {}, { epoch: 4 }, 6.8],
    [
      "is the mean if the wait is over a fifth",
      { recent: { accepted: 20, from: -4000 } },
      { wait: 1001 },
      3.999
    ],
    ["is not the mean at a fifth", { recent: { accepted: 20, from: -4000 } }, { wait: 1000 }, 8],
    ["is the mean after up to 2 requests", { recent: { accepted: 2, from: -5000 } }, {}, 5.1],
    ["is not the mean after 3", { recent: { accepted: 3, from: -5000 } }, {}, 8],
    [
      "is not the mean if nothing was measured before",
      { recent: { accepted: 2, from: -5000 }, measured: { accepted: 0, from: 0, to: 0 } },
      {},
      8
    ],
    ["is 0.1 a second at least", { rate: 0.11, held: null }, {}, 0.1]
  ])("after a refusal %s", (_, state, one, expected) => {
    expect(Pace.refuse(learned(state), 0, refusal({ wait: 0, ...one })).rate).toBeCloseTo(expected)
  })
})

describe("a refusal", () => {
  it("pauses requests for its wait, and does not shorten an earlier one", () => {
    for (const isLearning of [true, false]) {
      expect(Pace.refuse(learned(), 500, refusal({ isLearning })).pausedUntil).toBe(1500)
      expect(Pace.refuse(learned({ pausedUntil: 9000 }), 500, refusal({ isLearning })).pausedUntil).toBe(9000)
    }
  })

  it("lowers the rate to one that held, or by a part", () => {
    const next = Pace.refuse(learned(), 0, refusal({ wait: 0 }))
    expect(next).toMatchObject({ rate: 8, held: 8, refused: 10, epoch: 6, accepted: 0, raises: 0 })
    const unknown = Pace.refuse(learned({ held: null }), 0, refusal({ wait: 0 }))
    expect(unknown).toMatchObject({ held: null, refused: 10 })
    expect(unknown.rate).toBeLessThan(10)
    const reached = Pace.refuse(learned({ held: 10 }), 0, refusal({ wait: 0 }))
    expect(reached).toMatchObject({ held: null, refused: 10 })
    expect(reached.rate).toBeLessThan(10)
  })

  it("only pauses if it must not teach, or is of a request of an older epoch", () => {
    const state = learned()
    for (const one of [refusal({ isLearning: false }), refusal({ epoch: 3 }), refusal({ epoch: 6 })])
      expect(Pace.refuse(state, 0, one)).toEqual({ ...state, pausedUntil: 1000 })
    // The rate did not rise since the epoch before, so the refusal tells nothing new.
    for (const one of [learned({ held: 10 }), learned({ held: null }), learned({ rate: null, held: null })])
      expect(Pace.refuse(one, 0, refusal({ epoch: 4 }))).toEqual({ ...one, pausedUntil: 1000 })
  })

  it("of a request from before a raise refuses the rate that seemed to have held", () => {
    const next = Pace.refuse(learned(), 0, refusal({ epoch: 4, wait: 0 }))
    expect(next).toMatchObject({ refused: 8, epoch: 6 })
    expect(next.rate).toBeLessThan(8)
  })

  it("of an unlimited pace teaches the mean of what was accepted, if anything was", () => {
    const state = learned({ rate: null, held: null, measured: { accepted: 0, from: 0, to: 0 } })
    expect(Pace.refuse(state, 0, refusal({ wait: 5000 }))).toMatchObject({
      rate: 5,
      held: null,
      refused: null
    })
    const none = { ...state, recent: { accepted: 0, from: -5000 } }
    expect(Pace.refuse(none, 0, refusal())).toEqual({ ...none, pausedUntil: 1000 })
    const one = { ...state, recent: { accepted: 1, from: -1000 } }
    expect(Pace.refuse(one, 0, refusal({ wait: 0 })).rate).toBe(1)
    const atOnce = { ...state, recent: { accepted: 5, from: 0 } }
    expect(Pace.refuse(atOnce, 0, refusal({ wait: 0 })).rate).toBe(5000)
    const seldom = { ...state, recent: { accepted: 1, from: -1_000_000 } }
    expect(Pace.refuse(seldom, 0, refusal()).rate).toBe(0.1)
  })

  it("soon after another one continues its measurement, and forgets that a rate held", () => {
    const state = learned({ recent: { accepted: 2, from: -5000 } })
    const next = Pace.refuse(state, 0, refusal({ wait: 0 }))
    expect(next).toMatchObject({ held: null, measured: { accepted: 102, from: -20_000, to: 0 } })
    expect(next.rate).toBeCloseTo(5.1)
    const other = Pace.refuse(learned(), 0, refusal({ wait: 0 }))
    expect(other.measured).toEqual({ accepted: 50, from: -5000, to: 0 })
  })

  it("with a long wait lowers the rate to the mean that the service accepts", () => {
    const next = Pace.refuse(learned({ held: null }), 0, refusal({ wait: 5000 }))
    expect(next.rate).toBe(5)
  })

  it("begins a pace that knows nothing yet", () => {
    const next = Pace.refuse(undefined, 100, refusal({ epoch: 0 }))
    expect(next).toMatchObject({ pausedUntil: 1100, rate: null, epoch: 0 })
    expect(Pace.refuse(undefined, 100, refusal({ epoch: 0 }), { epoch: 0, count: 1 }).rate).not.toBeNull()
  })
})

describe("the end of an outage", () => {
  it("forgets the learned rate of its epoch, and no wait", () => {
    const state = learned({ next: 70, pausedUntil: 90 })
    expect(Pace.afterOutage(state, 50, 5)).toMatchObject({
      rate: null,
      held: null,
      next: 70,
      pausedUntil: 90,
      epoch: 6,
      since: 50,
      recent: { accepted: 0, from: 50 }
    })
  })

  it("keeps a rate that was learned since, and a pace without one", () => {
    expect(Pace.afterOutage(learned(), 50, 4)).toEqual(learned())
    expect(Pace.afterOutage(learned({ rate: null }), 50, 5)).toEqual(learned({ rate: null }))
    expect(Pace.afterOutage(undefined, 50, 5)).toMatchObject({ rate: null, epoch: 0, since: 50 })
  })
})

describe("a pace in memory", () => {
  it("changes the state of each key in one step, at the monotonic time", () =>
    Effect.gen(function* () {
      const store = Pace.memory()
      const began = yield* MonotonicClock.currentMillis
      const reserve = (key: string) => store.modify(key, (state, now) => Pace.reserve(state, now, 2))
      expect((yield* reserve("a")).delay).toBe(0)
      expect((yield* reserve("a")).delay).toBe(500)
      expect((yield* reserve("b")).delay).toBe(0)
      yield* TestClock.adjust("200 millis")
      expect((yield* reserve("a")).delay).toBe(800)
      expect(yield* store.modify("a", (state, now) => [state as Pace.State, now - began])).toBe(200)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

  it.each([
    ["rate", () => Pace.spacing(0)],
    ["state", () => Pace.counted({} as never, { epoch: 0, count: 0 })],
    ["seen", () => Pace.counted(learned(), { epoch: 0 } as never)],
    ["seen", () => Pace.counted(learned(), { count: 0 } as never)],
    ["refusal", () => Pace.refuse(undefined, 0, { epoch: 0 } as never)],
    ["refusal", () => Pace.refuse(undefined, 0, { wait: 0 } as never)],
    ["now", () => Pace.reserve(undefined, "0" as never)]
  ])("refuses a wrong argument by its name: %s", (name, run) => {
    expect(run).toThrow(`The argument ${name} `)
  })
})

describe("the monotonic clock", () => {
  /** A clock whose wall time is set back while its monotonic time goes on. */
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => 5,
    currentTimeMillis: Effect.succeed(5),
    currentTimeNanosUnsafe: () => 5_000_000n,
    currentTimeNanos: Effect.succeed(5_000_000n),
    monotonicTimeNanosUnsafe: () => 7_900_000n,
    monotonicTimeNanos: Effect.succeed(7_900_000n),
    sleep: () => Effect.void
  }

  it("replaces the wall clock of an effect", async () => {
    const read = Effect.clockWith((one) =>
      Effect.map(
        Effect.all([
          one.currentTimeMillis,
          one.currentTimeNanos,
          one.monotonicTimeNanos,
          MonotonicClock.currentMillis
        ]),
        (times) => [
          ...times,
          one.currentTimeMillisUnsafe(),
          one.currentTimeNanosUnsafe(),
          one.monotonicTimeNanosUnsafe()
        ]
      )
    )
    const on = (effect: typeof read) => Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))
    expect(await on(MonotonicClock.provide(read))).toEqual([
      7,
      7_900_000n,
      7_900_000n,
      7.9,
      7,
      7_900_000n,
      7_900_000n
    ])
    expect(await on(read)).toEqual([5, 5_000_000n, 7_900_000n, 7.9, 5, 5_000_000n, 7_900_000n])
    expect(MonotonicClock.now(clock)).toBe(7.9)
    expect(() => MonotonicClock.now({} as never)).toThrow("The argument clock ")
    expect(() => MonotonicClock.provide(5 as never)).toThrow("The argument effect ")
  })
})
