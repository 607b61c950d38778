import { type RawJsonError, RawRecord, RawShape } from "@chemstream/ndjson"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf } from "./chunks.ts"

const { fromText, pick, omit, toText, value } = RawRecord

const failure = (result: Result.Result<unknown, RawJsonError.RawJsonError>) =>
  Result.isFailure(result) ? [result.failure.reason, result.failure.offset] : "a success"

const lineOf = (text: string): string => new TextDecoder().decode(RawRecord.toLine(fromText(text)))

// Any JSON value, as text with every kind of white space and escape.
const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), fc.boolean())
  .map(([json, indent, ascii]) => {
    const text = JSON.stringify(json, null, indent)
    const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
    return ascii ? text.replace(/[^\0-\x7f]/g, escaped) : text
  })

describe("RawRecord.value", () => {
  it("returns strings, numbers, booleans and null by key, and arrays and objects as records", () => {
    const record = fromText(
      ' {"s":"a\\n\\u00b5","n":-3850.0e-1,"t":true,"f":false,"z":null,"a":[1, 2],"o":{"s":2}} '
    )
    expect(value(record, "s")).toBe("a\nµ")
    expect(value(record, "n")).toBe(-385)
    expect(value(record, "t")).toBe(true)
    expect(value(record, "f")).toBe(false)
    expect(value(record, "z")).toBe(null)
    expect(String(value(record, "a"))).toBe("[1, 2]")
    expect(String(value(record, "o"))).toBe('{"s":2}')
    expect(RawRecord.isRawRecord(value(record, "o"))).toBe(true)
  })

  it("returns undefined for an absent key, also if it occurs deeper or as a value", () => {
    const record = fromText('{"a":{"b":1},"c":"d"}')
    expect(["b", "d", "", "A", "aa"].map((key) => value(record, key))).toEqual(Array(5).fill(undefined))
  })

  it("matches keys by value: escaped, of several bytes, empty", () => {
    const record = fromText('{"\\u0064tx\\u0073id":1,"µ":2,"\\u00e9":3,"":4,"a\\"b":5,"𝄞":6,"__proto__":7}')
    expect(["dtxsid", "µ", "é", "", 'a"b', "𝄞", "__proto__"].map((key) => value(record, key))).toEqual([
      1, 2, 3, 4, 5, 6, 7
    ])
  })

  it("finds no value by a key with an invalid escape or invalid UTF-8", () => {
    for (const key of ["\\x", "a\\", "\\u00", "\\ud8zz", "µ\\x"])
      for (const name of [key, "a", "x", "", "\ufffd"])
        expect(value(fromText(`{"${key}":1,"b":2}`), name)).toBeUndefined()
    const bytes = bytesOf('{"µ":1}')
    bytes[3] = 0xff
    for (const name of ["µ", "\ufffd", "\ufffd\ufffd"])
      expect(value(RawRecord.fromBytes(bytes), name)).toBeUndefined()
  })

  it("returns the last value of a duplicate key", () => {
    expect(value(fromText('{"a":1,"b":2,"\\u0061":3}'), "a")).toBe(3)
  })

  it.each([
    "",
    "[]",
    '"a"',
    "{",
    '{"a":1',
    '{"a"}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    '{"a":1}x',
    '{"a":[}',
    '{"a":01}',
    '{"a":"\\x"}'
  ])("returns undefined if the text is not a well-formed object: %j", (text) =>
    expect(value(fromText(text), "a")).toBeUndefined()
  )

  it("reads only its own bytes", () => {
    const bytes = bytesOf('{"a":"x"},{"a":"y"}')
    expect(value(RawRecord.make(bytes, 10, 19), "a")).toBe("y")
    expect(value(RawRecord.make(bytes, 0, 7), "a")).toBeUndefined()
    for (const text of ['{ "a" : { "b" : 1 } , "c" : [ ] , "d" : "x" }', "{ }", '{"a":1,"b":{}}'])
      for (let end = 0; end < text.length; end++) {
        const record = RawRecord.make(bytesOf(`${text}}]},"z":1}`), 0, end)
        expect(failure(RawRecord.entries(record))).toEqual(["truncated", end])
        expect(value(record, "a")).toBeUndefined()
      }
  })

  it("agrees with JSON.parse on any object", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "grapheme" }), jsonText),
        fc.constantFrom("", " ", "\r\n\t"),
        (fields, space) => {
          const members = Object.entries(fields).map(
            ([key, text]) => `${JSON.stringify(key)}${space}:${space}${text}`
          )
          const text = `{${space}${members.join(`${space},`)}${space}}`
          const record = fromText(text)
          const parsed = JSON.parse(text) as Record<string, unknown>
          for (const key of Object.keys(fields)) {
            const found = value(record, key)
            expect(RawRecord.isRawRecord(found) ? JSON.parse(toText(found)) : found).toEqual(parsed[key])
          }
          const entries = Result.getOrThrow(RawRecord.entries(record))
          expect(entries.map((entry) => entry.key)).toEqual(Object.keys(fields))
          expect(entries.map((entry) => toText(entry.value))).toEqual(Object.values(fields))
        }
      )
    )
  })
})

describe("RawRecord.entries", () => {
  it("lists the keys in the order of the text, with the kind and text of their values", () => {
    const record = fromText('{"m":3850.0, "s":"a b" ,"t":true,"f":false,"z":null,"a":[ 1 ],"o":{ },"m":-1}')
    const entries = Result.getOrThrow(RawRecord.entries(record))
    expect(entries.map((entry) => [entry.key, entry.kind, toText(entry.value)])).toEqual([
      ["m", "number", "3850.0"],
      ["s", "string", '"a b"'],
      ["t", "boolean", "true"],
      ["f", "boolean", "false"],
      ["z", "null", "null"],
      ["a", "array", "[ 1 ]"],
      ["o", "object", "{ }"],
      ["m", "number", "-1"]
    ])
  })

  it.each([
    ['{"é":1}', "\u00c3\u00a9"],
    ['{"a\\nb":1}', "a\\nb"],
    ['{"a\\u0062":1}', "a\\u0062"],
    ['{"ab":1}', "a"],
    ['{"a":1}', "ab"],
    ['{"a":1}', "A"]
  ])("has in %s no field %j, whose text or bytes only look alike", (text, name) => {
    expect(RawRecord.value(fromText(text), name)).toBeUndefined()
    const shape = RawShape.make({ kinds: { [name]: "string" }, required: [name] })
    const { drift } = Result.getOrThrow(RawShape.read(shape, fromText(text)))
    expect(drift.map(({ field }) => field)).toEqual([name])
  })

  it("distinguishes keys of the same length and hash", () => {
    const keys = Array.from({ length: 5000 }, (_, n) => `k${n}`)
    const record = fromText(`{${keys.map((key) => `"${key}":0`).join()}}`)
    for (let pass = 0; pass < 2; pass++) {
      expect(Result.getOrThrow(RawRecord.entries(record)).map((entry) => entry.key)).toEqual(keys)
    }
    expect(
      Result.getOrThrow(RawRecord.entries(fromText('{"Aa":1,"BB":2}'))).map((entry) => entry.key)
    ).toEqual(["Aa", "BB"])
  })

  it.each([
    ["[1]", "not-an-object", 0],
    [' "a"', "not-an-object", 1],
    ["", "truncated", 0],
    ['{"a":1', "truncated", 6],
    ['{"a":"', "truncated", 6],
    ['{"a" 1}', "unexpected-byte", 5],
    ["{a:1}", "unexpected-byte", 1],
    ['{x"a":1}', "unexpected-byte", 1],
    ['{"a":1,x"b":2}', "unexpected-byte", 7],
    ['{"a":x}', "unexpected-byte", 5],
    ['{"a":+1,"b":2}', "unexpected-byte", 5],
    ['{"a":1 "b":2}', "missing-comma", 7],
    ['{"a":1]', "unbalanced", 6],
    ['["a":1}', "unexpected-byte", 4],
    ['{xa":1}', "unexpected-byte", 1],
    ['{"a";1}', "unexpected-byte", 4],
    ['{"a":1,xb":2}', "unexpected-byte", 7],
    ['{"a":1;"b":2}', "unexpected-byte", 6],
    ['{"a":1}}', "trailing-data", 7],
    ['{"a":1} 2', "trailing-data", 8],
    ['{"\\x":1}', "unexpected-byte", 3]
  ])("rejects %j as %s at byte %i, and finds no value in it", (text, reason, offset) => {
    expect(failure(RawRecord.entries(fromText(text)))).toEqual([reason, offset])
    expect(value(fromText(text), "a")).toBeUndefined()
  })
})

describe("RawRecord.prepend", () => {
  it("inserts fields at the start of an object and keeps its text", () => {
    const fields = [
      ['li"ne', fromText("7")],
      ["query", fromText('"x"')]
    ] as const
    const texts = ['{"mass" : 3850.0 }', " {} ", "{ }"].map((text) =>
      toText(Result.getOrThrow(RawRecord.prepend(fromText(text), fields))).trim()
    )
    expect(texts).toEqual([
      '{"li\\"ne":7,"query":"x","mass" : 3850.0 }',
      '{"li\\"ne":7,"query":"x"}',
      '{"li\\"ne":7,"query":"x" }'
    ])
    expect(toText(Result.getOrThrow(RawRecord.prepend(fromText('{"a":1}'), [])))).toBe('{"a":1}')
  })

  it("accepts a record in the middle of other bytes", () => {
    const bytes = new TextEncoder().encode('[{"a":1},{"b":2}]')
    const longer = RawRecord.prepend(RawRecord.make(bytes, 9, 16), [["n", fromText("0")]])
    expect(toText(Result.getOrThrow(longer))).toBe('{"n":0,"b":2}')
  })

  it("rejects a record that is not an object", () => {
    const refused = RawRecord.prepend(fromText("[1]"), [["n", fromText("0")]])
    expect(Result.isFailure(refused) && refused.failure.reason).toBe("not-an-object")
  })
})

describe("RawRecord.pick and omit", () => {
  const record = fromText('{ "id" : 1, "mass": 3850.0,\n "name": "\\u00b5 x", "tags": [1, 2], "id": 2 }')

  it("picks the given fields in the given order, with the text of each value", () => {
    const picked = Result.getOrThrow(pick(record, ["tags", "mass", "id", "mass"], { missing: "omit" }))
    expect(toText(picked)).toBe('{"tags":[1, 2],"mass":3850.0,"id":2}')
  })

  it("omits a missing field, or writes it as null", () => {
    expect(toText(Result.getOrThrow(pick(record, ["no", "mass"], { missing: "omit" })))).toBe(
      '{"mass":3850.0}'
    )
    expect(toText(Result.getOrThrow(pick(record, ['n"o', "mass"], { missing: "null" })))).toBe(
      '{"n\\"o":null,"mass":3850.0}'
    )
    expect(toText(Result.getOrThrow(pick(record, [], { missing: "null" })))).toBe("{}")
  })

  it("omits the given fields and keeps the others in their order", () => {
    expect(toText(Result.getOrThrow(omit(record, ["id", "no"])))).toBe(
      '{"mass":3850.0,"name":"\\u00b5 x","tags":[1, 2]}'
    )
    expect(toText(Result.getOrThrow(omit(record, ["id", "mass", "name", "tags"])))).toBe("{}")
  })

  it("rejects text that is not a well-formed object", () => {
    expect(failure(pick(fromText("[]"), ["a"], { missing: "omit" }))).toEqual(["not-an-object", 0])
    expect(failure(omit(fromText('{"a":1,'), ["a"]))).toEqual(["truncated", 7])
  })

  it("splits any object into picked and remaining fields without loss", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.func(fc.boolean()), (object, chosen) => {
        const raw = fromText(JSON.stringify(object))
        const all = JSON.parse(JSON.stringify(object)) as Record<string, unknown>
        const names = Object.keys(all).filter((name) => chosen(name))
        const left = JSON.parse(toText(Result.getOrThrow(omit(raw, names)))) as object
        const picked = JSON.parse(toText(Result.getOrThrow(pick(raw, names, { missing: "omit" })))) as object
        expect(Object.keys(picked).sort()).toEqual(names.sort())
        expect(new Map([...Object.entries(left), ...Object.entries(picked)])).toEqual(
          new Map(Object.entries(all))
        )
      })
    )
  })
})

describe("RawRecord.occurrences", () => {
  it("counts a text as often as String.split finds it, in keys, in values and across both", () => {
    const pieces = fc.array(fc.constantFrom('"id"', '"id', "id", '"', ":", "ä", "x"), { maxLength: 40 })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("")
        expect(RawRecord.occurrences(fromText(text), '"id"')).toBe(text.split('"id"').length - 1)
      })
    )
  })

  it("counts only inside the record", () => {
    const bytes = bytesOf('"id","id","id"')
    expect(RawRecord.occurrences(RawRecord.make(bytes, 1, 10), '"id"')).toBe(1)
  })
})

describe("RawRecord.check", () => {
  it("accepts and rejects the same texts as parse, with the same reason and position", () => {
    const texts = [
      '{"a":[1,-0.5e+3,"\\u00e9",null]}',
      "01",
      '{"a":1,}',
      '"\u0001"',
      '["x"',
      "[1]]",
      "tru",
      ""
    ]
    for (const text of texts) {
      const checked = RawRecord.check(RawRecord.fromText(text))
      const parsed = RawRecord.parse(RawRecord.fromText(text))
      expect(Result.isSuccess(checked), text).toBe(Result.isSuccess(parsed))
      if (Result.isFailure(checked)) expect(failure(checked)).toEqual(failure(parsed))
    }
    const notUtf8 = RawRecord.fromBytes(new Uint8Array([0x22, 0xff, 0x22]))
    expect(failure(RawRecord.check(notUtf8))).toEqual(["invalid-utf8", 1])
  })

  it.each([
    ["truncated", "the text is empty", [""]],
    [
      "truncated",
      "the text ends inside a value",
      [" ", "[", "[ ", "{", '{"a":', '{"a":1', '{"a":1,', '{"a":1, ', "[1,"]
    ],
    ["truncated", "the text ends inside a value", ["[1", "[1 ", "[[1],[2]", '[{"a":[1]}', "[[]"]],
    ["truncated", "the text ends after a key", ['{"a"', '{"a" ', '{"a":1,"b"']],
    ["truncated", "the text ends inside a number", ["-", "1.", "1e", "1e+", "1e-", "-1E", "[-"]],
    ["truncated", "the text ends inside a literal", ["t", "tru", "nul", "fals"]],
    ["truncated", "the text ends inside a string", ['"', '"a', '"a\\', '"\\u', '"\\u12', '"\\u123', '["a']],
    ["unexpected-byte", "a value is missing before the bracket", ["[1,@]", '{"a":@}', '{"a":1,@}']],
    [
      "unexpected-byte",
      "a value is expected",
      ["@x", "@+1", "@.5", "[@,1]", "[@:]", '{"a":@,', "[1,@,2]", "@'a'", "@,"]
    ],
    ["unexpected-byte", "a key in double quotes is expected", ["{@1:2}", '{"a":1,@b:2}', "{@,}", "{@[]:1}"]],
    ["unexpected-byte", "a colon is expected after a key", ['{"a" @1}', '{"a"@}', '{"a"@,1}']],
    ["unexpected-byte", "a comma or a closing bracket is expected", ["[1@:2]", "[1 @x]", '{"a":1@:2}']],
    [
      "unexpected-byte",
      "not a JSON number",
      ["-@x", "0@1", "-0@1", "1.@x", "1e+@x", "1e@.5", "1e5@.", "-@-1", "0@x1", "1@a"]
    ],
    ["unexpected-byte", "not true, false or null", ["tru@x", "true@x", "nul@x", "false@y", "t@[]", "[nul@]"]],
    ["unexpected-byte", "not a JSON escape", ['"\\@x"', '"\\@\u0001"', '"\\@\'"', '"\\@U0041"']],
    [
      "unexpected-byte",
      "a control character in a string must be escaped",
      ['"@\u001f"', '"aaaaa@\n"', '"@\u0000']
    ],
    [
      "unbalanced",
      "has no opening bracket",
      ["@}", "@]", "[@}", "{@]", '{"a":1@]', '{"a":@]', "[1@}", '[{"a":[1@}]', "[[1],@}"]
    ],
    [
      "missing-comma",
      "a comma is missing between two values",
      ["[1 @2]", '["a"@"b"]', "[1@[2]]", "[[]@{}]", "[1 @-2]"]
    ],
    [
      "missing-comma",
      "a comma is missing between two values",
      ["[1 @true]", "[1 @false]", "[1 @null]", '{"a":1 @"b":2}']
    ],
    [
      "trailing-data",
      "text follows the end of the value",
      ["[]@]", "1 @2", "{}@{}", '"a"@"', "[] @x", "[1]@,"]
    ]
  ])("says that a text is %s: %s, whatever follows the record", (reason, detail, texts) => {
    for (const marked of texts) {
      const text = marked.replace("@", "")
      const offset = marked.includes("@") ? marked.indexOf("@") : text.length
      for (const next of ["", "e", "1", "+", ".1", '"', "]", "}", ",", " ", 'aaaaaaaa"]']) {
        const checked = RawRecord.check(RawRecord.make(bytesOf(`["${text}${next}`), 2, 2 + text.length))
        expect([text, ...failure(checked)]).toEqual([text, reason, offset])
        expect(Result.isFailure(checked) && checked.failure.message).toContain(detail)
      }
    }
  })

  it("finds the fault of a string after any plain bytes and escapes, and reads none beyond its end", () => {
    const pieces = ["a\\t", "a\\\\", "ab"]
    let strings = [""]
    for (let length = 0; length < 5; length++) {
      for (const start of strings) {
        const text = `"${start}`
        for (const plain of ["", "a"]) {
          const place = text.length + plain.length
          expect(failure(RawRecord.check(fromText(`${text}${plain}\u0001n${start}"`)))).toEqual([
            "unexpected-byte",
            place
          ])
          expect(failure(RawRecord.check(fromText(`${text}${plain}"n${start}"`)))).toEqual([
            "trailing-data",
            place + 1
          ])
        }
        const longer = bytesOf(`${text}a\\ta\\ta\\taaaaaaaa"`)
        for (let end = text.length; end < longer.length; end++)
          expect(failure(RawRecord.check(RawRecord.make(longer, 0, end)))).toEqual(["truncated", end])
      }
      strings = strings.flatMap((start) => pieces.map((piece) => start + piece))
    }
  })

  it("accepts the escapes of JSON alone", () => {
    const after = (at: number, code: number): boolean => {
      const parts = Array.from("\\u00e9")
      parts[at] = String.fromCharCode(code)
      return Result.isSuccess(RawRecord.check(fromText(`"${parts.join("")}"`)))
    }
    const accepted = (at: number) =>
      String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code).filter((code) => after(at, code)))
    expect(accepted(1)).toBe('"/\\bfnrtu')
    for (const at of [2, 3, 4, 5]) expect(accepted(at)).toBe("0123456789ABCDEFabcdef")
  })
})

describe("RawRecord.parse", () => {
  it("returns the value of JSON.parse, with __proto__ as data", () => {
    const parsed = Result.getOrThrow(RawRecord.parse(fromText('{"__proto__":{"x":1},"n":1}'))) as object
    expect(Object.keys(parsed)).toEqual(["__proto__", "n"])
    expect((parsed as { x?: number }).x).toBeUndefined()
  })

  it("rejects exactly the texts that JSON.parse rejects, at a byte of the text", () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'[]{},:"\\ 01-+.eEtrufalsn\n\t') }),
      fc.tuple(jsonText, fc.nat(), fc.constantFrom(...'[]{},:"\\ 0u.e-')).map(([json, at, by]) => {
        const i = at % (json.length + 1)
        return json.slice(0, i) + by + json.slice(i + 1)
      }),
      // A string of mostly escapes, as in tables inside a record, possibly truncated.
      fc
        .tuple(
          fc.string({
            unit: fc.constantFrom(
              ...["0\\t", "0\\t", "0\\t", "a", "é", "\\\\", '\\"', "\\u00e9"],
              ...["\\", "\\x", "\\u0", "\u0001"]
            ),
            maxLength: 24,
            size: "max"
          }),
          fc.nat()
        )
        .map(([content, cut]) => `"${content}"`.slice(0, 1 + (cut % 120)))
    )
    fc.assert(
      fc.property(text, (json) => {
        const record = fromText(json)
        const expected = Result.try(() => JSON.parse(toText(record)) as unknown)
        const made = RawRecord.parse(record)
        expect(Result.isSuccess(made)).toBe(Result.isSuccess(expected))
        expect(Result.isSuccess(RawRecord.check(record))).toBe(Result.isSuccess(expected))
        if (Result.isSuccess(made)) {
          expect(made.success).toEqual(Result.getOrThrow(expected))
          return
        }
        const { offset, message } = made.failure
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(record.end)
        // The offset comes from the grammar check, not from the message of the engine.
        expect(message).not.toMatch(/JSON at position|is not valid JSON/)
      }),
      { numRuns: 2000 }
    )
  })

  it("rejects bytes that are not UTF-8, with their position", () => {
    const bytes = Uint8Array.of(0x22, 0x61, 0xff, 0x22)
    expect(failure(RawRecord.parse(RawRecord.fromBytes(bytes)))).toEqual(["invalid-utf8", 2])
    expect(failure(RawRecord.parse(RawRecord.fromBytes(bytesOf('"é').slice(0, 2))))).toEqual([
      "invalid-utf8",
      1
    ])
  })

  it("is used by JSON.stringify", () => {
    expect(JSON.stringify({ record: fromText('{"a": 1.0}') })).toBe('{"record":{"a":1}}')
  })
})

describe("RawRecord.fromElements", () => {
  it.each([
    [[], "[]"],
    [["1"], "[1]"],
    [[" 228.0 ", "null", '{"a": 1}'], '[ 228.0 ,null,{"a": 1}]']
  ])("keeps the text of each element: %j", (elements, expected) => {
    const list = RawRecord.fromElements(elements.map(RawRecord.fromText))
    expect(RawRecord.toText(list)).toBe(expected)
    expect(RawRecord.toText(RawRecord.fromFields([["list", list]]))).toBe(`{"list":${expected}}`)
  })
})

describe("RawRecord.parse", () => {
  it("ends a string where JSON.parse does, whatever escapes are in it", () => {
    const part = fc.constantFrom("n", "\\n", '\\"', "\\\\", "n\\n", '"')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const text = `"${parts.join("")}"`
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {}
        const parsed = RawRecord.parse(RawRecord.fromText(text))
        expect(Result.isSuccess(parsed)).toBe(value !== undefined)
        if (Result.isSuccess(parsed)) expect(parsed.success).toEqual(value)
      }),
      { numRuns: 5000 }
    )
  })
})

describe("RawRecord.toLine", () => {
  it.each(["\n", "\r\n", "x", ""])("keeps the spaces of a single line before %j in its chunk", (next) => {
    const bytes = bytesOf(`\n{"a": 1}${next}`)
    expect(new TextDecoder().decode(RawRecord.toLine(RawRecord.make(bytes, 1, 9)))).toMatch(/^\{"a": 1\}\n?$/)
  })

  it("returns a view of the text if it is a single line", () => {
    const record = fromText('{ "a" : 1.0 }')
    expect(RawRecord.toLine(record).buffer).toBe(record.bytes.buffer)
    expect(lineOf('{ "a" : 1.0 }')).toBe('{ "a" : 1.0 }')
  })

  it("removes line breaks and spaces between tokens otherwise, and keeps strings and numbers", () => {
    expect(lineOf('{\r\n  "a b" : [ 1.0,\t"x \\" y\\\\" , { } ]\n}')).toBe('{"a b":[1.0,"x \\" y\\\\",{}]}')
  })

  it("never contains a line break and never changes a value, for any text", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.parse(lineOf(text))).toEqual(JSON.parse(text))
        expect(lineOf(text)).not.toMatch(/[\r\n]/)
      })
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\ 1a\r\n') }), (text) => {
        expect(lineOf(text)).not.toMatch(/[\r\n]/)
      })
    )
  })

  it("keeps malformed text malformed", () => {
    expect(lineOf("1\n2")).toBe("1 2")
    expect(lineOf('"a\nb"')).toBe('"a\\nb"')
  })
})
