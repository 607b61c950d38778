import { Table } from "@chemstream/ndjson"
import { Outcome, OutcomeRow, Problem } from "@chemstream/stream"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const isRow = Schema.is(OutcomeRow.OutcomeRow)
const isLine = Schema.is(Problem.Line)

describe("the row of an outcome", () => {
  it("describes the outcome and matches the schema", () => {
    const found = OutcomeRow.make({ ...Outcome.found("a", 1, [{}, {}], "capped"), given: "A" })
    expect(found).toEqual({
      id: "a",
      outcome: "found",
      records: 2,
      truncated: "capped",
      line: 1,
      given: "A",
      message: null,
      error: null
    })
    const error = { _tag: "Timeout", message: "too slow", attempts: 5 }
    const failed = OutcomeRow.make(Outcome.failed("b", 2, error, [{}]))
    expect(failed).toMatchObject({
      outcome: "failed",
      records: 0,
      message: "too slow",
      error: { tag: "Timeout", message: "too slow", attempts: 5 }
    })
    const missing = OutcomeRow.make(Outcome.missing("c", 3, ["d"]), (id) => `no ${id}`)
    expect(missing.message).toBe("no c; similar name: d")
    for (const row of [found, failed, missing]) expect(isRow(row)).toBe(true)
  })

  it("has columns for a table", () => {
    expect(Table.columnsOf(OutcomeRow.OutcomeRow)).toEqual([
      { name: "id", type: "text" },
      { name: "outcome", type: "text" },
      { name: "records", type: "integer" },
      { name: "truncated", type: "text" },
      { name: "line", type: "integer" },
      { name: "given", type: "text" },
      { name: "message", type: "text" },
      { name: "error", type: "json" }
    ])
  })

  it("has the error of the line of the errors file, and every such line matches its schema", () => {
    const problems = [
      Outcome.missing("a", 1, ["b"]),
      Outcome.failed("c", 2, { _tag: "Timeout", message: "too slow" }, [{ x: 1 }]),
      Outcome.surplus("unrequested", { y: 1 }, "d"),
      Outcome.surplus("unidentified", { y: 1 })
    ]
    for (const problem of problems) {
      const line = JSON.parse(Problem.toLine(problem))
      expect(isLine(line)).toBe(true)
      if (problem._tag !== "Surplus") expect(OutcomeRow.make(problem).error).toEqual(line.error)
    }
  })
})
