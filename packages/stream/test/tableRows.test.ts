// Tests the identifiers of the rows of a table.
import { RawRecord } from "@chemstream/ndjson"
import { TableRows } from "@chemstream/stream"
import { describe, expect, it } from "vitest"

const record = RawRecord.fromText(
  '{"name":" Bisphenol A ","mz":229.1223,"charge":1,"none":null,"yes":true,"list":["x"],"empty":""}'
)

const join = (cells: ReadonlyArray<string>): string => cells.join("|")

describe("TableRows.identifier", () => {
  it.each([
    ["a text", ["name"], "Bisphenol A"],
    ["a number", ["mz"], "229.1223"],
    ["several cells, in the order of the keys", ["charge", "mz", "name"], "1|229.1223|Bisphenol A"],
    ["nothing of cells without text or number", ["none", "yes", "list", "empty", "absent"], "||||"]
  ])("has %s", (_, keys, text) => {
    expect(TableRows.identifier({ line: 2, record }, keys, join)).toEqual({ text, line: 2, carried: record })
  })

  it("keeps the fault of its row, which is then invalid", () => {
    const fault = { message: "the row has 3 cells, and the header has 2" }
    expect(TableRows.identifier({ line: 7, record, fault } as never, ["mz"], join)).toEqual({
      text: "229.1223",
      line: 7,
      carried: record,
      fault
    })
  })
})
