import { truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as readAhead from "../src/sqlite/internal/database/readAhead.ts"
import { databaseOf, folder, run } from "./testService.ts"

describe("reading ahead", () => {
  it("reads every table to its end, for any number of rows per query", () =>
    run(
      Effect.gen(function* () {
        const file = yield* databaseOf([
          '{"dtxsid":"DTXSID7020182","preferredName":"Bisphenol A"}',
          '{"dtxsid":"DTXSID9020112","preferredName":"Bisphenol B"}'
        ])
        const database = new DatabaseSync(file, { readOnly: true })
        for (const rows of [1, 2, 1000]) {
          const step = readAhead.reader(database, rows)
          const tables = new Set<number>()
          let place: readAhead.Position | undefined = readAhead.start
          for (let steps = 0; place !== undefined; steps++) {
            expect(steps).toBeLessThan(1000)
            tables.add(place.table)
            const next: readAhead.Position | undefined = step(place)
            if (next?.table === place.table) expect(next.after).toBeGreaterThan(place.after)
            place = next
          }
          expect(tables.has(0)).toBe(true)
        }
        database.close()
      })
    ))

  it("is worthwhile for large files, up to a multiple of the memory", () =>
    run(
      Effect.gen(function* () {
        const file = join(yield* folder, "sparse")
        writeFileSync(file, "")
        expect(readAhead.isWorthwhile(file)).toBe(false)
        truncateSync(file, 64 * 2 ** 20)
        expect(readAhead.isWorthwhile(file)).toBe(true)
        truncateSync(file, 2 ** 43)
        expect(readAhead.isWorthwhile(file)).toBe(false)
      })
    ))
})
