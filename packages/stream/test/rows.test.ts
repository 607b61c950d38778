/** Every row of the caller has its outcome, also if its identifier occurred before. */
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { PromiseClient } from "@chemstream/client"
import { BatchCalls, createChemstream, Details, Identifiers, Ledger, Lookup } from "@chemstream/stream"
import { createChemstream as createNodeChemstream, NodeStream } from "@chemstream/stream/node"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse } from "./batchRuns.ts"
import { collect, type ManualService, startWithRecords } from "./streamService.ts"

interface Row {
  readonly peak: number
  readonly id: string
}

const idOf = (index: number): string => `DTXSID${1_000_000 + index}`

const rows: ReadonlyArray<Row> = [0, 1, 0, 2, 1, 0].map((index, peak) => ({ peak, id: idOf(index) }))
const expected = rows.map(({ id, peak }) => [id, peak])
const reader = { id: (row: Row) => row.id, carried: (row: Row) => row.peak }
const endpoint = "details.byDtxsid"

type Joined = (
  service: ManualService
) => Promise<ReadonlyArray<{ readonly id: unknown; readonly carried: unknown }>>

const ways: ReadonlyArray<readonly [string, Joined]> = [
  [
    "a lookup of createChemstream",
    async ({ client }) => {
      await using chemstream = await createChemstream(client)
      const run = chemstream.lookup(rows, { endpoint, ...reader })
      const outcomes = await collect(run)
      expect(run.ledger).toMatchObject({ read: 6, found: 6, duplicates: 0 })
      return outcomes
    }
  ],
  [
    "a loop with a checkpoint",
    async ({ client }) => {
      await using chemstream = await createNodeChemstream(client)
      const checkpoint = join(await mkdtemp(join(tmpdir(), "rows-")), "loop.checkpoint")
      return await collect(chemstream.lookup(rows, { endpoint, ...reader, checkpoint }))
    }
  ],
  [
    "a Node stream",
    async ({ client }) =>
      collect(Readable.from(rows).compose(NodeStream.toTransform(Details.byDtxsid(), { client, ...reader })))
  ],
  [
    "Lookup.outcomes",
    ({ client }) =>
      Stream.fromIterable(rows).pipe(
        Identifiers.fromItems(reader),
        Lookup.outcomes(Details.byDtxsid()),
        Stream.runCollect,
        Effect.provide(PromiseClient.layer(client)),
        Effect.runPromise
      )
  ]
]

describe("Rows with a repeated identifier", () => {
  it.each(ways)("each have their outcome, and share one request, in %s", async (_, joined) => {
    await using service = await startWithRecords()
    const outcomes = await joined(service)
    expect(outcomes.map(({ carried, id }) => [id, carried])).toEqual(expected)
    expect(service.requests.map(({ ids }) => ids)).toEqual([[idOf(0), idOf(1), idOf(2)]])
  })

  it("each have their record in the file of a saved run", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createNodeChemstream(service.client)
    const output = join(await mkdtemp(join(tmpdir(), "rows-")), "records.ndjson")
    const ledger = await chemstream.save(rows, output, { endpoint, ...reader })
    expect(ledger).toMatchObject({ read: 6, found: 6, duplicates: 0, records: 6 })
    const ids = (await readFile(output, "utf8")).trimEnd().split("\n")
    expect(ids.map((line) => JSON.parse(line).dtxsid)).toEqual(rows.map(({ id }) => id))
  })

  it("are duplicates when dedupe is true", async () => {
    await using service = await startWithRecords()
    await using chemstream = await createChemstream(service.client)
    const run = chemstream.lookup(rows, { endpoint, ...reader, dedupe: true })
    expect((await collect(run)).map(({ carried }) => carried)).toEqual([0, 1, 3])
    expect(run.ledger).toMatchObject({ read: 6, found: 3, duplicates: 3 })
  })

  it("have one outcome each in the order of the input, for any rows and batch size", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c", "!", "!!"), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (texts, size, hasData) => {
          const ledger = Ledger.make()
          const requested: Array<ReadonlyArray<string>> = []
          const outcomes = await Stream.fromIterable(texts).pipe(
            Identifiers.fromItems({
              id: (text: string) => text,
              ...(hasData ? { carried: (text: string) => text } : {})
            }),
            BatchCalls.outcomes({
              parse,
              call: async (ids) => {
                requested.push(ids)
                return { records: ids.map((id) => ({ key: id, record: id })) }
              },
              size,
              ledger
            }),
            Stream.runCollect,
            Effect.runPromise
          )
          expect(outcomes.map(({ id, line }) => [id, line])).toEqual(texts.map((text, at) => [text, at + 1]))
          expect(ledger).toMatchObject({ read: texts.length, duplicates: 0 })
          for (const ids of requested) expect(new Set(ids).size).toBe(ids.length)
        }
      )
    ))
})
