// Tests the batch size that a run learns from the bytes of responses, over the number of keys in each call.
import { Batch, Ledger } from "@chemstream/batch"
import { Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"

const megabyte = 2 ** 20

/** Runs over keys whose records have these bytes, by their place. Returns the sizes of the calls. */
const sizesOf = async (bytesOf: (place: number) => number, count: number, size: number) => {
  const sizes: Array<number> = []
  const ledger = Ledger.make()
  const outcomes = Batch.outcomes(Stream.range(0, count - 1), {
    key: String,
    size,
    concurrency: 1,
    ledger,
    call: (keys) => {
      sizes.push(keys.length)
      return Effect.succeed({
        records: keys.map((key) => ({ key, record: key })),
        bytes: keys.reduce((sum, key) => sum + bytesOf(Number(key)), 0)
      })
    }
  })
  expect(await Effect.runPromise(Stream.runCount(outcomes))).toBe(count)
  return { sizes, ledger }
}

describe("the batch size", () => {
  it("shrinks after a response of more than 8 MiB to as many keys as fit", async () => {
    const { ledger, sizes } = await sizesOf(() => megabyte / 16, 2000, 1000)
    expect(sizes[0]).toBe(1000)
    expect(Math.max(...sizes.slice(2))).toBe(128)
    expect(sizes.length).toBeLessThanOrEqual(2 + 1000 / 128 + 1)
    expect(ledger.batchSizes).toEqual({ smallest: 128, largest: 1000 })
  })

  it("grows again when records are small again", async () => {
    const { sizes } = await sizesOf((place) => (place < 1000 ? megabyte / 16 : 1000), 20_000, 1000)
    expect(sizes[2]).toBe(128)
    expect(Math.max(...sizes.slice(3))).toBe(1000)
  })

  it("doubles only if twice the keys have at most 8 MiB", async () => {
    for (const [megabytes, largest] of [
      [1, 8],
      [0.5, 16]
    ] as const) {
      const { sizes } = await sizesOf((place) => (place < 32 ? megabyte : megabytes * megabyte), 400, 32)
      expect(sizes.slice(0, 3)).toEqual([32, 8, 8])
      expect(Math.max(...sizes.slice(1))).toBe(largest)
    }
  })

  it("doubles at the first batch after 16 consecutive successes, counted from the large response", async () => {
    for (const [size, ones] of [
      [5, 20],
      [16, 16]
    ] as const) {
      const { sizes } = await sizesOf((place) => (place === 0 ? 8 * size * megabyte : 1000), 200, size)
      expect(sizes.slice(0, ones + 2)).toEqual([size, ...Array(ones).fill(1), 2])
    }
  })

  it.each([1, 200])(
    "is the limit of %d that an error names, with as few calls as it allows",
    async (limit) => {
      const sizes: Array<number> = []
      let refused = 0
      const ledger = Ledger.make()
      const outcomes = Batch.outcomes(Stream.range(0, 1999), {
        key: String,
        size: 1000,
        concurrency: 1,
        ledger,
        classify: () => "halve",
        limit: ({ limit }: { readonly limit: number }) => limit,
        call: (keys) => {
          if (keys.length > limit) {
            refused++
            return Effect.fail({ limit })
          }
          sizes.push(keys.length)
          return Effect.succeed({ records: keys.map((key) => ({ key, record: key })) })
        }
      })
      expect(await Effect.runPromise(Stream.runCount(outcomes))).toBe(2000)
      expect(sizes).toEqual(Array(2000 / limit).fill(limit))
      // The second batch is made before the first one is refused.
      expect(refused).toBeLessThanOrEqual(2)
      expect(ledger.batchSizes).toEqual({ smallest: limit, largest: limit })
    }
  )

  it("stays if a key alone has more than 8 MiB, or responses are small", async () => {
    expect((await sizesOf(() => 9 * megabyte, 3, 1)).sizes).toEqual([1, 1, 1])
    expect((await sizesOf(() => 8000, 3000, 1000)).sizes).toEqual([1000, 1000, 1000])
  })
})

/** Runs over keys with one call at a time, of which some are too large. Returns the sizes of the calls, successful or not. */
const sizesAfter = async (
  count: number,
  size: number,
  isTooLarge: (length: number, call: number) => boolean
) => {
  const sizes: Array<number> = []
  const ledger = Ledger.make()
  const outcomes = Batch.outcomes(Stream.range(1, count), {
    key: String,
    size,
    concurrency: 1,
    ledger,
    classify: () => "halve",
    call: (keys) =>
      isTooLarge(keys.length, sizes.push(keys.length) - 1)
        ? Effect.fail("too large")
        : Effect.succeed({ records: keys.map((key) => ({ key, record: key })) })
  })
  expect(await Effect.runPromise(Stream.runCount(outcomes))).toBe(count)
  return { sizes, ledger }
}

describe("a batch that is too large", () => {
  it("halves the batch size, until its parts are accepted", async () => {
    const { ledger, sizes } = await sizesAfter(24, 8, (length) => length > 2)
    expect(sizes).toEqual([8, 4, ...Array(12).fill(2)])
    expect(ledger.batchSizes).toEqual({ smallest: 2, largest: 8 })
  })

  it("is tried again after 16 successes, but never a third time", async () => {
    const { sizes } = await sizesAfter(130, 4, (length) => length > 2)
    expect(sizes.slice(0, 18)).toEqual([4, ...Array(16).fill(2), 4])
    expect(sizes.slice(18)).toEqual(Array(49).fill(2))
  })

  it("may grow again if its size has succeeded in between", async () => {
    const isTooLarge = (length: number, call: number): boolean =>
      length > 2 && (call === 0 || call === 20 || call === 21)
    const { sizes } = await sizesAfter(200, 4, isTooLarge)
    expect(sizes.lastIndexOf(4)).toBeGreaterThan(40)
  })

  it("makes later batches smaller only at the second failure, if a batch of its size has succeeded", async () => {
    const once = await sizesAfter(26, 8, (_, call) => call === 1)
    expect(once.sizes).toEqual([8, 8, 4, 4, 8, 2])
    expect(once.ledger.batchSizes).toEqual({ smallest: 8, largest: 8 })
    const twice = await sizesAfter(26, 8, (length, call) => length > 2 && call > 0)
    expect(twice.sizes).toEqual([8, 8, 4, ...Array(9).fill(2)])
    const apart = await sizesAfter(40, 8, (_, call) => call === 1 || call === 5)
    expect(apart.ledger.batchSizes).toEqual({ smallest: 8, largest: 8 })
  })
})
