/** The kinds of options, and the sets that are made of them. */
import { InvalidOption, Options } from "@chemstream/batch"
import { Duration, Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"

/** Kinds with values that they accept, and values that they refuse. */
const kinds: Readonly<
  Record<string, readonly [Options.AnyKind, ReadonlyArray<unknown>, ReadonlyArray<unknown>]>
> = {
  count: [
    Options.count,
    [1, 2, 2 ** 53 - 1],
    [0, -1, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, "1", null]
  ],
  countOrInfinity: [
    Options.countOrInfinity,
    [1, Number.POSITIVE_INFINITY],
    [0, 1.5, Number.NEGATIVE_INFINITY, "1"]
  ],
  rate: [Options.rate, [0.1, 1], [0, -1, Number.POSITIVE_INFINITY, Number.NaN, "1"]],
  amount: [Options.amount, [0, 0.5, Number.POSITIVE_INFINITY], [-0.1, Number.NaN, "1", 1n, null]],
  flag: [Options.flag, [true, false], [0, "true", null]],
  text: [Options.text, ["", "a"], [1, null, ["a"]]],
  func: [Options.func, [() => 1, Number], [1, {}, null]],
  stream: [Options.stream, [Stream.empty], [[], null, Effect.void]],
  effect: [Options.effect, [Effect.void], [Stream.empty, null, Promise.resolve()]],
  "time finite": [
    Options.time("finite"),
    [0, 5, "5 seconds", Duration.seconds(1)],
    [-1, Number.POSITIVE_INFINITY, Number.NaN, "soon"]
  ],
  "time infinite": [
    Options.time("infinite"),
    [0, Number.POSITIVE_INFINITY, Duration.infinity],
    [-1, Number.NaN, "soon"]
  ],
  "time positive": [
    Options.time("positive"),
    [0.5, "1 millis"],
    [0, "0 seconds", -1, Number.POSITIVE_INFINITY]
  ],
  object: [Options.object(), [{}, [], new Map()], [null, 1, "a", () => 1]],
  instance: [
    Options.instance("a store", "get", "set"),
    [{ get: () => 1, set: () => 1 }],
    [{ get: () => 1 }, { set: () => 1 }, { get: () => 1, set: 1 }, null, undefined, 5]
  ],
  objectWith: [
    Options.objectWith("a pair", { a: Options.count, b: Options.count }),
    [
      { a: 1, b: 2 },
      { a: 1, b: 2, c: "more" }
    ],
    [{ a: 1 }, { b: 1 }, { a: 0, b: 1 }, [1, 2], null, "ab"]
  ],
  iterable: [Options.iterable("texts"), [[], new Set(), new Map()], ["text", {}, null, 1]],
  oneOf: [Options.oneOf(["red", "green"]), ["red", "green"], ["blue", "Red", "", 1, null]],
  list: [Options.list(Options.count), [[], [1, 2]], [[1, 0], [0, 1], "1", { 0: 1 }, new Set([1])]],
  record: [
    Options.record(Options.count, "counts by name"),
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 0 }, { a: 1, b: 0 }, [1], null]
  ],
  anyOf: [Options.anyOf(Options.count, Options.flag), [1, true, false], [0, "true", null]],
  set: [
    Options.set<{ readonly a?: number }>()({ a: Options.count }),
    [{}, { a: 1 }, { a: undefined }],
    [[], null, "a", 1]
  ]
}

describe.each(Object.entries(kinds))("the kind %s", (_, [kind, accepted, refused]) => {
  it("matches the values that it accepts, and has no problem with them", () => {
    for (const value of accepted) {
      expect(kind.matches(value), String(value)).toBe(true)
      expect(kind.problem(value, "option"), String(value)).toBeUndefined()
    }
  })

  it("does not match the values that it refuses, and names the option in their problem", () => {
    for (const value of refused) {
      expect(kind.matches(value), String(value)).toBe(false)
      expect(kind.problem(value, "option")?.option, String(value)).toMatch(/^option/)
    }
  })
})

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `name-${at}`)

describe("the problem of a value", () => {
  interface Inner {
    readonly size?: number | undefined
    readonly label: string
  }
  const inner = Options.set<Inner>()({ size: Options.count, label: Options.required(Options.text) })
  interface Outer {
    readonly inner?: Inner | undefined
    readonly list?: ReadonlyArray<number> | undefined
    readonly parts?: Readonly<Record<string, number>> | undefined
    readonly either?: number | Inner | undefined
    readonly token?: string | undefined
  }
  const outer = Options.set<Outer>()(
    {
      inner,
      list: Options.list(Options.count),
      parts: Options.record(Options.count, "counts by name", 2, Options.oneOf<string>(["left", "right"])),
      either: Options.anyOf(Options.count, inner),
      token: Options.kind<string>(
        "a token",
        (value) => value === "good" || (value === "old" ? "a new token" : false),
        "secret"
      )
    },
    (name) => (name === "format" ? "it to `write`" : undefined)
  )

  it.each<[string, unknown, object | undefined]>([
    [
      "nothing wrong",
      { inner: { label: "a" }, list: [1], parts: { left: 1, right: 2 }, either: 3, token: "good" },
      undefined
    ],
    [
      "no object",
      5,
      {
        option: "options",
        value: 5,
        isArgument: true,
        message: "The argument options is 5. Give an object with inner, list, parts, either, token."
      }
    ],
    ["an inner value", { inner: { label: "a", size: 0 } }, { option: "inner.size", value: 0 }],
    [
      "an inner option that is missing",
      { inner: {} },
      { option: "inner.label", message: "The option inner.label is missing. Give a text." }
    ],
    ["an inner value that is no object", { inner: 1 }, { option: "inner", value: 1, isArgument: false }],
    ["a misspelt name", { lits: [1] }, { option: "lits", isUnknown: true, wanted: "list" }],
    [
      "a misspelt inner name, before other problems",
      { list: [0], inner: { lable: "a" } },
      { option: "inner.lable", wanted: "inner.label", isUnknown: true }
    ],
    [
      "a misspelt name in a choice",
      { either: { label: "a", sise: 1 } },
      { option: "either.sise", wanted: "either.size" }
    ],
    ["a wrong value in a choice", { either: { label: 1 } }, { option: "either.label", value: 1 }],
    [
      "a value of no choice",
      { either: "a" },
      { option: "either", wanted: `${Options.count.wanted} or ${inner.wanted}` }
    ],
    ["an option of another function", { format: "csv" }, { option: "format", wanted: "it to `write`" }],
    ["an unknown name that is undefined", { other: undefined }, undefined],
    ["an element of a list", { list: [1, 0, -1] }, { option: "list[1]", value: 0 }],
    ["no list", { list: 1 }, { option: "list", wanted: "a list, each a whole number of at least 1" }],
    ["too few names", { parts: { left: 1 } }, { option: "parts", wanted: "counts by name" }],
    [
      "an unknown name of a record",
      { parts: { left: 1, rigth: 1 } },
      { option: "parts.rigth", wanted: '"right"' }
    ],
    ["a wrong value of a record", { parts: { left: 1, right: 0 } }, { option: "parts.right", value: 0 }]
  ])("is %s", (_, value, problem) => {
    const found = Options.problem(outer, value)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect({ isArgument: false, ...found, message: found?.message }).toMatchObject(problem)
  })

  it.each([
    ["bad", "a token"],
    ["old", "a new token"]
  ])("of a secret does not show it: %s", (token, wanted) => {
    const found = Options.problem(outer, { token })
    expect(found).not.toHaveProperty("value")
    expect(found?.message).toBe(`The option token cannot be used. Give ${wanted}.`)
  })

  it("does not show the value of an unknown name, which may be a secret", () => {
    expect(Options.problem(outer, { tokken: "abc" })).not.toHaveProperty("value")
  })

  it("has the path of the options that contain it", async () => {
    const error = await Effect.runPromise(Effect.flip(Options.check(inner, { label: 1 }, "limits")))
    expect(error.option).toBe("limits.label")
    expect(Options.problem(inner, 1, "limits")).toMatchObject({ option: "limits", isArgument: false })
    await Effect.runPromise(Options.check(inner, { label: "a" }))
  })

  it.each<[unknown, string]>([
    ["down", 'is "down"'],
    [[1], "is a list"],
    [() => 1, "is a function"],
    [Promise.resolve(1), "is a promise"],
    [{ n: 1 }, "is an object"],
    [null, "is null"],
    [5n, "is 5"],
    ["\u009b\u202e", 'is "\\u009b\\u202e"']
  ])("shows %o in words", (value, state) => {
    expect(new InvalidOption.InvalidOption({ option: "level", value, wanted: "up" }).message).toBe(
      `The option level ${state}. Give up.`
    )
  })

  it("names another source, with the value only if it was shown", () => {
    const shown = new InvalidOption.InvalidOption({ option: "level", value: 5, wanted: "up" }).from("LEVEL")
    expect(shown).toMatchObject({ source: "LEVEL", value: 5 })
    expect(shown.message).toBe("The option level, from LEVEL, is 5. Give up.")
    const secret = new InvalidOption.InvalidOption({ option: "key", wanted: "a key" }).from("the file a.json")
    expect(secret).not.toHaveProperty("value")
    expect(secret.message).toBe("The option key, from the file a.json, cannot be used. Give a key.")
  })
})

describe("a suggestion", () => {
  it.each<[string, string | undefined]>([
    ["concurency", "concurrency"],
    ["CONCURRENCY", "concurrency"],
    ["concxxxency", "concurrency"],
    ["concxxxxncy", undefined],
    ["sizes", "size"],
    ["siez", "size"],
    ["s", undefined],
    ["xy", undefined],
    ["", undefined]
  ])("for %j is %j: at most three edits, and half of its characters", (name, nearest) => {
    expect(InvalidOption.nearest(name, ["size", "concurrency"])).toBe(nearest)
  })

  it.each([
    ["xsize", 1],
    ["xxxconcurrency", 3],
    ["concurrencyxxx", 3],
    ["currency", 3],
    ["concurre", 3],
    ["conxxxcurrency", 3],
    ["xxxxconcurrency", 4],
    ["oncurrencyxxx", 4],
    ["urrency", 4]
  ])("is one for %s, with %d edits, if they are at most three", (name, edits) => {
    const names = [name === "xsize" ? "size" : "concurrency"]
    expect(InvalidOption.nearest(name, names)).toBe(edits <= 3 ? names[0] : undefined)
  })

  it("is the nearest of several names, and the first of equally near ones", () => {
    expect(InvalidOption.nearest("abcd", ["abxy", "abcx", "xbcd"])).toBe("abcx")
    expect(InvalidOption.nearest("kitten", ["sitting", "mitten"])).toBe("mitten")
  })

  it.each<[ReadonlyArray<string>, unknown, string]>([
    [["one"], "x", "one"],
    [[], "x", "no option"],
    [["red", "green"], "violet", "one of red, green"],
    [["red", "green"], 5, "one of red, green"],
    [["red", "green"], "gren", '"green"'],
    [["search", "list"], "searchByManyNames", '"search"'],
    [["", "list"], "tabulated", "one of , list"],
    [names(30), "q", `one of ${names(30).join(", ")}`],
    [names(31), 5, "one of 31 names, e.g. name-0, name-1, name-2, name-3, name-4"],
    [names(40), "xxxxx38", "one of 40 names, e.g. name-38"]
  ])("of %j for %j is what to give", (all, value, wanted) => {
    expect(Options.oneOf(all).problem(value, "option")?.wanted.slice(0, Math.max(wanted.length, 0))).toBe(
      wanted
    )
  })
})

describe("options", () => {
  interface Paging {
    readonly size?: number | undefined
    readonly first: string
  }
  const paging = Options.set<Paging>()({
    size: Options.withDefault(Options.count, 100),
    first: Options.required(Options.text)
  })

  it("are completed with the defaults of absent and undefined ones", () => {
    expect(Options.complete(paging, { first: "a" })).toEqual({ size: 100, first: "a" })
    expect(Options.complete(paging, { first: "a", size: undefined })).toEqual({ size: 100, first: "a" })
    expect(Options.complete(paging, { first: "a", size: 1 })).toEqual({ size: 1, first: "a" })
  })

  it("are picked out of an object with others", () => {
    expect(Options.pick(paging, { first: "a", size: 3, other: 1, toString: 2 })).toEqual({
      first: "a",
      size: 3
    })
  })

  it("need no required one if they are partial", () => {
    const partial = Options.partial(paging)
    expect(Options.problem(partial, {})).toBeUndefined()
    expect(Options.problem(partial, { first: 1 })?.option).toBe("first")
    expect(Options.problem(paging, {})?.option).toBe("first")
  })

  it("are returned as they are, or their problem is thrown", () => {
    const given = { first: "a" }
    expect(Options.refuse(paging, given)).toBe(given)
    expect(() => Options.refuse(paging, { first: 1 })).toThrow(InvalidOption.InvalidOption)
  })

  it("of a choice are those of all its kinds", () => {
    expect(Object.keys(Options.anyOf(Options.count, paging).fields ?? {})).toEqual(["size", "first"])
    expect(Options.anyOf(Options.count, Options.flag)).not.toHaveProperty("fields")
    expect(Options.anyOf(Options.count, Options.flag, Options.text).wanted).toBe(
      "a whole number of at least 1, true or false or a text"
    )
  })

  it.each([
    ["objectWith", () => Options.objectWith("a pair", { a: 1 } as never)],
    ["list", () => Options.list(undefined as never)],
    ["anyOf", () => Options.anyOf(Options.count, {} as never)],
    ["oneOf", () => Options.oneOf("red" as never)],
    ["set", () => Options.set<Paging>()(null as never)],
    ["complete", () => Options.complete(undefined as never, {})],
    ["pick", () => Options.pick(paging, undefined as never)],
    ["problem", () => Options.problem({} as never, {})],
    ["pick by nothing", () => Options.pick(undefined as never, { first: 1 })],
    ["complete nothing", () => Options.complete(paging, undefined as never)],
    ["set of other values", () => Options.set<Paging>()({ first: 5 } as never)],
    ["list of nothing", () => Options.list({ matches: 5 } as never)],
    ["oneOf other values", () => Options.oneOf(["red", {}] as never)],
    ["nearest", () => InvalidOption.nearest(5 as never, [])],
    ["nearest of a text", () => InvalidOption.nearest("a", "ab" as never)],
    ["nearest of nothing", () => InvalidOption.nearest("a", undefined as never)],
    ["nearest of other values", () => InvalidOption.nearest("a", ["ab", 5] as never)]
  ])("are declared with kinds, or the declaration throws: %s", (_, declare) => {
    expect(declare).toThrow(InvalidOption.InvalidOption)
  })
})

describe("arguments", () => {
  interface Given {
    readonly size?: number | undefined
  }
  const settings = Options.set<Given>()({ size: Options.count })
  const declared = { values: Options.required(Options.list(Options.text)), settings, label: Options.text }

  it.each<[string, ReadonlyArray<unknown>, object | undefined]>([
    ["are valid", [["a"], { size: 1 }, "x"], undefined],
    ["may be absent if they are not required", [["a"]], undefined],
    [
      "are missing",
      [],
      {
        option: "values",
        isArgument: true,
        message: "The argument values is missing. Give a list, each a text."
      }
    ],
    ["have a wrong element, which is an option", [["a", 1]], { option: "values[1]", value: 1 }],
    ["are no options", [["a"], 5], { option: "settings", isArgument: true, value: 5 }],
    [
      "have a wrong option, whose path begins with its name",
      [["a"], { size: 0 }],
      { option: "size", value: 0 }
    ],
    ["have a wrong last one", [["a"], undefined, 5], { option: "label", isArgument: true }]
  ])("%s", (_, given, expected) => {
    const found = Options.argumentProblem(declared, given)
    if (expected === undefined) {
      expect(found).toBeUndefined()
      Options.refuseArguments(declared, given)
    } else {
      expect({ ...found, message: found?.message }).toMatchObject(expected)
      expect(() => Options.refuseArguments(declared, given)).toThrow(found?.message)
    }
  })

  it("are returned one by one, or their problem is thrown", () => {
    expect(Options.argument("size", Options.count, 3)).toBe(3)
    expect(() => Options.argument("size", Options.count, 0)).toThrow("The argument size is 0.")
    expect(() => Options.argument("size", Options.count, undefined)).toThrow("The argument size is missing.")
    expect(() => Options.argument("size", undefined as never, 1)).toThrow(InvalidOption.InvalidOption)
  })

  const doubled: {
    (settings?: Given): (items: Stream.Stream<number>) => Stream.Stream<number, InvalidOption.InvalidOption>
    (items: Stream.Stream<number>, settings?: Given): Stream.Stream<number, InvalidOption.InvalidOption>
  } = Options.streamFrom("items", { settings })((items: Stream.Stream<number>, given: Given = {}) =>
    Stream.map(items, (item) => item * (given.size ?? 2))
  )
  const summed: {
    (settings?: Given): (items: Stream.Stream<number>) => Effect.Effect<number, InvalidOption.InvalidOption>
    (items: Stream.Stream<number>, settings?: Given): Effect.Effect<number, InvalidOption.InvalidOption>
  } = Options.effectFrom("items", { settings })((items: Stream.Stream<number>, given: Given = {}) =>
    Effect.map(Stream.runCollect(items), (all) => all.reduce((sum, one) => sum + one, given.size ?? 0))
  )
  const items = Stream.make(1, 2)
  const collect = <E>(stream: Stream.Stream<number, E>) =>
    Effect.runPromise(Effect.result(Stream.runCollect(stream)))

  it("of a function on a stream come with the stream first, or in a pipe", async () => {
    for (const stream of [
      doubled(items),
      items.pipe(doubled()),
      doubled(items, { size: 2 }),
      items.pipe(doubled({ size: 2 }))
    ])
      expect(await collect(stream)).toMatchObject({ success: [2, 4] })
    for (const sum of [summed(items, { size: 4 }), items.pipe(summed({ size: 4 }))])
      expect(await Effect.runPromise(sum)).toBe(7)
    expect(await Effect.runPromise(summed(items))).toBe(3)
  })

  it.each<[string, () => Stream.Stream<number, InvalidOption.InvalidOption>, string]>([
    ["a list instead of a stream", () => doubled([1] as never, {}), "items"],
    ["a list in a pipe", () => doubled({})([1] as never), "items"],
    ["a wrong option", () => doubled(items, { size: 0 }), "size"],
    ["a wrong option in a pipe", () => items.pipe(doubled({ size: 0 })), "size"]
  ])("of a function on a stream fail when it runs: %s", async (_, make, option) => {
    expect(await collect(make())).toMatchObject({ failure: { _tag: "InvalidOption", option } })
  })

  it("are checked before a stream starts", async () => {
    let starts = 0
    const run = () => {
      starts++
      return Stream.make(1)
    }
    expect(await collect(Options.start(declared, [["a"]], run))).toMatchObject({ success: [1] })
    expect(await collect(Options.start(declared, [], run))).toMatchObject({ failure: { option: "values" } })
    expect(starts).toBe(1)
  })
})
