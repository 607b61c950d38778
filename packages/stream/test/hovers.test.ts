/** What an editor shows about records, lookups and settings: names instead of lists of fields, meanings, units and defaults. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type LanguageServer, start } from "./languageServer.ts"

const program = `
import { Batch } from "@chemstream/batch"
import { type ChemClient, createClient } from "@chemstream/client"
import { Bioactivity, type Chemstream, Details, Enrich, Hazard, Lookup } from "@chemstream/stream"
import { NodeStream } from "@chemstream/stream/node"
import { Effect, Stream } from "effect"

declare const chemstream: Chemstream.Chemstream
const compact = Details.byDtxsid({ projection: "compact" })
const hazard = Hazard.toxval()
const named = Lookup.of("exposure.httk")
const joined = Enrich.lookup({ details: compact, hazard, data: Bioactivity.byDtxsid() })
const run = chemstream.lookup(["DTXSID7020182"], { endpoint: joined, batchSize: 5, validate: "strict", dedupe: false })
for await (const record of run.records()) {
  record.details?.monoisotopicMass
  record.hazard?.[0]?.toxvalUnits
  record.data?.[0]?.hitc
}
const detail = (await (await createClient({ baseUrl: "http://127.0.0.1:1" })).details.byDtxsid("DTXSID7020182"))
const settings: ChemClient.ConfigSettings = { retry: 3, timeouts: { headers: "5 seconds" } }
const lines = NodeStream.toLines(compact, { onProblem: () => {}, writableHighWaterMark: 4 })
const outcomes = Batch.outcomes(Stream.make("a"), { call: () => Effect.succeed({ records: [] }), concurrency: 2, ordered: false })
`

describe("An editor", () => {
  let server: LanguageServer
  beforeAll(async () => {
    server = await start(import.meta.dirname)
    server.open(program)
  })
  afterAll(() => server.stop())

  it.each([
    ["const compact", "const compact: Lookup.LookupOfOne<CompactDetails>"],
    ["const hazard", "const hazard: Lookup.LookupOfMany<ToxicityValue>"],
    ["const named", "const named: Lookup.LookupOfMany<ToxicokineticParameter>"],
    ["const joined", "details: Lookup.LookupOfOne<CompactDetails>"],
    ["const detail ", "const detail: AllDetails"]
  ])("names the records of `%s`", async (part, shown) => {
    const hover = await server.hover(part.trimEnd())
    expect(hover).toContain(shown)
    expect(hover).not.toContain("readonly dtxsid")
  })

  it.each([
    ["record.details?.monoisotopicMass", "Monoisotopic mass, dalton"],
    ["?.[0]?.toxvalUnits", "Unit of the value, e.g. mg/kg-day or mg/L"],
    ["?.[0]?.hitc", "Continuous hit call, active from 0.9"]
  ])("shows the meaning and the unit of `%s`", async (part, meaning) => {
    expect(await server.hover(part)).toContain(meaning)
  })

  it.each([
    ["Details.byDtxsid", "Looks up the chemical detail records of substances"],
    ["chemstream.lookup", "Looks up identifiers. Nothing is sent until the run is iterated."],
    ["{ projection", "Default: `chemicaldetailall`"],
    ["{ endpoint", "A lookup by its name"],
    ["batchSize", "The largest number of identifiers in one call"],
    ["validate", "Default: `warn`"],
    ["dedupe", "Default: true for texts, false for items"],
    ["retry", "Default: `RetryPolicy.defaultPolicy`"],
    ["timeouts", "Default:"],
    ["{ headers", "Default:"],
    ["onProblem", "Called with each outcome other than `Found`"],
    ["writableHighWaterMark", "Default: "],
    ["concurrency", "The largest number of calls in flight"],
    ["ordered", "Default: true"]
  ])("shows what `%s` is, and its default", async (part, meaning) => {
    expect((await server.hover(part)).replace(/\s+/g, " ")).toContain(meaning)
  })
})
