import { describe, expect, it } from "vitest"
import { plainLines, render } from "../src/terminal/progress.ts"

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
