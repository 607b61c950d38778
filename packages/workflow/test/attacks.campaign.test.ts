// Tests harvests under attack: after each attack every identifier is stored once, and the status is true.
import { beforeEach, describe, expect, it } from "vitest"
import * as Attacks from "./attacks.ts"
import * as Chemicals from "./chemicalService.ts"
import * as TestPostgres from "./testPostgres.ts"

let postgres: TestPostgres.Postgres

beforeEach(async (test) => {
  postgres = await TestPostgres.forTest(test)
}, 120_000)

const isThorough = process.env["CHEMSTREAM_TIER"] === "thorough"

const attacks = Attacks.attacks.map((attack) => [attack.title, attack] as const)
const ofServer = attacks.filter(([, { isOfServer }]) => isOfServer === true)
const ofWorkers = attacks.filter(([, { isOfServer }]) => isOfServer !== true)

const ids = Chemicals.idsOf(Attacks.identifiers)

const expectWhole = async (_title: string, attack: Attacks.Attack): Promise<void> => {
  const from = Date.now()
  const { exits, found, isTrue, recovery, status, stored } = await Attacks.run(attack, postgres)
  if (isThorough) console.log(`${attack.title}: recovered after ${recovery.toFixed(1)} s`, ...exits)
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
  if (attack.keepsWorkers === true) expect(exits).toEqual([])
}

const title = "has every identifier once, and a true status: %s"

describe("a harvest under attack", { concurrent: true, timeout: 300_000 }, () => {
  it.each(isThorough ? ofWorkers : ofWorkers.slice(0, 3))(title, expectWhole)
})

describe("a harvest whose server is attacked", { timeout: 300_000 }, () => {
  it.skipIf(!isThorough).each(ofServer)(title, expectWhole)
})
