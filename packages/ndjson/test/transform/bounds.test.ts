import { Transform } from "@chemstream/ndjson"
import type { Stream } from "effect"
import { describe, expect, it } from "vitest"
import { all, failure, raws, streamOf } from "./records.ts"

const texts = ['{"id":"a","n":"x","v":1}', '{"id":"b","n":"y","v":22}', '{"id":"a","n":"x","v":0}']
const length = (at: number): number => texts[at]?.length ?? 0

const records = streamOf(raws(texts))
const run = (step: (self: typeof records) => Stream.Stream<unknown, Transform.TransformError>) =>
  records.pipe(step)

/** The size of the name of a key of one character and its type. */
const key = 2

describe("the bound of the memory of a transform", () => {
  it.each<
    [
      string,
      bytes: number,
      index: number,
      (maxBytes: number) => Stream.Stream<unknown, Transform.TransformError>
    ]
  >([
    [
      "uniqueBy: each key with 64 bytes and two for each character",
      2 * (64 + 2 * key),
      1,
      (maxBytes) => run(Transform.uniqueBy(["id"] as never, { maxBytes }))
    ],
    [
      "topBy: each record with its text and 256 bytes, each key with 128 and two for each character, and no dropped record",
      length(0) + length(1) + 2 * 256 + 2 * (128 + 2 * key),
      1,
      (maxBytes) => run(Transform.topBy({ count: 1, order: "v" as never, per: "id" as never, maxBytes }))
    ],
    [
      "topBy: all records that may be kept",
      length(0) + length(1) + length(2) + 3 * 256 + 2 * (128 + 2 * key),
      2,
      (maxBytes) => run(Transform.topBy({ count: 2, order: "v" as never, per: "id" as never, maxBytes }))
    ],
    [
      "wide: each value with its text and 64 bytes, each row with 256, its key and its fields",
      1 + 2 + 1 + 3 * 64 + 2 * (256 + 2 * key + '"a"'.length + 64),
      2,
      (maxBytes) =>
        run(Transform.wide({ name: "n" as never, value: "v" as never, per: "id" as never, maxBytes }))
    ],
    [
      "join: each row of the table with its text, 64 bytes and its key",
      length(0) + length(1) + length(2) + 3 * (64 + key),
      2,
      (maxBytes) =>
        run(
          Transform.join({
            table: records,
            on: "id" as never,
            tableOn: "id" as never,
            kind: "inner",
            combine: (one) => one,
            maxBytes
          })
        )
    ]
  ])("counts for %s", (_, bytes, index, make) => {
    expect(all(make(bytes)).length).toBeGreaterThan(0)
    const { error } = failure(make(bytes - 1))
    expect(error).toMatchObject({ reason: "too-large", index })
    expect(error.message).toContain(`${bytes - 1} bytes at r`)
  })

  it("counts the columns of wide", () => {
    const make = (maxColumns: number) =>
      run(Transform.wide({ name: "n" as never, value: "v" as never, per: "id" as never, maxColumns }))
    expect(all(make(2))).toHaveLength(2)
    const { error } = failure(make(1))
    expect(error).toMatchObject({ reason: "too-large", index: 1 })
    expect(error.message).toContain("the table exceeds 1 columns at record 1, after 2 rows")
  })
})
