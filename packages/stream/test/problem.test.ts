// Tests which outcomes need a review, and the lines that say why.
import { RawRecord } from "@chemstream/ndjson"
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

  const raw = (text: string) => RawRecord.fromText(text)
  const line = { id, outcome: "failed", error: { tag: "ServerError", message: failure.message, status: 500 } }

  it.each<readonly [string, object, object]>([
    ["the carried record", { carried: raw(' { "n": 1.0 }\n') }, { carried: { n: 1 } }],
    ["no carried value that is not a record", { carried: { n: 1 } }, {}],
    ["the refused records", { records: [raw('{"a":1}'), { b: 2 }] }, { records: [{ a: 1 }, { b: 2 }] }],
    ["no refused record", { records: [] }, { records: [] }],
    [
      "the carried record and the refused ones",
      { carried: raw('{"n":1}'), records: [raw('{"a":\n1}')] },
      { carried: { n: 1 }, records: [{ a: 1 }] }
    ]
  ])("has %s", (_, more, written) => {
    const text = Problem.toLine({ ...Outcome.failed(id, 3, failure), ...more } as never)
    expect(text).not.toContain("\n")
    expect(JSON.parse(text)).toEqual({ ...line, line: 3, ...written })
  })

  it("has a carried record as it was written, after the other fields", () => {
    const missing = { ...Outcome.missing(id, 3), carried: raw('{"n":1.0}') }
    expect(Problem.toLine(missing)).toMatch(/^\{"id":.*,"line":3,"carried":\{"n":1\.0\}\}$/)
  })

  it.each([
    [undefined, {}],
    [id, { id }]
  ])("of a surplus record of %s has the record", (surplusId, named) => {
    const text = Problem.toLine(Outcome.surplus("repeated", raw('{"a":1}'), surplusId) as never)
    expect(JSON.parse(text)).toEqual({
      ...named,
      outcome: "surplus",
      error: { tag: "Surplus", reason: "repeated", message: expect.any(String) },
      records: [{ a: 1 }]
    })
  })

  it("has the suggestions for a missing identifier, if there are any", () => {
    const errorOf = (suggestions?: ReadonlyArray<string>) =>
      Problem.toValue(Outcome.missing(id, 1, suggestions)).error
    expect(errorOf(["a", "b"])).toMatchObject({
      message: expect.stringContaining("a, b"),
      suggestions: ["a", "b"]
    })
    for (const none of [undefined, []]) expect(errorOf(none)).not.toHaveProperty("suggestions")
  })

  it("has for a missing identifier the message of the run", () => {
    expect(Problem.toValue(Outcome.missing(id, 2), { absent: (one) => `no data of ${one}` })).toMatchObject({
      outcome: "missing",
      error: { tag: "Missing", message: `no data of ${id}` }
    })
  })
})
