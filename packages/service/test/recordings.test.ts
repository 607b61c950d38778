import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { folder, key, run, sendBatch } from "./testService.ts"

// Recorded responses of a public service with the same endpoints. They are in a folder beside the checkout, if
// present.
const recorded = join(import.meta.dirname, "../../../../shared/real/details-163.json")

it.skipIf(!existsSync(recorded))(
  "returns the recorded records as they were recorded (skipped without ../shared/real)",
  () =>
    run(
      Effect.gen(function* () {
        const database = join(yield* folder, "a.sqlite")
        const records: ReadonlyArray<{ readonly dtxsid: string }> = JSON.parse(readFileSync(recorded, "utf8"))
        const report = yield* Import.details({ database, files: [recorded] })
        expect(report).toMatchObject({ records: 163, replaced: 0 })
        const service = yield* Service.make({ database, keys: [Redacted.make(key)] })
        const response = yield* sendBatch(service, JSON.stringify(records.map(({ dtxsid }) => dtxsid)))
        const answered: ReadonlyArray<{ readonly dtxsid: string }> = JSON.parse(response.text)
        expect(byIdentifier(answered)).toEqual(byIdentifier(records))
      })
    )
)

const byIdentifier = <A extends { readonly dtxsid: string }>(records: ReadonlyArray<A>) =>
  records.toSorted((a, b) => (a.dtxsid < b.dtxsid ? -1 : 1))
