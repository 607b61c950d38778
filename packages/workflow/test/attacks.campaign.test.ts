// Tests harvests under attack: after each attack every identifier is stored once, and the status is true.
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Attacks from "./attacks.ts"
import * as Chemicals from "./chemicalService.ts"
import * as Postgres from "./postgres.ts"

let postgres: Postgres.Postgres

beforeAll(async () => {
  postgres = await Postgres.start()
}, 120_000)

afterAll(() => postgres?.stop())

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

/** All attacks in the thorough tier, else the first two. */
const attacks = isThorough ? Attacks.attacks : Attacks.attacks.slice(0, 2)

const ids = Chemicals.idsOf(Attacks.identifiers)

describe("a harvest under attack", () => {
  it.each(attacks.map((attack) => [attack.title, attack] as const))(
    "has every identifier once, and a true status: %s",
    { timeout: 300_000 },
    async (title, attack) => {
      const from = Date.now()
      const { exits, found, isTrue, recovery, status, stored } = await Attacks.run(attack, postgres)
      if (isThorough) console.log(`${title}: recovered after ${recovery.toFixed(1)} s`, ...exits)
      expect(stored).toEqual(ids.toSorted())
      expect(found).toEqual(ids.filter(Chemicals.isKnown).toSorted())
      const half = ids.length / 2
      expect(status).toMatchObject({
        state: "finished",
        reason: undefined,
        inFlight: 0,
        chunksDone: status.chunks,
        tally: { read: ids.length, found: half, missing: half, failed: 0, invalid: 0, duplicates: 0 }
      })
      expect(status.endedAt).toBeGreaterThanOrEqual(from)
      expect(status.endedAt).toBeLessThanOrEqual(Date.now())
      expect(isTrue).toBe(true)
    }
  )

  it("lets a worker stop whose connections are silent", async () => {
    const attack: Attacks.Attack = {
      title: "stop",
      begin: async ({ proxy, startWorker, workers }) => {
        proxy.silence("both")
        const exits = workers.map(({ process }) => once(process, "exit"))
        for (const { process } of workers) process.kill("SIGTERM")
        await Promise.all(exits)
        startWorker()
      }
    }
    expect((await Attacks.run(attack, postgres)).status.state).toBe("finished")
  })
})
