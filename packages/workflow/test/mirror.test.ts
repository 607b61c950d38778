// Tests a mirror as a sink, chunk by chunk and without a worker: its counts, its differences, its times, and what a refresh requests.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChemError } from "@chemstream/client"
import { RawRecord } from "@chemstream/ndjson"
import { Outcome } from "@chemstream/stream"
import { Database, Harvest, Refresh, type Sink, Sinks, Source } from "@chemstream/workflow"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { describe, expect, it, onTestFinished } from "vitest"
import { idOf, idsOf } from "./chemicalService.ts"

const [a, b, c] = [idOf(1), idOf(2), idOf(3)]

const startedAt = Date.UTC(2026, 0, 1)

const day = 86_400_000

const found = (id: string, ...records: ReadonlyArray<string>): Outcome.Outcome<RawRecord.RawRecord, never> =>
  Outcome.found(id, 1, records.map(RawRecord.fromText))

const failed = (id: string, line = 1) =>
  Outcome.failed(
    id,
    line,
    new ChemError.NotFound({
      endpoint: "details.byDtxsid",
      attempts: 1,
      status: 404,
      suggestions: [],
      message: "cannot say"
    })
  )

const chunk = (outcomes: Sink.Chunk["outcomes"], index = 0, duplicates = 0): Sink.Chunk => ({
  index,
  outcomes,
  duplicates
})

type Body<A> = Effect.Effect<A, unknown, SqlClient.SqlClient | NodeServices.NodeServices>

/** Runs with a new database at a fixed time, in a new folder. */
const run = <A>(body: (folder: string) => Body<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "chemstream-mirror-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return Effect.andThen(TestClock.setTime(startedAt), body(folder)).pipe(
    Effect.provide(Database.layerSqlite(join(folder, "harvests.db"))),
    Effect.provide([NodeServices.layer, TestClock.layer()]),
    Effect.runPromise
  )
}

const open = (harvest: string, report?: string) =>
  Effect.scoped(
    Sinks.open(
      report === undefined ? { _tag: "Mirror", mirror: "all" } : { _tag: "Mirror", mirror: "all", report },
      {
        harvest,
        source: "digest"
      }
    )
  )

/** Stores these outcomes as one harvest. Returns the lines of its report. */
const refresh = (folder: string, name: string, outcomes: Sink.Chunk["outcomes"]) =>
  Effect.gen(function* () {
    const report = join(folder, "reports", `${name}.ndjson`)
    const sink = yield* open(name, report)
    yield* sink.write(chunk(outcomes))
    yield* sink.complete(1)
    return readFileSync(report, "utf8")
      .split("\n")
      .filter((line) => line !== "")
  })

/** The stored state of each identifier: its outcome, and its times in days since the start. */
const states = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    id: string
    outcome: string
    checked_at: number
    changed_at: number
    gone_at: number | null
  }>`
    SELECT id, outcome, checked_at, changed_at, gone_at FROM chemstream_mirror ORDER BY id`
  const days = (at: number | null) => (at === null ? null : (at - startedAt) / day)
  return rows.map(({ changed_at, checked_at, gone_at, id, outcome }) => [
    id,
    outcome,
    days(checked_at),
    days(changed_at),
    days(gone_at)
  ])
})

describe("a difference of a mirror", () => {
  const record = '{"id":"A","mass":1.10,"name":"x"}'

  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, string | undefined]>([
    ["none, if a record is the same text", [record], [record], undefined],
    ["none, if an identifier is still missing", [], [], undefined],
    ["a new record", [], [record], '"change":"added"'],
    ["a record that is gone", [record], [], '"change":"gone"'],
    [
      "the text of a changed field, before and after",
      [record],
      ['{"id":"A","mass":1.1,"name":"x"}'],
      '"change":"changed","fields":{"mass":{"before":1.10,"after":1.1}}'
    ],
    [
      "a field that only the new record has",
      ['{"id":"A"}'],
      ['{"id":"A","n":[1, 2]}'],
      '"change":"changed","fields":{"n":{"after":[1, 2]}}'
    ],
    [
      "a field that only the old record had",
      ['{"id":"A","n":null}'],
      ['{"id":"A"}'],
      '"change":"changed","fields":{"n":{"before":null}}'
    ],
    [
      "several records as one field",
      ['{"n":1}'],
      ['{"n":1}', '{"n":2}'],
      '"change":"changed","fields":{"records":{"before":[{"n":1}],"after":[{"n":1},{"n":2}]}}'
    ],
    [
      "one record instead of several",
      ['{"n":1}', '{"n":2}'],
      ['{"n":2}'],
      '"change":"changed","fields":{"records":{"before":[{"n":1},{"n":2}],"after":[{"n":2}]}}'
    ]
  ])("is %s", async (_, before, after, line) => {
    const outcomeOf = (records: ReadonlyArray<string>) =>
      records.length === 0 ? Outcome.missing(a, 1) : found(a, ...records)
    const lines = await run((folder) =>
      Effect.gen(function* () {
        yield* refresh(folder, "one", [outcomeOf(before)])
        return yield* refresh(folder, "two", [outcomeOf(after)])
      })
    )
    expect(lines).toEqual(line === undefined ? [] : [`{"id":"${a}",${line}}`])
  })

  it("is not what a failure or a malformed text says, and leaves the records and their times", async () => {
    const [lines, after] = await run((folder) =>
      Effect.gen(function* () {
        yield* refresh(folder, "one", [found(a, '{"n":1}')])
        yield* TestClock.adjust("1 day")
        const lines = yield* refresh(folder, "two", [
          failed(a),
          Outcome.surplus("unrequested", RawRecord.fromText("{}"), b)
        ])
        return [lines, yield* states] as const
      })
    )
    expect(lines).toEqual([])
    expect(after).toEqual([[a, "found", 0, 0, null]])
  })

  it("sets the time of the change, and of the end, which a new record clears", async () => {
    const all = await run((folder) =>
      Effect.gen(function* () {
        const rounds: ReadonlyArray<Sink.Chunk["outcomes"]> = [
          [found(a, '{"n":1}'), Outcome.missing(b, 2)],
          [found(a, '{"n":1}'), Outcome.missing(b, 2)],
          [Outcome.missing(a, 1), found(b, '{"n":2}')],
          [Outcome.missing(a, 1), found(b, '{"n":2}')],
          [found(a, '{"n":1}'), found(b, '{"n":3}')]
        ]
        return yield* Effect.forEach(rounds, (outcomes, round) =>
          Effect.gen(function* () {
            yield* refresh(folder, `round ${round}`, outcomes)
            const stored = yield* states
            yield* TestClock.adjust("1 day")
            return stored
          })
        )
      })
    )
    expect(all).toEqual([
      [
        [a, "found", 0, 0, null],
        [b, "missing", 0, 0, null]
      ],
      [
        [a, "found", 1, 0, null],
        [b, "missing", 1, 0, null]
      ],
      [
        [a, "missing", 2, 2, 2],
        [b, "found", 2, 2, null]
      ],
      [
        [a, "missing", 3, 2, 2],
        [b, "found", 3, 2, null]
      ],
      [
        [a, "found", 4, 4, null],
        [b, "found", 4, 4, null]
      ]
    ])
  })
})

describe("a mirror that stores a harvest", () => {
  it("keeps the first write of a chunk, and counts it once", async () => {
    const [before, first, second, stored, total] = await run(() =>
      Effect.gen(function* () {
        const sink = yield* open("one")
        const before = yield* sink.storedTally(0)
        const first = yield* sink.write(chunk([found(a, '{"n":1}', '{"n":2}'), failed(b, 2)], 0, 3))
        const second = yield* sink.write(chunk([Outcome.missing(a, 1)]))
        yield* sink.write(chunk([Outcome.missing(c, 3)], 1))
        return [before, first, second, yield* sink.storedTally(0), yield* sink.complete(2)] as const
      })
    )
    const counts = {
      read: 5,
      found: 1,
      missing: 0,
      failed: 1,
      invalid: 0,
      duplicates: 3,
      records: 2,
      surplus: 0,
      truncated: 0
    }
    expect(before).toBeUndefined()
    expect([first, second, stored]).toEqual([counts, counts, counts])
    expect(total).toEqual({ ...counts, read: 6, missing: 1 })
  })

  it("is not complete while chunks are missing, names the first ten, and makes no report", async () => {
    const [error, missing, isReported] = await run((folder) =>
      Effect.gen(function* () {
        const report = join(folder, "report.ndjson")
        const sink = yield* open("one", report)
        yield* sink.write(chunk([], 1))
        return [
          yield* Effect.flip(sink.complete(13)),
          yield* sink.missingChunks(3),
          existsSync(report)
        ] as const
      })
    )
    expect(error).toMatchObject({
      _tag: "SinkError",
      operation: "complete",
      retryable: false,
      message: "12 of 13 chunks are not in the mirror all: 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"
    })
    expect(missing).toEqual([0, 2])
    expect(isReported).toBe(false)
  })

  it("replaces failures with later outcomes, and reports them after the others of their chunk", async () => {
    const [before, amended, after, lines] = await run((folder) =>
      Effect.gen(function* () {
        const report = join(folder, "report.ndjson")
        const sink = yield* open("one", report)
        yield* sink.write(chunk([found(a, '{"n":1}'), failed(b, 2), failed(c, 3)]))
        const before = yield* sink.failedIdentifiers(0)
        const amended = yield* sink.amend(chunk([found(b, '{"n":2}'), failed(c, 3)]))
        const after = yield* sink.failedIdentifiers(0)
        yield* sink.complete(1)
        return [before, amended, after, readFileSync(report, "utf8")] as const
      })
    )
    expect(before).toEqual([
      { text: b, line: 2 },
      { text: c, line: 3 }
    ])
    expect(amended).toMatchObject({ read: 3, found: 2, failed: 1, records: 2, duplicates: 0 })
    expect(after).toEqual([{ text: c, line: 3 }])
    expect(lines).toBe(`{"id":"${a}","change":"added"}\n{"id":"${b}","change":"added"}\n`)
  })

  it("needs the database of harvests", async () => {
    const error = await Effect.runPromise(Effect.flip(Effect.provide(open("one"), NodeServices.layer)))
    expect(error).toMatchObject({
      sink: "the mirror all",
      operation: "open",
      retryable: false,
      message:
        "the mirror all is stored in the database of harvests. Provide it with Database.layerSqlite or Database.withTables"
    })
  })
})

describe("a refresh", () => {
  const settings = (name: string, ids: ReadonlyArray<string>): Refresh.Settings => ({
    name,
    mirror: "all",
    source: Source.list(ids),
    fetch: { lookup: "details.byDtxsid", projection: "compact" }
  })

  it("requests identifiers that were checked a day ago or longer, unless another time is given", async () => {
    const counts = await run((folder) =>
      Effect.gen(function* () {
        yield* refresh(folder, "before", [found(a, '{"n":1}'), Outcome.missing(b, 2)])
        const dueAfter = (millis: number, name: string, olderThan?: number) =>
          Effect.gen(function* () {
            yield* TestClock.setTime(startedAt + millis)
            const { identifiers } = yield* Refresh.start({ ...settings(name, [a, b, c]), olderThan })
            yield* Harvest.cancel(name)
            return identifiers
          })
        return [
          yield* dueAfter(day, "after a day"),
          yield* dueAfter(day + 1, "after more than a day"),
          yield* dueAfter(10, "after less than a second", 10),
          yield* dueAfter(11, "after more than that", 10)
        ]
      })
    )
    expect(counts).toEqual([1, 3, 1, 3])
  })

  it("says in its status that its source has the due identifiers, and is the same harvest on a second start", async () => {
    const [status, again] = await run((folder) =>
      Effect.gen(function* () {
        yield* refresh(folder, "before", [found(a, '{"n":1}')])
        yield* Refresh.start(settings("due", [a, b]))
        yield* TestClock.adjust("2 days")
        return [yield* Harvest.status("due"), yield* Refresh.start(settings("due", [a, b]))] as const
      })
    )
    expect(status).toMatchObject({
      source: "the due identifiers of a list of 2",
      identifiers: 1,
      sink: { _tag: "Mirror", mirror: "all" }
    })
    expect(again).toMatchObject({ isNew: false, identifiers: 1 })
  })

  it("reads more records than a page has, sorted by identifier, and all records of an identifier", async () => {
    const ids = idsOf(1203)
    const records = await run((folder) =>
      Effect.gen(function* () {
        yield* refresh(
          folder,
          "many",
          ids.toReversed().map((id) => found(id, `{"id":"${id}","n":1}`, `{"id":"${id}","n":2}`))
        )
        return yield* Stream.runCollect(Stream.map(Refresh.records("all"), RawRecord.toText))
      })
    )
    expect(records).toEqual(ids.toSorted().flatMap((id) => [`{"id":"${id}","n":1}`, `{"id":"${id}","n":2}`]))
  })
})
