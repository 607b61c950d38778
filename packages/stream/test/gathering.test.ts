import { RawRecord } from "@chemstream/ndjson"
import { Details, Enrich, Identifiers, Lookup, Plan } from "@chemstream/stream"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientOf, ok } from "./lookupService.ts"

const idsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `DTXSID${10_000_000 + at}`)

/** A lookup of this size, with the lengths of its requests. */
const partOf = (size: number) => {
  const lengths: Array<number> = []
  const lookup: Lookup.Lookup<RawRecord.RawRecord> = {
    ...Details.byDtxsid(),
    size,
    cost: undefined,
    requestBatch: (ids) =>
      Effect.sync(() => {
        lengths.push(ids.length)
        return { records: ids.map((key) => ({ key, record: RawRecord.fromText(`"${key}"`) })) }
      })
  }
  return { lengths, lookup }
}

const runOf = (
  identifiers: Stream.Stream<Identifiers.Identifier>,
  lookup: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>,
  { first = Number.POSITIVE_INFINITY, ...options }: Lookup.Options & { readonly first?: number } = {}
) =>
  Effect.gen(function* () {
    const client = yield* clientOf(() => ok("[]"))
    return yield* Lookup.outcomes(identifiers, lookup, options).pipe(
      Stream.take(first),
      Stream.runCollect,
      Effect.provide(client)
    )
  }).pipe(
    Effect.map((outcomes) => outcomes.map((outcome) => (outcome._tag === "Surplus" ? "" : outcome.id))),
    Effect.scoped,
    Effect.runPromise
  )

const plannedFor = (
  ids: ReadonlyArray<string>,
  lookup: Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>
) =>
  Effect.gen(function* () {
    const client = yield* clientOf(() => ok("[]"))
    return yield* Effect.provide(Plan.of(Identifiers.fromIterable(ids), lookup), client)
  }).pipe(Effect.scoped, Effect.runPromise)

describe("the requests of a lookup of several parts", () => {
  it("are filled with the identifiers of several batches of the run, in the order of the input", async () => {
    const [one, other] = [partOf(1000), partOf(400)]
    const lookup = Enrich.lookup({ one: one.lookup, other: other.lookup })
    const ids = idsOf(2500)
    expect(await runOf(Identifiers.fromIterable(ids), lookup)).toEqual(ids)
    expect(one.lengths).toEqual([1000, 1000, 500])
    expect(other.lengths.toSorted((a, b) => b - a)).toEqual([400, 400, 400, 400, 400, 400, 100])
  })

  it("are as many as planned, for any sizes and any number of identifiers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 200 }),
        async (size, otherSize, count) => {
          const [one, other] = [partOf(size), partOf(otherSize)]
          const lookup = Enrich.lookup({ one: one.lookup, other: other.lookup })
          const ids = idsOf(count)
          const { least } = await plannedFor(ids, lookup)
          expect(least).toBe(Math.ceil(count / size) + Math.ceil(count / otherSize))
          expect(await runOf(Identifiers.fromIterable(ids), lookup)).toEqual(ids)
          const requests = one.lengths.length + other.lengths.length
          // A long run settles its first batches before it has read its last ones.
          const rounds = Math.ceil(count / Math.max(size, otherSize) / 4)
          expect(requests).toBeGreaterThanOrEqual(least)
          expect(requests).toBeLessThanOrEqual(least + rounds)
        }
      ),
      { numRuns: 50 }
    )
  })

  it("are sent within the window of the run if no further identifier comes", async () => {
    const { lengths, lookup } = partOf(1000)
    const unending = Stream.concat(Identifiers.fromIterable(idsOf(3)), Stream.never)
    const ids = await runOf(unending, Enrich.lookup({ one: lookup }), { window: "10 millis", first: 3 })
    expect([ids, lengths]).toEqual([idsOf(3), [3]])
  })

  it("have the identifiers of one batch if the run has a batch size", async () => {
    const { lengths, lookup } = partOf(1000)
    await runOf(Identifiers.fromIterable(idsOf(25)), Enrich.lookup({ one: lookup }), { batchSize: 10 })
    expect(lengths).toEqual([10, 10, 5])
  })
})
