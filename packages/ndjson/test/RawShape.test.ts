import { RawArray, RawRecord, RawShape } from "@chemstream/ndjson"
import { Result, Schema, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bytesOf, countReads, outcome } from "./chunks.ts"

const read = (shape: RawShape.RawShape, text: string) =>
  Result.getOrThrow(RawShape.read(shape, RawRecord.fromText(text)))

describe("RawShape.read", () => {
  const shape = RawShape.make({
    kinds: { id: "string", mass: ["number", "null"], links: "array", any: [] },
    required: ["id"],
    key: "id"
  })

  it("returns the key, and no drift if all kinds are as expected", () => {
    const reading = read(shape, ' {"id":"a\\u00b5","mass":-1.50,"links":[1],"any":{},"other":true} ')
    expect(reading.key).toBe("aµ")
    expect(reading.drift).toEqual([])
    expect(RawRecord.isRawRecord(reading)).toBe(true)
    expect(String(reading)).toBe(' {"id":"a\\u00b5","mass":-1.50,"links":[1],"any":{},"other":true} ')
    expect(read(shape, '{"mass":null,"id":""}').drift).toEqual([])
  })

  it("reports the field, the expected kinds and the actual kind, for every kind", () => {
    const only = (kind: RawRecord.Kind) => RawShape.make({ kinds: { a: kind } })
    const texts = { string: '"x"', number: "-1", boolean: "false", null: "null", array: "[]", object: "{}" }
    for (const [expected] of Object.entries(texts) as Array<[RawRecord.Kind, string]>)
      for (const [seen, text] of Object.entries(texts))
        expect(read(only(expected), `{"a":${text}}`).drift).toEqual(
          seen === expected ? [] : [{ field: "a", expected: [expected], seen }]
        )
  })

  it("reports absent fields, and records that are not objects", () => {
    expect(read(shape, "{}").drift).toEqual([{ field: "id", expected: ["string"], seen: "absent" }])
    expect(read(shape, "[]").drift).toEqual([{ expected: ["object"], seen: "array" }])
    expect(read(shape, "[]").key).toBeUndefined()
  })

  it("tells fields apart whose names differ in one character, of one or two bytes", () => {
    const characters = ["b", "c", "µ", "¶"]
    const names = characters.flatMap((a) =>
      characters.flatMap((b) => characters.map((c) => `x${a}${b}${c}y`))
    )
    for (const name of names) {
      const only = RawShape.make({ kinds: { [name]: "string" } })
      // After a record of its own, a shape expects the same fields in the next one.
      const isFound = (other: string): boolean => {
        for (const own of [name, name]) read(only, `{"${own}":1}`)
        return read(only, `{"${other}":1}`).drift.length > 0
      }
      const found = names.filter(isFound)
      expect(found).toEqual([name])
    }
  })

  it("reads keys in any order, and escaped, duplicate, unknown, empty and __proto__ keys", () => {
    const kinds = Object.fromEntries<RawRecord.Kind>([
      ["__proto__", "string"],
      ["", "number"],
      ["µ", "boolean"],
      ["constructor", "null"]
    ])
    const odd = RawShape.make({ kinds })
    for (const text of [
      '{"__proto__":1,"":"","µ":1,"constructor":1}',
      '{"constructor":1,"\\u00b5":1,"x":1,"":"","__proto\\u005f_":1}',
      '{"":"","µ":1,"constructor":1,"__proto__":1}'
    ]) {
      const fields = read(odd, text).drift.map(({ field }) => field)
      expect(fields.toSorted()).toEqual(["", "__proto__", "constructor", "µ"])
    }
    expect(read(shape, '{"id":"a","id":"b"}').key).toBe("b")
  })

  it("reports an absent field beside a required one that is there twice", () => {
    const both = RawShape.make({ required: ["a", "b"] })
    expect(read(both, '{"a":1,"a":2}').drift).toEqual([{ field: "b", expected: [], seen: "absent" }])
  })

  it("reads expected fields among any number of unknown keys, in any order", () => {
    const odd = RawShape.make({ kinds: { "": "string", b: "string" }, required: ["b"], key: "b" })
    for (let n = 0; n < 400; n++) {
      const reading = read(odd, `{"u${n}":"x","":1,"v${n}":[],"b":"${n}"}`)
      expect(reading.drift).toEqual([{ field: "", expected: ["string"], seen: "number" }])
      expect(reading.key).toBe(`${n}`)
      expect(read(odd, '{"":1,"b":"x"}').drift).toHaveLength(1)
      expect(read(odd, `{"b":1,"w${n}":"x","":"y"}`).drift).toEqual([
        { field: "b", expected: ["string"], seen: "number" }
      ])
    }
  })

  it("allows the white space of JSON around each part of an object, and nothing else, whatever it read before", () => {
    const shape = RawShape.make({
      kinds: { id: "string", n: "null", list: "object" },
      required: ["n", "z"],
      key: "id"
    })
    const parts = ["{", '"n"', ":", "-1.5", ",", '"id"', ":", '"k"', ",", '"list"', ":", "[]", "}"]
    const drift = [
      { field: "n", expected: ["null"], seen: "number" },
      { field: "list", expected: ["object"], seen: "array" },
      { field: "z", expected: [], seen: "absent" }
    ]
    const isWhole = (text: string) => Result.isSuccess(RawRecord.entries(RawRecord.fromText(text)))
    for (const space of [
      " ",
      "\t",
      "\n",
      "\r",
      " \r\n\t ",
      "\0",
      "\u000b",
      "\u000c",
      "\u001f",
      "!",
      "\u00a0"
    ]) {
      const texts = Array.from({ length: parts.length + 1 }, (_, at) =>
        parts.toSpliced(at, 0, space).join("")
      )
      for (const text of [...texts, parts.join(space)]) {
        const mine = RawShape.read(shape, RawRecord.fromText(text))
        expect([text, Result.isSuccess(mine)]).toEqual([text, isWhole(text)])
        const cut = RawArray.cutWith(bytesOf(`[${text},${text}]`), shape)
        if (Result.isFailure(mine)) expect(Result.isFailure(cut)).toBe(true)
        else
          for (const reading of [mine.success, ...Result.getOrThrow(cut)])
            expect([reading.key, reading.drift]).toEqual(["k", drift])
      }
    }
    expect(read(shape, "{ }").drift.map(({ field }) => field)).toEqual(["n", "z"])
  })

  it("reads no byte beyond the end of the record", () => {
    const text = '{"id":"a","mass":-1.50,"links":[1],"any":{"b":true}}'
    const bytes = bytesOf(`  ${text}  `)
    for (let end = 3; end < text.length + 2; end++)
      expect(Result.isFailure(RawShape.read(shape, RawRecord.make(bytes, 2, end)))).toBe(true)
    const whole = Result.getOrThrow(RawShape.read(shape, RawRecord.make(bytes, 2, text.length + 2)))
    expect([whole.key, whole.drift]).toEqual(["a", []])
  })

  it.each([undefined, 1, "\t"])(
    "reads each byte of like objects about once while it cuts an array with the indent %j",
    (indent) => {
      const shape = RawShape.make({ kinds: { mass: "number" }, required: ["mass"] })
      const objects = Array.from({ length: 40 }, (_, n) => ({
        a: `x${n}`,
        mass: n / 7,
        isOn: true,
        list: [n, { b: n }]
      }))
      const text = bytesOf(JSON.stringify(objects, null, indent))
      const { bytes, reads } = countReads(text)
      const { items } = outcome(Stream.make(bytes).pipe(RawArray.decodeWith(shape)))
      expect(items).toHaveLength(objects.length)
      expect(reads() / text.length).toBeGreaterThanOrEqual(1)
      expect(reads() / text.length).toBeLessThan(1.5)
    }
  )

  it("returns keys of every kind, and undefined without a key", () => {
    const keyed = RawShape.make({ key: "k" })
    expect(["1.5", "true", "null", '"\\n"'].map((text) => read(keyed, `{"k":${text}}`).key)).toEqual([
      1.5,
      true,
      null,
      "\n"
    ])
    expect(String(read(keyed, '{"k":[1, 2]}').key)).toBe("[1, 2]")
    expect(read(keyed, '{"K":1}').key).toBeUndefined()
    expect(read(RawShape.make({}), '{"k":1}').key).toBeUndefined()
  })

  it.each([
    "",
    " ",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    "{,}",
    '{"a" 1}',
    '{"a";1}',
    '{"a":"x";"b":2}',
    '{"a":}',
    '{"a":"',
    '{"a":[}]}',
    '{"a":1}}',
    '{"":1,}',
    '{"a":1 "b":2}',
    "{'a':1}"
  ])("rejects %j as RawRecord.entries does", (text) => {
    const [mine, theirs] = [
      RawShape.read(shape, RawRecord.fromText(text)),
      RawRecord.entries(RawRecord.fromText(text))
    ]
    if (!Result.isFailure(mine) || !Result.isFailure(theirs)) throw new Error("taken")
    expect({ ...mine.failure }).toEqual({ ...theirs.failure })
  })

  it("agrees with RawRecord.kinds and RawRecord.value on any sequence of records", () => {
    const names = ["a", "b", "ab", "é", ""]
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('"', "\\", "x".repeat(40), "\\".repeat(35))
    )
    const record = fc
      .array(fc.tuple(fc.constantFrom(...names, "c", "d"), value), { maxLength: 8 })
      .map((entries) => {
        const seen = new Map(entries)
        return Object.fromEntries(seen)
      })
    const kinds = fc.uniqueArray(fc.constantFrom<RawRecord.Kind>("string", "number", "null", "array"), {
      minLength: 1
    })
    fc.assert(
      fc.property(fc.array(record), kinds, fc.constantFrom(0, 1, "\r\n"), (records, expected, indent) => {
        const one = RawShape.make({
          kinds: Object.fromEntries(names.map((name) => [name, expected])),
          key: "a"
        })
        const readings = Result.getOrThrow(
          RawArray.cutWith(bytesOf(JSON.stringify(records, null, indent)), one)
        )
        for (const [n, reading] of readings.entries()) {
          const alone = RawRecord.fromText(JSON.stringify(records[n]))
          const off = Result.getOrThrow(RawRecord.entries(alone)).filter(
            (entry) => names.includes(entry.key) && !expected.includes(entry.kind)
          )
          expect(reading.drift.map(({ field, seen }) => [field, seen])).toEqual(
            off.map((entry) => [entry.key, entry.kind])
          )
          const key = RawRecord.value(alone, "a")
          expect(reading.key instanceof RawRecord.RawRecord ? reading.key.toJSON() : reading.key).toEqual(
            key instanceof RawRecord.RawRecord ? key.toJSON() : key
          )
        }
      })
    )
  })
})

describe("RawShape.fromSchema", () => {
  it("expects the kinds of the encoded side, and the required fields", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })
    const shape = RawShape.fromSchema(
      Schema.Struct({
        text: Schema.String,
        count: Schema.NumberFromString,
        state: Schema.Literals(["a", 1, true]),
        nullable: Schema.NullOr(Schema.Int),
        tree: Tree,
        list: Schema.Tuple([Schema.String]),
        maybe: Schema.optionalKey(Schema.Boolean),
        undefinable: Schema.optional(Schema.Null),
        unknown: Schema.Unknown
      })
    )
    const { drift } = read(
      shape,
      '{"text":1,"count":2,"state":null,"nullable":"","tree":[],"list":{},"maybe":0,"undefinable":0}'
    )
    expect(drift).toEqual([
      { field: "text", expected: ["string"], seen: "number" },
      { field: "count", expected: ["string"], seen: "number" },
      { field: "state", expected: ["string", "number", "boolean"], seen: "null" },
      { field: "nullable", expected: ["number", "null"], seen: "string" },
      { field: "tree", expected: ["object"], seen: "array" },
      { field: "list", expected: ["array"], seen: "object" },
      { field: "maybe", expected: ["boolean"], seen: "number" },
      { field: "undefinable", expected: ["null"], seen: "number" },
      { field: "unknown", expected: [], seen: "absent" }
    ])
    const fits = '{"text":"","count":"","state":true,"nullable":1.5,"tree":{},"list":[],"unknown":[]}'
    expect(read(shape, fits).drift).toEqual([])
  })

  interface Chain {
    readonly next: Chain | null
  }
  const Chain: Schema.Codec<Chain | null> = Schema.NullOr(
    Schema.Struct({ next: Schema.suspend(() => Chain) })
  )
  const Loop: Schema.Codec<string> = Schema.Union([Schema.String, Schema.suspend(() => Loop)])
  const Level = { Low: 1, High: "high" } as const
  const any = ["string", "number", "boolean", "null", "array", "object"]
  it.each<[string, Schema.Constraint, ReadonlyArray<string>]>([
    ["a template", Schema.TemplateLiteral(["a", Schema.String]), ["string"]],
    ["a literal", Schema.Literal(true), ["boolean"]],
    ["an enumeration", Schema.Enum(Level), ["number", "string"]],
    ["any object", Schema.ObjectKeyword, ["array", "object"]],
    [
      "a union, each kind once",
      Schema.Union([Schema.String, Schema.Literal("a"), Schema.Null]),
      ["string", "null"]
    ],
    ["a union with undefined", Schema.UndefinedOr(Schema.Number), ["number"]],
    ["a union with itself", Loop, ["string"]],
    ["a schema of itself", Chain, ["object", "null"]],
    ["a schema that comes later", Schema.suspend(() => Schema.String), ["string"]],
    ["any value", Schema.Any, any],
    ["a value without a form in JSON", Schema.BigInt, any],
    ["a literal without a form in JSON", Schema.Literal(1n), any]
  ])("expects the kinds of %s", (_, schema, expected) => {
    const shape = RawShape.fromSchema(Schema.Struct({ a: schema, b: Schema.Literal("b") }), { key: "b" })
    const texts = { string: '"x"', number: "1", boolean: "true", null: "null", array: "[]", object: "{}" }
    const found = Object.entries(texts).map(([kind, text]) => {
      const { drift, key } = read(shape, `{"a":${text},"b":"k"}`)
      expect(key).toBe("k")
      return [kind, drift.length === 0]
    })
    expect(found).toEqual(any.map((kind) => [kind, expected.includes(kind)]))
  })

  it("allows every record if the schema is not of an object", () => {
    expect(read(RawShape.fromSchema(Schema.String), '{"a":1}').drift).toEqual([])
  })
})
