// Tests workers that differ: one whose loop fails, one that cannot read a harvest, one that lacks a lookup.
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fetch, Harvest } from "@chemstream/workflow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect } from "vitest"
import * as Chemicals from "./chemicalService.ts"
import { awaitWorker, expected, it, kill, longLease, pollUntil } from "./harvestFixture.ts"

const own = { plain: { call: async () => ({ records: [] }) } } satisfies Record<string, Fetch.OwnLookup>

/** Waits until a worker has recorded a sign of life. With a short lease, it may hold no shard on a busy machine. */
const awaitSign = (name: string): Effect.Effect<unknown, unknown, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`SELECT name FROM chemstream_workers WHERE name = ${name}`.pipe(
      Effect.tap((rows) => (rows.length > 0 ? Effect.void : Effect.sleep("50 millis"))),
      Effect.repeat({ until: (rows) => rows.length > 0 })
    )
  )

// One after the other, because each test starts up to two workers.
describe("a worker", { timeout: 300_000 }, () => {
  it.for([
    ["its loop fails", "1 hour", "the loop dies", "the loop is broken"],
    ["its loop hangs", "1 second", "the loop hangs", "its loop has hung for 5s. Start it again"],
    ["its first turn hangs", "1 second", "the loop hangs", "its loop has hung for 5s. Start it again"],
    [
      "its loop hangs and cannot be interrupted",
      "1 second",
      "the loop hangs for good",
      "its loop has hung for 5s. Start it again"
    ],
    [
      "it gets no shards",
      "1 second",
      "no shards",
      "it gets no shard of the harvests, although the database responds"
    ]
  ] as const)(
    "exits with the reason if %s, and another worker gets its shards at once",
    async ([what, lease, fault, reason], {
      harvests: { asClient, file, storedOutcomes, output, service, settings, startWorker }
    }) => {
      const ids = Chemicals.idsOf(200)
      const isFirst = what === "its first turn hangs"
      if (isFirst) writeFileSync(`${file}.fault`, fault)
      const broken = startWorker("broken", 0, service, lease)
      if (!isFirst) await asClient(awaitSign("broken"))
      writeFileSync(`${file}.fault`, fault)
      const [code] = await once(broken, "exit")
      rmSync(`${file}.fault`)
      expect(code).toBe(1)
      expect(output.get("broken")).toContain(`the worker broken stopped: ${reason}`)
      await asClient(Harvest.start(settings(ids)))
      startWorker("other", 0, service, longLease)
      expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
      expect(storedOutcomes()).toEqual(expected(ids))
    }
  )

  it("exits when it is told to stop, although its loop hangs and cannot be interrupted", async ({
    harvests: { asClient, file, output, service, startWorker }
  }) => {
    const broken = startWorker("broken", 0, service, "1 hour")
    await asClient(awaitSign("broken"))
    writeFileSync(`${file}.fault`, "the loop hangs for good")
    while (output.get("broken")?.includes("the loop hangs") !== true)
      await once(broken.stdout ?? broken, "data")
    broken.kill("SIGTERM")
    expect(await once(broken, "exit")).toEqual([130, null])
  })

  it("says that the database responds again only when all of its accesses do", async ({
    harvests: { asClient, output, service, settings, startWorker }
  }) => {
    const run = (statement: string) =>
      asClient(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))
    const worker = startWorker("only", 0, service, longLease)
    const warned = async (times: number): Promise<void> => {
      const warnings = () => output.get("only")?.match(/waiting: /g)?.length ?? 0
      while (warnings() < times) await once(worker.stdout ?? worker, "data")
    }
    await asClient(awaitWorker("only"))
    await run(
      "CREATE TRIGGER refused BEFORE UPDATE ON chemstream_workers BEGIN SELECT RAISE(ABORT, 'no writes'); END"
    )
    await warned(1)
    await run("ALTER TABLE chemstream_harvests RENAME TO hidden")
    await warned(2)
    await run("ALTER TABLE hidden RENAME TO chemstream_harvests")
    await run("DROP TRIGGER refused")
    await asClient(Harvest.start(settings(Chemicals.idsOf(20))))
    expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
    expect(output.get("only")?.match(/the database of harvests responds again/g)).toHaveLength(1)
  })

  it("delivers a message again that was read and lost", async ({
    harvests: { asClient, storedOutcomes, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(200)
    startWorker("only", 0, service, longLease)
    await asClient(awaitWorker("only"))
    // Every message has the mark of one whose reader has lost its connection.
    await asClient(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          CREATE TRIGGER lost AFTER INSERT ON cluster_messages
          BEGIN UPDATE cluster_messages SET last_read = CURRENT_TIMESTAMP WHERE id = NEW.id; END`
      )
    )
    await asClient(Harvest.start(settings(ids)))
    expect((await asClient(Harvest.awaitEnd("mirror"))).state).toBe("finished")
    expect(storedOutcomes()).toEqual(expected(ids))
  })

  it("of an older release leaves harvests that it cannot read to a newer one, and shares the others", async ({
    harvests: { asClient, folder, storedOutcomes, output, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(200)
    const later = Chemicals.idsOf(300).slice(200)
    const next = {
      ...settings(later),
      name: "next",
      sink: { _tag: "Table", target: `${join(folder, "next.sqlite")}#t` } as const
    }
    service.hold()
    const older = startWorker("older")
    await asClient(awaitWorker("older"))
    await asClient(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.andThen(
            Harvest.start(next),
            sql`UPDATE chemstream_harvests SET spec = json_set(spec, '$.priority', 1) WHERE name = 'next'`
          )
        )
      )
    )
    const { reason } = await asClient(pollUntil("next", ({ reason }) => reason !== undefined))
    expect(reason).toContain(
      "no running worker can do it: it was recorded by another release of chemstream, which this one cannot read"
    )
    expect((await asClient(Harvest.start(settings(ids)))).isNew).toBe(true)
    await service.received(4)
    const newer = startWorker("newer", 0, service, longLease, [], "next")
    await asClient(awaitWorker("newer"))
    service.release()
    expect(await asClient(Harvest.awaitEnd("mirror"))).toMatchObject({
      state: "finished",
      tally: { read: 200 }
    })
    const ended = await asClient(Harvest.awaitEnd("next"))
    expect(ended).toMatchObject({ state: "finished", fetch: undefined, tally: { read: 100 } })
    expect(ended.workers.map(({ name }) => name)).toEqual(["newer"])
    expect(storedOutcomes()).toEqual(expected(ids))
    expect((await asClient(Harvest.list)).map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
      "mirror finished",
      "next finished"
    ])
    expect(output.get("older")?.match(/the harvest "next" is left to other workers/g)).toHaveLength(1)
    expect(output.get("newer") ?? "").toBe("")
    await Promise.all([older, newer].map(kill))
  })

  it("without a lookup leaves its harvests to a worker that has it, and reports that", async ({
    harvests: { asClient, linesOf, output, service, settings, startWorker }
  }) => {
    const ids = Chemicals.idsOf(640)
    const start = Harvest.start({ ...settings(ids), fetch: { own: "plain" } })
    expect(await asClient(Effect.flip(start))).toMatchObject({ _tag: "UnknownLookup", name: "plain" })
    await asClient(Effect.provideService(start, Fetch.Lookups, own))
    const older = startWorker("older")
    await asClient(awaitWorker("older"))
    const { reason } = await asClient(pollUntil("mirror", ({ reason }) => reason !== undefined))
    expect(reason).toContain('no running worker can do it: this program has no lookup "plain"')
    const newer = startWorker("newer", 0, service, longLease, ["plain"])
    const ended = await asClient(Harvest.awaitEnd("mirror"))
    expect(ended).toMatchObject({ state: "finished", tally: { found: 640 } })
    expect(ended.workers.map(({ name }) => name)).toEqual(["newer"])
    expect(linesOf("records.ndjson")[0]).toMatchObject({ lookup: "plain" })
    expect(output.get("older")).toContain('the harvest "mirror" is left to other workers')
    await Promise.all([older, newer].map(kill))
  })
})
