import { Ledger } from "@chemstream/stream"
import { describe, expect, it } from "vitest"
import { expect as expectRequests, plainLines, render } from "../src/terminal/runProgress.ts"

describe("the progress line", () => {
  const state = { done: 640, total: 1040, retries: 2, elapsed: 2000 }

  it("shows count, rate, remaining time and retries", () => {
    expect(render(state, 80)).toBe(
      "[##################------------] 640/1,040 ids, 320/s, 2 s left, 2 retries"
    )
  })

  it("shows no bar and no remaining time if the total is unknown", () => {
    expect(render({ ...state, total: undefined, retries: 0 }, 80)).toBe("640 ids, 320/s")
  })

  it("shows the requests sent and expected, and their time", () => {
    const requests = { sent: 12, expected: 2010 }
    expect(render({ ...state, total: undefined, requests, retries: 0 }, 80)).toBe(
      "640 ids, 320/s, 12/2,010 requests"
    )
    expect(render({ ...state, requests, left: 1998 }, 120)).toMatch(
      / 640\/1,040 ids, 320\/s, 12\/2,010 requests, 34 min left, 2 retries$/
    )
  })

  it("shows that it is throttled", () => {
    expect(render({ ...state, waiting: 2 }, 120)).toMatch(/2 retries, waiting for the service$/)
    expect(render({ ...state, waiting: 0 }, 120)).toMatch(/2 retries$/)
  })

  it("fits any terminal, and its bar is full at the end", () => {
    for (let columns = 1; columns < 120; columns++)
      expect(render(state, columns).length).toBeLessThan(columns)
    expect(render({ done: 5, total: 5, retries: 0, elapsed: 10 }, 80)).toContain(
      "[##############################]"
    )
    expect(render({ done: 0, total: 0, retries: 0, elapsed: 0 }, 80)).toContain("0/0 ids")
  })
})

describe("the expected requests", () => {
  /** The requests and seconds left of a run over 10,000 items, after some work in 100 s. */
  const left = (
    {
      batchSize = 1000,
      done,
      inFlight = 0,
      sent
    }: Readonly<Partial<Record<"batchSize" | "done" | "inFlight" | "sent", number>>>,
    plan: { readonly least: number; readonly most: number | undefined } = { least: 10, most: 10 },
    pace: number | undefined = 0.1
  ) =>
    expectRequests(
      { ...plan, read: 10_000, pace },
      { ...Ledger.make(), found: done ?? 0, batchSize, inFlight },
      { done: done ?? 0, sent: sent ?? 0, elapsed: 100_000 }
    )

  it("are those of the plan before the first response", () => {
    expect(left({})).toEqual({ requests: 10, left: 100 })
    expect(left({}, { least: 10, most: 300 })).toEqual({ requests: 10, left: 100 })
  })

  it("do not count the requests in flight again", () => {
    expect(left({ sent: 4, inFlight: 4 })).toMatchObject({ requests: 6 })
    expect(left({ done: 9000, sent: 10, inFlight: 1 })).toMatchObject({ requests: 0 })
  })

  it("follow the requests so far within the bounds of the plan", () => {
    expect(left({ done: 5000, sent: 40 }, { least: 10, most: undefined })).toMatchObject({ requests: 40 })
    expect(left({ done: 5000, sent: 40 }, { least: 10, most: 30 })).toMatchObject({ requests: 15 })
    // The plan is exact, so further requests were retries, or the parts of a failed batch.
    expect(left({ done: 5000, sent: 40 })).toMatchObject({ requests: 5 })
  })

  it("are more with smaller batches", () => {
    expect(left({ batchSize: 125, done: 5000, sent: 12 })).toMatchObject({ requests: 40 })
  })

  it("take as long as the requests so far, and not less than the rate allows", () => {
    expect(left({ done: 5000, sent: 5 })).toEqual({ requests: 5, left: 100 })
    expect(left({ done: 5000, sent: 5 }, undefined, 0.01)).toEqual({ requests: 5, left: 500 })
    expect(left({ done: 5000, sent: 5 }, undefined, 100)).toEqual({ requests: 5, left: 100 })
  })
})

describe("plain lines", () => {
  const said = (
    states: ReadonlyArray<readonly [done: number, seconds: number]>,
    total: number | undefined
  ) => {
    const lines: Array<string> = []
    const say = plainLines((line) => lines.push(line))
    for (const [at, [done, seconds]] of states.entries()) {
      say({ done, total, retries: 0, elapsed: seconds * 1000 }, at === states.length - 1)
    }
    return lines.map((line) => /(\d+)[/ ]/.exec(line.replace(/^\[.*\] /, ""))?.[1])
  }

  it("are written every five seconds and at the end, if the total is unknown", () => {
    expect(
      said(
        [
          [0, 0],
          [10, 4.9],
          [11, 5],
          [12, 9.9],
          [12, 10],
          [13, 10.5]
        ],
        undefined
      )
    ).toEqual(["11", "12", "13"])
  })

  it("are written after each quarter, and every five seconds in between", () => {
    expect(
      said(
        [
          [0, 0],
          [25, 1],
          [26, 2],
          [27, 6],
          [50, 7],
          [100, 8],
          [100, 8]
        ],
        100
      )
    ).toEqual(["25", "27", "50", "100"])
  })
})
