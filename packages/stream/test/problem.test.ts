// Tests which outcomes need a review, and the lines that say why.
import { Outcome, Problem } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

const id = "DTXSID7020182"

const failure = { _tag: "ServerError", message: "the service failed (500)", status: 500 }

const foundWith = (doubt?: "ambiguous" | "conflict"): Outcome.Found<string> =>
  Outcome.found(id, 1, ["a record"], undefined, doubt)

describe("an outcome", () => {
  it.each<readonly [string, Outcome.Outcome<string, typeof failure>, boolean]>([
    ["found", foundWith(), false],
    ["found, and ambiguous", foundWith("ambiguous"), true],
    ["found, with a conflict", foundWith("conflict"), true],
    ["missing", Outcome.missing(id, 1), true],
    ["failed", Outcome.failed(id, 1, failure), true]
  ])("that is %s is listed: %s %s", (_, outcome, isListed) => {
    expect(Problem.isListed(outcome)).toBe(isListed)
  })
})

describe("the line of a problem", () => {
  const doubtful = { ...foundWith(), doubt: "ambiguous" as const }

  it("has the tag and the meaning of a doubt, or the message about it", () => {
    expect(JSON.parse(Problem.toLine(doubtful))).toEqual({
      id,
      outcome: "ambiguous",
      error: { tag: "Ambiguous", message: "it may mean several substances" },
      line: 1
    })
    expect(Problem.toValue({ ...foundWith(), doubt: "conflict" as const })).toMatchObject({
      outcome: "conflict",
      error: { tag: "Conflict", message: "its identifiers are different substances" }
    })
    expect(Problem.toValue(doubtful, { doubtful: (one) => `two of ${one.id}` })).toMatchObject({
      error: { tag: "Ambiguous", message: `two of ${id}` }
    })
  })

  it("has the fields of an error, the given spelling, and identifiers as people read them", () => {
    const failed = { ...Outcome.failed(id, 3, failure), given: "dtxsid7020182" }
    expect(JSON.parse(Problem.toLine(failed, { shown: (text) => `<${text}>` }))).toEqual({
      id: `<${id}>`,
      outcome: "failed",
      error: { tag: "ServerError", message: "the service failed (500)", status: 500 },
      line: 3,
      given: "<dtxsid7020182>"
    })
  })

  it("has for a missing identifier the message of the run", () => {
    expect(Problem.toValue(Outcome.missing(id, 2), { absent: (one) => `no data of ${one}` })).toMatchObject({
      outcome: "missing",
      error: { tag: "Missing", message: `no data of ${id}` }
    })
  })
})
