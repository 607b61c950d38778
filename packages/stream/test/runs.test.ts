import { type Batch, InvalidOption } from "@chemstream/batch"
import type { ChemClient, ChemError } from "@chemstream/client"
import type { RawRecord } from "@chemstream/ndjson"
import {
  BatchCalls,
  Crawl,
  Details,
  Enrich,
  Identifiers,
  Ledger,
  Lookup,
  Search,
  Synonyms
} from "@chemstream/stream"
import { Cause, Effect, Exit, Result, Schedule, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { clientOf, ok, type Respond } from "./lookupService.ts"

const ids = Array.from({ length: 40 }, (_, at) => `DTXSID${String(7020182 + at)}`)
const record = (id: string): string => `{"dtxsid":"${id}"}`

/** Knows every identifier, finds the first ten by any word, and has a synonym of each. */
const knowing: Respond = ({ body, url }) => {
  if (Array.isArray(body)) return ok(`[${body.map(record).join(",")}]`)
  return url.includes("synonym")
    ? ok('[{"synonym":"a name"}]')
    : ok(`[${ids.slice(0, 10).map(record).join(",")}]`)
}

/** Refuses the key in its `at`-th response, and otherwise knows every identifier. */
const refusingOnce = (at: number): Respond => {
  let requests = 0
  return (asked) =>
    ++requests === at ? { status: 401, body: '{"status":401,"detail":"the key is refused"}' } : knowing(asked)
}

type Sample = Stream.Stream<
  string,
  Batch.OwnError | InvalidOption.InvalidOption | ChemError.ChemError | Enrich.Incomplete | Unreadable,
  ChemClient.ChemClient
>

const label = ({ _tag, id }: { readonly _tag: string; readonly id: string | undefined }): string =>
  `${_tag} ${id}`
const found = (some: ReadonlyArray<string>): ReadonlyArray<string> => some.map((id) => `Found ${id}`)

const options = { batchSize: 10, concurrency: 2 }
const details = Details.byDtxsid({ projection: "compact" })
const parts = { details, synonyms: Synonyms.byDtxsid({ projection: "ccd-synonyms" }) }

/** Each kind of run over `input`, as a stream of the labels of its outcomes. */
const kinds: Readonly<Record<string, (input: Stream.Stream<Identifiers.Identifier, Unreadable>) => Sample>> =
  {
    "Lookup.outcomes": (input) => Stream.map(Lookup.outcomes(input, details, options), label),
    "Lookup.outcomes with a ledger of the caller's": (input) =>
      Stream.map(Lookup.outcomes(input, details, { ...options, ledger: Ledger.make() }), label),
    "Lookup.outcomes that do not wait": (input) =>
      Stream.map(Lookup.outcomes(input, details, { ...options, availability: { wait: 0 } }), label),
    "Lookup.batches": (input) =>
      Lookup.batches(input, details, options).pipe(
        Stream.catchTag("InputMismatch", Stream.die),
        Stream.flatMap(({ outcomes }) => Stream.fromIterable(outcomes)),
        Stream.map(label)
      ),
    "Enrich.outcomes": (input) => Stream.map(Enrich.outcomes(input, parts, options), label),
    "Lookup.outcomes of Enrich.lookup": (input) =>
      Stream.map(Lookup.outcomes(input, Enrich.lookup(parts, options), options), label),
    "Crawl.outcomes": (input) =>
      Crawl.outcomes(Stream.take(input, 1), {
        search: Search.equal(),
        lookup: details,
        lookupOptions: options
      }).pipe(
        Stream.filter(({ _tag }) => _tag === "Discovered"),
        Stream.map(({ outcome }) => label(outcome))
      ),
    "BatchCalls.outcomes": (input) =>
      BatchCalls.outcomes(input, {
        parse: Result.succeed,
        call: (some) => Effect.succeed({ records: some.map((id) => ({ key: id, record: id })) }),
        classify: () => "fail",
        size: 10,
        concurrency: 2,
        ordered: true,
        dedupe: true,
        ledger: Ledger.make()
      }).pipe(Stream.map(label))
  }

class Unreadable extends Error {
  readonly _tag = "Unreadable"
}

const unreadable = new Unreadable("the file cannot be read")

const expected = (kind: string): ReadonlyArray<string> =>
  found(kind === "Crawl.outcomes" ? ids.slice(0, 10) : ids)

const against = <A, E>(respond: Respond, effect: Effect.Effect<A, E, ChemClient.ChemClient>): Promise<A> =>
  Effect.gen(function* () {
    const client = yield* clientOf(respond)
    return yield* Effect.provide(effect, client)
  }).pipe(Effect.scoped, Effect.runPromise)

const input = Identifiers.fromIterable(ids)

describe.each(Object.entries(kinds))("%s", (kind, describing) => {
  it("returns the same when it runs twice", async () => {
    const stream = describing(input)
    const both = await against(knowing, Effect.all([Stream.runCollect(stream), Stream.runCollect(stream)]))
    expect(both).toEqual([expected(kind), expected(kind)])
  })

  it("returns all outcomes after an earlier run was stopped after its first outcome", async () => {
    const stream = describing(input)
    const [first, all] = await against(
      knowing,
      Effect.all([Stream.runCollect(Stream.take(stream, 1)), Stream.runCollect(stream)])
    )
    expect(first).toEqual(expected(kind).slice(0, 1))
    expect(all).toEqual(expected(kind))
  })

  it("returns all outcomes of each run when it is repeated", async () => {
    const all = await against(
      knowing,
      Stream.runCollect(Stream.repeat(describing(input), Schedule.recurs(2)))
    )
    expect(all).toEqual([...expected(kind), ...expected(kind), ...expected(kind)])
  })

  it("returns all outcomes when it is retried after its input failed", async () => {
    let runs = 0
    const failing = Stream.suspend(() =>
      ++runs === 1 ? Stream.concat(Stream.take(input, 25), Stream.fail(unreadable)) : input
    )
    const stream = describing(failing)
    const all: Array<string> = []
    await against(
      knowing,
      Stream.runForEach(Stream.retry(stream, Schedule.recurs(1)), (one) => Effect.sync(() => all.push(one)))
    )
    expect(runs).toBe(kind === "Crawl.outcomes" ? 1 : 2)
    expect(all.slice(-expected(kind).length)).toEqual(expected(kind))
  })

  it("returns all outcomes when it is retried after the service refused the key", async () => {
    const all: Array<string> = []
    await against(
      refusingOnce(2),
      Stream.runForEach(Stream.retry(describing(input), Schedule.recurs(1)), (one) =>
        Effect.sync(() => all.push(one))
      )
    )
    expect(all.slice(-expected(kind).length)).toEqual(expected(kind))
  })
})

describe("A ledger of the caller", () => {
  const run = (ledger: Ledger.Ledger) => Lookup.outcomes(input, details, { ...options, ledger })

  it("adds up the counts of every run, without identifiers that a stopped run left without an outcome", async () => {
    const ledger = Ledger.make()
    await against(knowing, Stream.runDrain(Stream.take(run(ledger), 1)))
    expect(ledger.read).toBeGreaterThan(Ledger.sum(ledger))
    const first = ledger.found
    await against(knowing, Stream.runDrain(run(ledger)))
    expect(ledger).toMatchObject({ read: first + ids.length, found: first + ids.length, inFlight: 0 })
    await against(knowing, Stream.runDrain(run(ledger)))
    expect(ledger).toMatchObject({ read: first + 2 * ids.length, found: first + 2 * ids.length })
  })

  it("still fails a run that loses an identifier", async () => {
    const ledger = Ledger.make()
    await against(knowing, Stream.runDrain(run(ledger)))
    const losing = run(ledger).pipe(
      Stream.tap(() =>
        Effect.sync(() => {
          ledger.read++
        })
      )
    )
    const exit = await against(knowing, Effect.exit(Stream.runDrain(losing)))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(Ledger.LedgerInvariantError)
  })
})

describe("An option out of range", () => {
  const refused = async (stream: Stream.Stream<unknown, unknown, ChemClient.ChemClient>) => {
    const requests: Array<unknown> = []
    const respond: Respond = (asked) => {
      requests.push(asked)
      return knowing(asked)
    }
    const result = await against(respond, Effect.result(Stream.runDrain(stream)))
    expect(requests).toEqual([])
    return Result.getFailure(result)
  }

  const bad: ReadonlyArray<readonly [option: string, value: unknown, options: Lookup.Options]> = [
    ...[0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY].flatMap((value) => [
      ["concurrency", value, { concurrency: value }] as const,
      ["batchSize", value, { batchSize: value }] as const
    ]),
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY, "soon" as never].map(
      (value) => ["window", value, { window: value }] as const
    ),
    ...[-1, Number.NaN, "soon" as never].map(
      (wait) => ["availability.wait", wait, { availability: { wait } }] as const
    )
  ]

  it.each(bad)("%s %s fails the run before the first request", async (option, value, given) => {
    for (const stream of [
      Lookup.outcomes(input, details, given),
      Lookup.batches(input, details, given),
      Enrich.outcomes(input, parts, given),
      Crawl.outcomes(input, { search: Search.equal(), lookup: details, searchOptions: given })
    ]) {
      const failure = await refused(stream)
      expect(failure).toMatchObject({ _tag: "Some", value: { _tag: "InvalidOption", option, value } })
    }
  })

  it("has a message with the option, its value and the valid values", async () => {
    const error = new InvalidOption.InvalidOption({
      option: "concurrency",
      value: 0,
      wanted: "a whole number of at least 1"
    })
    expect(error.message).toBe("The option concurrency is 0. Give a whole number of at least 1.")
  })

  it.each([
    ["size", { size: Number.NaN }],
    ["concurrency", { concurrency: 0 }]
  ])("%s of BatchCalls fails the run", async (option, given) => {
    const stream = BatchCalls.outcomes(input, {
      parse: Result.succeed,
      call: () => Effect.die("never"),
      classify: () => "fail",
      size: 10,
      concurrency: 2,
      ordered: true,
      dedupe: true,
      ...given
    })
    expect(await refused(stream)).toMatchObject({ _tag: "Some", value: { _tag: "InvalidOption", option } })
  })

  it("is thrown by Enrich.lookup for the concurrency of its parts", () => {
    expect(() => Enrich.lookup(parts, { concurrency: 0 })).toThrow(InvalidOption.InvalidOption)
  })
})

describe("The batch size of a run", () => {
  it.each<readonly [string, Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>]>([
    ["a lookup", details],
    ["a part of an enrichment", Enrich.lookup({ details })]
  ])("of %s is independent of the halved batches of an earlier run", async (_, lookup) => {
    const sizes: Array<number> = []
    let largest = 3
    const stream = Lookup.outcomes(input, lookup, { batchSize: 20, concurrency: 1 })
    await against(
      (asked) => {
        const { length } = asked.body as ReadonlyArray<string>
        sizes.push(length)
        return length > largest ? { status: 413, body: '{"status":413}' } : knowing(asked)
      },
      Effect.gen(function* () {
        yield* Stream.runDrain(stream)
        expect(sizes.at(-1)).toBeLessThanOrEqual(3)
        sizes.length = 0
        largest = 20
        yield* Stream.runDrain(stream)
      })
    )
    expect(sizes).toEqual([20, 20])
  })
})
