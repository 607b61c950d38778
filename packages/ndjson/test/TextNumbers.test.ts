import { RawRecord, TextNumbers } from "@chemstream/ndjson"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"

const raws = (texts: ReadonlyArray<string>) => texts.map(RawRecord.fromText)
const found = (texts: ReadonlyArray<string>, isCandidate?: (name: string) => boolean) => [
  ...Effect.runSync(TextNumbers.find(Stream.fromIterable(raws(texts)), isCandidate))
]

describe("TextNumbers.isNumber", () => {
  it.each([
    ...["0", "-0", "0.0", "7", "-12", "0.50", "10.05", "1.2E-05", "1e+5", "1.0e5", "0.5E10"],
    // 15 significant digits: zeros in front are none.
    ...["123456789012345", "-1234567.89012345", "0.000123456789012345", "0.0e-999"]
  ])("is true for %s", (text) => {
    expect(TextNumbers.isNumber(text)).toBe(true)
  })

  it.each([
    ...[
      "",
      " ",
      "-",
      ".5",
      "5.",
      "+5",
      "007",
      "1E5",
      "1e5",
      "80-05-7",
      "0,5",
      " 1",
      "1 ",
      "NA",
      "0x10",
      "1_000"
    ],
    ...["1234567890123456", "0.1234567890123456", "1.0e999", "-1.0e999", "1e-999"]
  ])("is false for %j, which is no number, may be a name, or loses digits", (text) => {
    expect(TextNumbers.isNumber(text)).toBe(false)
  })
})

describe("TextNumbers.find", () => {
  it.each([
    ["texts and numbers", ['{"a":"1.0"}', '{"a":2}'], ["a"]],
    ["numbers alone", ['{"a":1}'], ["a"]],
    [
      "numbers besides null, blanks and records without the field",
      ['{"a":null}', '{"a":""}', '{"a":" "}', "{}", '{"a":"1"}'],
      ["a"]
    ],
    ["a number before a blank", ['{"a":"1"}', '{"a":""}', '{"a":null}'], ["a"]],
    ["no value", ['{"a":null}', '{"a":""}'], []],
    ["another text, before or after a number", ['{"a":"x","b":"1"}', '{"a":"1","b":"x"}'], []],
    ["another text, before a blank and null", ['{"a":"x"}', '{"a":""}', '{"a":null}'], []],
    ["booleans, arrays and objects", ['{"a":true,"b":[1],"c":{"d":"1"}}'], []],
    ["an invalid text", ['{"a":"\\x"}'], []],
    ["several fields", ['{"a":"1","b":"x","c":"2"}', '{"c":"3","d":"4"}'], ["a", "c", "d"]],
    ["records that are not objects", ["[1]", "{", '{"a":"1"}'], ["a"]],
    ["no record", [], []]
  ])("returns the fields of numbers alone: %s", (_, texts, names) => {
    expect(found(texts)).toEqual(names)
  })

  it("asks for each field only once, and leaves the others out", () => {
    const asked: Array<string> = []
    const texts = ['{"a":"1","b":"2"}', '{"b":"3","a":"4"}']
    const names = found(texts, (name) => {
      asked.push(name)
      return name === "b"
    })
    expect(names).toEqual(["b"])
    expect(new Set(asked)).toEqual(new Set(["a", "b"]))
  })

  it("finds anew in each run, and refuses what is no stream", () => {
    const find = TextNumbers.find(Stream.fromIterable(raws(['{"a":"1"}'])))
    expect([Effect.runSync(find), Effect.runSync(find)]).toEqual([new Set(["a"]), new Set(["a"])])
    expect(() => Effect.runSync(TextNumbers.find([] as never))).toThrow("records must be a stream of Effect")
  })
})

describe("TextNumbers.toNumbers", () => {
  const changed = (text: string, ...names: ReadonlyArray<string>) =>
    String(TextNumbers.toNumbers(new Set(names))(RawRecord.fromText(text)))

  it("makes numbers of the texts of the fields, with all digits, and null of blanks", () => {
    const text = '{"a":"1.50","b":"1.50","c":2.0,"d":"","e":" ","f":null,"g":["1"],"a":"0.10"}'
    expect(changed(text, "a", "c", "d", "e", "f", "g")).toBe(
      '{"a":1.50,"b":"1.50","c":2.0,"d":null,"e":null,"f":null,"g":["1"],"a":0.10}'
    )
  })

  it("returns the record itself without fields, and if it is not an object", () => {
    const record = RawRecord.fromText('{"a": "1"}')
    expect(TextNumbers.toNumbers(new Set())(record)).toBe(record)
    const list = RawRecord.fromText('["1"]')
    expect(TextNumbers.toNumbers(new Set(["a"]))(list)).toBe(list)
    expect(() => TextNumbers.toNumbers(["a"] as never)(list)).toThrow("names must be a set")
  })
})
