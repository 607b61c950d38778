import { join } from "node:path"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileOf, folder, key, run, send } from "./testService.ts"

/** Each run makes a database, imports into it up to four times, and starts a service. */
const runs = process.env["CHEMSTREAM_TIER"] === "thorough" ? 200 : 6

const manyNames = ["Octanal", "Nonanal", "Decanal", "Phenetole"]
const naming = fc.tuple(
  fc.constantFrom("DTXSID7020182", "DTXSID10873181", "DTXSID1026081", "DTXSID80895064", "DTXSID9020112"),
  fc.constantFrom(...manyNames)
)

describe("the index of names", { timeout: 600_000 }, () => {
  it("has the last names of each record, in any order and number of imports", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(naming, { minLength: 1, maxLength: 12 }), { maxLength: 3 }),
        (imports) =>
          run(
            Effect.gen(function* () {
              const directory = yield* folder
              const database = join(directory, "a.sqlite")
              const nameOf = new Map([["DTXSID7020182", "Bisphenol A"]])
              for (const namings of [[...nameOf], ...imports]) {
                for (const [dtxsid, preferredName] of namings) nameOf.set(dtxsid, preferredName)
                const records = namings.map(([dtxsid, preferredName]) =>
                  JSON.stringify({ dtxsid, preferredName })
                )
                yield* Import.details({
                  database,
                  files: [fileOf(directory, "a.ndjson", records.join("\n"))]
                })
              }
              const service = yield* Service.make({ database, keys: [Redacted.make(key)] })
              for (const name of manyNames) {
                const expected = [...nameOf].flatMap(([dtxsid, named]) => (named === name ? [dtxsid] : []))
                for (const kind of ["equal", "start-with", "contain"]) {
                  const { status, text } = yield* send(service, `/chemical/search/${kind}/${name}`)
                  const hits: ReadonlyArray<{ readonly dtxsid: string }> =
                    status === 200 ? JSON.parse(text) : []
                  expect([kind, name, hits.map(({ dtxsid }) => dtxsid)]).toEqual([
                    kind,
                    name,
                    expected.sort()
                  ])
                }
              }
            })
          )
      ),
      { numRuns: runs }
    ))
})
