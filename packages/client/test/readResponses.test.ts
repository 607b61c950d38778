/** How responses are read that need more than a schema: pages, MS-ready batches, batch searches; and what a cache in memory keeps. */
import { MsReadyResponse, Pages, ResponseCache, SearchResponse } from "@chemstream/client"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** Shows a result: the value, or the place and the reason of the fault. */
const shown = <A>(
  result: Result.Result<A, { readonly path: string; readonly reason: string; readonly dialect?: string }>
) => (Result.isSuccess(result) ? result.success : result.failure)

describe("a page", () => {
  it.each<[Pages.PageFields, ReadonlyArray<unknown>, object]>([
    [{ pageNumber: 1, totalPages: 2 }, [7], { isLast: false }],
    [{ pageNumber: 2, totalPages: 2 }, [7], { isLast: true }],
    [{ pageNumber: 3, totalPages: 2, next: 9 }, [7], { isLast: true }],
    [{ pageNumber: 1 }, [7], { next: 7 }],
    [{ totalPages: 1 }, [7], { next: 7 }],
    [{ pageNumber: "1", totalPages: 2 }, [7], { next: 7 }],
    [{ next: 9 }, [7, 8], { next: 9 }],
    [{ next: "9" }, [7], { next: 9 }],
    [{ next: 1 }, [3, 8, 5], { next: 8 }],
    [{ next: 1.5 }, ["4", "x", null, 2.5], { next: 4 }],
    [{ next: null }, [], { next: 0 }],
    [{}, [], { next: 0 }]
  ])("with the fields %j and the identifiers %j has its place", (fields, ids, expected) => {
    expect(Pages.ofObject(fields, ids, (id) => id)).toEqual({ records: ids, ...expected })
  })

  it("has the next number, or its cursor, which never goes back", () => {
    expect(Pages.make(3, { records: ["a"] })).toEqual({ page: 3, next: 4, records: ["a"] })
    expect(Pages.make(3, { records: ["a"], next: 9 })).toEqual({ page: 3, next: 9, records: ["a"] })
    expect(Pages.make(3, { records: [], next: 1 })).toEqual({ page: 3, next: 3, records: [] })
  })

  const pagesOf = (slices: ReadonlyArray<Pages.Slice<string>>, first?: number) => {
    const requested: Array<number> = []
    const pages = Pages.all({
      endpoint: "lists.all",
      ...(first === undefined ? {} : { first }),
      request: (page) => Effect.succeed(slices[requested.push(page) - 1] ?? { records: [] }),
      toText: (record) => record
    })
    return Effect.map(Effect.result(Stream.runCollect(pages)), (result) => ({
      requested,
      pages: Result.isSuccess(result)
        ? result.success.map(({ page, records }) => `${page}: ${records}`)
        : undefined,
      failure: Result.isFailure(result) ? result.failure : undefined
    }))
  }

  it.each<[string, ReadonlyArray<Pages.Slice<string>>, ReadonlyArray<number>, ReadonlyArray<string>]>([
    ["an empty page", [{ records: ["a"] }, { records: ["b"] }], [1, 2, 3], ["1: a", "2: b"]],
    [
      "a page that says so",
      [
        { records: ["a"], isLast: false },
        { records: ["b"], isLast: true }
      ],
      [1, 2],
      ["1: a", "2: b"]
    ],
    [
      "a cursor that does not grow",
      [
        { records: ["a"], next: 50 },
        { records: ["b"], next: 50 }
      ],
      [1, 50],
      ["1: a", "50: b"]
    ],
    ["an empty first page", [], [1], []]
  ])("is the last one before %s", async (_, slices, requested, pages) => {
    expect(await Effect.runPromise(pagesOf(slices))).toMatchObject({ requested, pages })
  })

  it("can be the first one by its number or cursor", async () => {
    expect((await Effect.runPromise(pagesOf([{ records: ["a"] }], 5))).requested).toEqual([5, 6])
  })

  it.each<[string, ReadonlyArray<Pages.Slice<string>>, object]>([
    [
      "begins like the one before",
      [{ records: ["a", "b"] }, { records: ["a"] }],
      {
        path: "[0]",
        attempts: 0,
        message: expect.stringContaining("page 2 begins with the same record as page 1")
      }
    ],
    [
      "has a cursor unlike the one before",
      [{ records: ["a"] }, { records: ["b"], next: 9 }],
      { message: expect.stringContaining("page 2 has a cursor and the page before it has none") }
    ],
    [
      "lacks the cursor of the one before",
      [{ records: ["a"], next: 9 }, { records: ["b"] }],
      { message: expect.stringContaining("page 9 has no cursor and the page before it has one") }
    ]
  ])("is malformed if it %s", async (_, slices, failure) => {
    expect((await Effect.runPromise(pagesOf(slices))).failure).toMatchObject({
      _tag: "MalformedResponse",
      endpoint: "lists.all",
      ...failure
    })
  })
})

describe("an MS-ready response by mass", () => {
  it.each<[string, object, MsReadyResponse.MassOptions, unknown]>([
    [
      "has the substances of each mass in the order of the request",
      { "100": ["b", null], "228.0": ["a"] },
      {},
      new Map([
        [228, ["a"]],
        [100, ["b"]]
      ])
    ],
    [
      "may lack some masses",
      { "100": ["b"] },
      {},
      new Map([
        [228, []],
        [100, ["b"]]
      ])
    ],
    [
      "may be empty",
      {},
      {},
      new Map([
        [228, []],
        [100, []]
      ])
    ],
    [
      "may have other masses after the requested ones",
      { "5": ["c"], "228": ["a"] },
      {},
      new Map([
        [228, ["a"]],
        [100, []],
        [5, ["c"]]
      ])
    ],
    [
      "joins the entries of one mass",
      { "228": ["a"], "228.0": ["b"] },
      {},
      new Map([
        [228, ["a", "b"]],
        [100, []]
      ])
    ],
    [
      "belongs to another request if it has only other masses",
      { "5": ["c"] },
      {},
      { path: "", reason: "the response has no record of a requested value" }
    ],
    [
      "lacks masses, and is refused if it must be complete",
      { "100": ["b"] },
      { isComplete: true },
      { path: "", reason: "1 of 2 requested masses are missing, the first is 228" }
    ],
    [
      "is complete",
      { "100": ["b"], "228": [] },
      { isComplete: true },
      new Map([
        [228, []],
        [100, ["b"]]
      ])
    ]
  ])("%s", (_, response, options, expected) => {
    expect(shown(MsReadyResponse.byMass([228, 100], options)(bytes(response), undefined))).toEqual(expected)
  })

  it.each(["masses", "options"])("is not read with wrong arguments: %s", (name) => {
    const read = () =>
      MsReadyResponse.byMass(name === "masses" ? ([-1] as never) : [1], { unit: "gram" } as never)
    expect(read).toThrow(name === "masses" ? "masses[0]" : "unit")
  })
})

describe("an MS-ready response by compound", () => {
  const faultOf = (at: number) => ({
    path: `[${at}]`,
    reason: "an element of the list does not name its compound and its substances"
  })
  const single = expect.objectContaining({ path: "[0]", dialect: "ctx" })
  it.each<[string, ReadonlyArray<string>, unknown, unknown]>([
    [
      "a mapping",
      ["DTXCID1", "DTXCID2"],
      { DTXCID2: ["b"], DTXCID1: ["a", null] },
      new Map([
        ["DTXCID1", ["a"]],
        ["DTXCID2", ["b"]]
      ])
    ],
    ["a list of substances of one compound", ["DTXCID1"], ["a", null], new Map([["DTXCID1", ["a"]]])],
    [
      "the same for one compound that is requested twice",
      ["DTXCID1", "DTXCID1"],
      ["a"],
      new Map([["DTXCID1", ["a"]]])
    ],
    ["a list of substances of several compounds", ["DTXCID1", "DTXCID2"], ["a"], single],
    [
      "an empty list",
      ["DTXCID1", "DTXCID2"],
      [],
      new Map([
        ["DTXCID1", []],
        ["DTXCID2", []]
      ])
    ],
    [
      "records with lists or texts",
      ["DTXCID1", "DTXCID2"],
      [
        { dtxcid: "DTXCID1", dtxsids: ["a"] },
        { dtxcid: "DTXCID2", dtxsid: "b" },
        { dtxcid: "DTXCID1", dtxsid: ["c"] }
      ],
      new Map([
        ["DTXCID1", ["a", "c"]],
        ["DTXCID2", ["b"]]
      ])
    ],
    [
      "a record without a compound",
      ["DTXCID1"],
      [{ dtxcid: "DTXCID1", dtxsid: "a" }, { dtxsid: "a" }],
      faultOf(1)
    ],
    ["a record without substances", ["DTXCID1"], [{ dtxcid: "DTXCID1" }], faultOf(0)],
    ["a record with a number", ["DTXCID1"], [{ dtxcid: "DTXCID1", dtxsids: ["a", 5] }], faultOf(0)],
    ["a number", ["DTXCID1"], [5], faultOf(0)],
    [
      "substances beside records",
      ["DTXCID1", "DTXCID2"],
      [{ dtxcid: "DTXCID1", dtxsid: "a" }, "b"],
      faultOf(1)
    ],
    [
      "other compounds",
      ["DTXCID1"],
      { DTXCID9: ["a"] },
      { path: "", reason: "the response has no record of a requested value" }
    ]
  ])("is read from %s", (_, dtxcids, response, expected) => {
    expect(shown(MsReadyResponse.byDtxcid(dtxcids)(bytes(response), undefined))).toEqual(expected)
  })
})

describe("the response to a batch search", () => {
  type Hit = {
    readonly searchValue?: string
    readonly dtxsid?: string | null
    readonly dtxcid?: string
    readonly suggestions?: unknown
  }
  const verify = (words: ReadonlyArray<string>, hits: ReadonlyArray<Hit>) =>
    shown(SearchResponse.verify(words, hits, (hit, field) => hit[field as keyof Hit]))
  const of = (word: string, more: object = {}) => ({ word, hits: [], repeated: [], suggestions: [], ...more })
  const a = { searchValue: "a", dtxsid: "1" }

  it.each<[string, ReadonlyArray<string>, ReadonlyArray<Hit>, unknown]>([
    [
      "has hits or none for each word",
      ["a", "b"],
      [a, { searchValue: "b", suggestions: null }],
      [of("a", { hits: [a] }), of("b")]
    ],
    ["lacks a requested word", ["a", "b"], [a], { path: "", reason: expect.stringContaining("b") }],
    [
      "has a compound without a substance",
      ["a"],
      [{ searchValue: "a", dtxsid: null, dtxcid: "2" }],
      [of("a", { hits: [{ searchValue: "a", dtxsid: null, dtxcid: "2" }] })]
    ],
    [
      "has suggestions once for a word without a hit",
      ["a"],
      [
        { searchValue: "a", suggestions: ["x", null, "y", "x"] },
        { searchValue: "a", suggestions: null }
      ],
      [of("a", { suggestions: ["x", "y"] })]
    ],
    [
      "gives each spelling of a word its hits once",
      ["a", "A"],
      [a, { ...a, searchValue: "A" }],
      [of("a", { hits: [a] }), of("A", { hits: [a] })].map((one) =>
        expect.objectContaining({ word: one.word })
      )
    ],
    ["has more copies of a hit than spellings", ["a"], [a, a, a], [of("a", { hits: [a], repeated: [a, a] })]],
    [
      "has no suggestions for a word with one hit",
      ["a"],
      [{ ...a, suggestions: ["x"] }],
      [of("a", { hits: [{ ...a, suggestions: ["x"] }] })]
    ],
    [
      "has the copies beyond those of its spellings once",
      ["a", "A"],
      [a, a, a],
      [of("a", { hits: [a], repeated: [a] }), of("A", { hits: [a] })]
    ],
    [
      "calls a word found and missing",
      ["a"],
      [a, { searchValue: "a", dtxsid: null }],
      { path: "", reason: expect.stringContaining("is both found and missing") }
    ],
    [
      "has a record without its word",
      ["a"],
      [a, { dtxsid: "1" }],
      { path: "[1].searchValue", reason: "a record does not name its word" }
    ]
  ])("%s", (_, words, hits, expected) => {
    expect(verify(words, hits)).toEqual(expected)
  })

  it("has a record of a word that was not requested, and is refused", () => {
    expect(verify(["a"], [a, { searchValue: "zzz", dtxsid: "1" }])).toMatchObject({
      reason: expect.stringContaining("zzz")
    })
  })
})

describe("a cache in memory", () => {
  const entry = (length: number, etag?: string): ResponseCache.Entry => ({
    kind: "found",
    body: new Uint8Array(length),
    etag,
    truncated: undefined,
    storedAt: 0
  })
  /** The largest number of entries of a size that fit. */
  const capacity = async (
    maxBytes: number,
    length: number,
    keyLength: number,
    etag?: string
  ): Promise<number> => {
    const store = ResponseCache.memory({ maxBytes })
    const keys = Array.from({ length: 400 }, (_, at) => String(at).padStart(keyLength, "k"))
    for (const key of keys) await Effect.runPromise(store.put(key, entry(length, etag)))
    const found = await Promise.all(keys.map((key) => Effect.runPromise(store.get(key))))
    const kept = found.map((one) => one !== undefined)
    // The latest ones are kept.
    expect(kept).toEqual(kept.toSorted())
    return kept.filter(Boolean).length
  }

  it("counts bodies, and the characters of keys and tags, which have two bytes", async () => {
    const plain = await capacity(1_000_000, 10_000, 10)
    expect(plain).toBeGreaterThan(90)
    expect(plain).toBeLessThanOrEqual(99)
    const long = await capacity(1_000_000, 10_000, 5010)
    expect(long).toBeLessThanOrEqual(50)
    expect(long).toBeGreaterThan(45)
    const tagged = await capacity(1_000_000, 10_000, 10, "x".repeat(5000))
    expect(tagged).toBe(long)
  })

  it("deletes the entries that were used least recently, and none for an entry that cannot fit", async () => {
    const store = ResponseCache.memory({ maxBytes: 35_000 })
    const has = async (...keys: ReadonlyArray<string>) => {
      const all = await Promise.all(keys.map((key) => Effect.runPromise(store.get(key))))
      return all.map((one) => one !== undefined)
    }
    for (const key of ["a", "b", "c"]) await Effect.runPromise(store.put(key, entry(10_000)))
    expect(await has("a")).toEqual([true])
    await Effect.runPromise(store.put("d", entry(10_000)))
    expect(await has("b")).toEqual([false])
    expect(await has("a", "c", "d")).toEqual([true, true, true])
    await Effect.runPromise(store.put("e", entry(36_000)))
    expect(await has("a", "c", "d", "e")).toEqual([true, true, true, false])
    // A replaced entry frees its own place.
    await Effect.runPromise(store.put("d", entry(10_000)))
    expect(await has("a", "c", "d")).toEqual([true, true, true])
    await Effect.runPromise(store.put("d", entry(36_000)))
    expect(await has("a", "c", "d")).toEqual([true, true, false])
  })
})
