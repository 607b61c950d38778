/** Runs in which no request succeeds, over numbers of keys, batch sizes and concurrencies. */
import { Batch } from "@chemstream/batch"
import { Effect, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"

const cases = [1, 2, 16, 17, 18, 40].flatMap((count) =>
  [1, 2, 5, 16, 100].flatMap((size) => [1, 4, 40].map((concurrency) => ({ count, size, concurrency })))
)

describe("a run in which no request succeeds", () => {
  it.each(cases)(
    "fails at most 16 keys alone, and ends early if there are more: $count in batches of $size, $concurrency at once",
    async ({ concurrency, count, size }) => {
      for (const verdict of ["isolate", "halve"] as const) {
        const requests: Array<ReadonlyArray<string>> = []
        const outcomes: Array<{ readonly _tag: string; readonly error?: unknown }> = []
        const run = Batch.outcomes(Stream.fromIterable(Array.from({ length: count }, (_, at) => `k${at}`)), {
          call: (keys) => {
            requests.push(keys)
            return Effect.fail(keys)
          },
          classify: () => verdict,
          signal: () => "failed",
          size,
          concurrency
        })
        const result = await Effect.runPromise(
          Effect.result(Stream.runForEach(run, (outcome) => Effect.sync(() => outcomes.push(outcome))))
        )
        const isFew = count <= 16
        expect(Result.isSuccess(result)).toBe(isFew)
        expect(outcomes).toMatchObject(
          isFew ? Array.from({ length: count }, (_, at) => ({ _tag: "Failed", error: [`k${at}`] })) : []
        )
        // Each of 17 keys alone, and the batches with them.
        expect(requests.length).toBeLessThanOrEqual(2 * 17)
      }
    }
  )
})
