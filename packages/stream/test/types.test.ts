/**
 * The types of calls and results. `tsc` checks this file; running it proves nothing more.
 */
import { DetailRecord } from "@chemstream/api"
import { ChemClient } from "@chemstream/client"
import { RawRecord, Transform } from "@chemstream/ndjson"
import {
  BatchCalls,
  Bioactivity,
  type Chemstream,
  Crawl,
  Details,
  Enrich,
  Identifiers,
  Lookup,
  type MsReady,
  type Outcome,
  Resolve,
  Search as SearchLookups,
  Suspects,
  Synonyms,
  TopActivity
} from "@chemstream/stream"
import { NodeStream } from "@chemstream/stream/node"
import { Result, Stream } from "effect"
import { describe, expectTypeOf, it } from "vitest"

interface Row {
  readonly peak: number
  readonly dtxsid: string
}
declare const chemstream: Chemstream.Chemstream
type JoinedOf<L> = L extends Lookup.Lookup<RawRecord.RawRecord<infer A>, unknown> ? A : never
const rows: ReadonlyArray<Row> = []
const row = { id: (one: Row) => one.dtxsid, carried: (one: Row) => one }
/** Checked by the compiler, never run. */
const compiled = (_: () => unknown): void => {}

describe("The types of a record", () => {
  it("have the fields of its projection, in any dialect, and no others", () => {
    compiled(async () => {
      const ids = ["DTXSID7020182"]
      const compact = chemstream.lookup(ids, { endpoint: "details.byDtxsid", projection: "compact" })
      for await (const record of compact.records()) {
        expectTypeOf(record.preferredName).toEqualTypeOf<string | null | undefined>()
        // @ts-expect-error a misspelt field
        record.preferedNmae
        // @ts-expect-error a field of other projections
        record.density
      }
      for await (const record of chemstream.lookup(ids, { endpoint: "details.byDtxsid" }).records()) {
        // Fields that only the public service sends.
        expectTypeOf(record.density).toEqualTypeOf<number | null | undefined>()
        expectTypeOf(record.toxcastSelect).toEqualTypeOf<string | null | undefined>()
        // @ts-expect-error a misspelt field
        record.toxCastSelect
      }
    })
  })

  it("are those of the requested endpoint", () => {
    compiled(async () => {
      const run = chemstream.lookup([], { endpoint: "msready.byMass", tolerance: 0.01 })
      expectTypeOf(run.records()).toEqualTypeOf<AsyncIterable<MsReady.Substance>>()
      // @ts-expect-error no projection of these records
      chemstream.lookup([], { endpoint: "msready.byMass", projection: "compact" })
      // @ts-expect-error the tissue is missing
      chemstream.lookup([], { endpoint: "bioactivity.summaryByTissue" })
      // @ts-expect-error no such endpoint
      chemstream.lookup([], { endpoint: "details.byName" })
      // @ts-expect-error no such projection
      chemstream.lookup([], { endpoint: "details.byDtxsid", projection: "compactt" })
      // @ts-expect-error no such option
      chemstream.lookup([], { endpoint: "details.byDtxsid", concurency: 4 })
      // @ts-expect-error one text is no list
      chemstream.lookup("DTXSID7020182", { endpoint: "details.byDtxsid" })
      // @ts-expect-error items need to say where their identifier is
      chemstream.lookup(rows, { endpoint: "details.byDtxsid" })
    })
  })

  it("are known for raw records, too", () => {
    const lookup = Details.byDtxsid({ projection: "compact" })
    expectTypeOf(lookup).toExtend<Lookup.Lookup<RawRecord.RawRecord>>()
    compiled((record = {} as Lookup.RecordOf<typeof lookup>) => {
      expectTypeOf(RawRecord.value(record, "monoisotopicMass")).toEqualTypeOf<number | null | undefined>()
      // @ts-expect-error a misspelt field
      RawRecord.value(record, "monoisotopicMas")
      const any: RawRecord.RawRecord = record
      RawRecord.value(any, "a field that the contract does not name")
    })
  })
})

describe("The types of joined records", () => {
  const lookup = Enrich.lookup({
    details: Details.byDtxsid({ projection: "compact" }),
    synonyms: Lookup.of("synonyms.byDtxsid"),
    rated: Lookup.of("synonyms.byDtxsid", { projection: "ccd-synonyms" }),
    data: Bioactivity.byDtxsid(),
    named: SearchLookups.equalBatch(),
    activity: TopActivity.lookup(),
    chosen: Details.byDtxsid({ projection: "compact" as "compact" | "ccdassaydetails" }),
    any: Details.byDtxsid() as Lookup.Lookup<RawRecord.RawRecord<{ readonly id: number }>>
  })

  it("have a record where a lookup has one, and a list where it may have several", () => {
    compiled(async () => {
      for await (const record of chemstream.lookup([], { endpoint: lookup }).records()) {
        expectTypeOf(record.query).toEqualTypeOf<string>()
        expectTypeOf(record.details?.preferredName).toEqualTypeOf<string | null | undefined>()
        expectTypeOf(record.synonyms?.pcCode).not.toBeAny()
        expectTypeOf(record.rated?.[0]?.quality).toEqualTypeOf<string | null | undefined>()
        expectTypeOf(record.data?.[0]?.aeid).toEqualTypeOf<number | null | undefined>()
        expectTypeOf(record.named?.length).toEqualTypeOf<number | undefined>()
        expectTypeOf(record.activity?.activeEndpoints).toEqualTypeOf<number | undefined>()
        // @ts-expect-error the lookup has one record
        record.details?.[0]
        // @ts-expect-error the lookup has several records
        record.data?.aeid
        // @ts-expect-error a lookup of unknown multiplicity
        record.any?.id
        // @ts-expect-error its multiplicity depends on the projection
        record.chosen?.dtxsid
      }
    })
  })

  it("are read in transforms", () => {
    compiled((records = Stream.empty as Stream.Stream<JoinedOf<typeof lookup>>) =>
      records.pipe(
        Transform.filter((record) => record.details?.preferredName !== null),
        Transform.filter("data", (data) => data !== null && data.length > 1)
      )
    )
  })

  it("stay a lookup of any records", () => {
    expectTypeOf(Details.byDtxsid()).toExtend<Lookup.Lookup<RawRecord.RawRecord>>()
    expectTypeOf(lookup).toExtend<Lookup.Lookup<RawRecord.RawRecord, Enrich.Incomplete>>()
  })
})

describe("The functions on streams", () => {
  it("have the same result with the stream first and in a pipe", () => {
    const ids = Stream.fromIterable(rows).pipe(Identifiers.fromItems(row))
    const parts = { details: Details.byDtxsid() }
    const settings = {
      parse: (text: string) => Result.succeed(text),
      call: async (_: ReadonlyArray<string>) => ({ records: [{ key: "a", record: 1 }] })
    }
    const crawl = { search: SearchLookups.equal(), lookup: Details.byDtxsid() }
    expectTypeOf(Enrich.outcomes(ids, parts)).toEqualTypeOf(ids.pipe(Enrich.outcomes(parts)))
    expectTypeOf(Lookup.outcomes(ids, parts.details)).toEqualTypeOf(ids.pipe(Lookup.outcomes(parts.details)))
    expectTypeOf(Lookup.batches(ids, parts.details)).toEqualTypeOf(ids.pipe(Lookup.batches(parts.details)))
    expectTypeOf(Resolve.outcomes(ids)).toEqualTypeOf(ids.pipe(Resolve.outcomes()))
    expectTypeOf(Suspects.outcomes(ids)).toEqualTypeOf(ids.pipe(Suspects.outcomes()))
    expectTypeOf(Crawl.outcomes(ids, crawl)).toEqualTypeOf(ids.pipe(Crawl.outcomes(crawl)))
    expectTypeOf(BatchCalls.outcomes(ids, settings)).toEqualTypeOf(ids.pipe(BatchCalls.outcomes(settings)))
    expectTypeOf(BatchCalls.batches(ids, settings)).toEqualTypeOf(ids.pipe(BatchCalls.batches(settings)))
    expectTypeOf(Identifiers.fromItems(Stream.fromIterable(rows), row)).toEqualTypeOf(ids)
  })

  it("have the form of a pipe last, which inference reads", () => {
    // TypeScript infers from the last signature of a function.
    expectTypeOf<Parameters<typeof Enrich.outcomes>[0]>().toEqualTypeOf<Enrich.Parts>()
    expectTypeOf<Parameters<typeof Resolve.outcomes>[0]>().toEqualTypeOf<Resolve.Options | undefined>()
    expectTypeOf<Parameters<typeof Suspects.outcomes>[0]>().toEqualTypeOf<Suspects.Options | undefined>()
    expectTypeOf<Parameters<typeof Identifiers.fromItems>[0]>().toEqualTypeOf<
      Identifiers.ItemReader<unknown, unknown>
    >()
    expectTypeOf<Parameters<typeof Lookup.outcomes>["length"]>().toEqualTypeOf<1 | 2>()
    expectTypeOf<Parameters<typeof Crawl.outcomes>["length"]>().toEqualTypeOf<1>()
    expectTypeOf<Parameters<typeof BatchCalls.outcomes>["length"]>().toEqualTypeOf<1>()
    expectTypeOf<Parameters<typeof BatchCalls.batches>["length"]>().toEqualTypeOf<1>()
  })
})

describe("The records of a test", () => {
  it("have the fields of the records of their row", () => {
    ChemClient.layerTest({
      records: {
        "details.byDtxsid": { DTXSID7020182: { preferredName: "Bisphenol A" } },
        "bioactivity.byDtxsid": { DTXSID7020182: [{ aeid: 3 }] }
      }
    })
    const name = "preferredName"
    // @ts-expect-error a misspelt field
    ChemClient.layerTest({ records: { "details.byDtxsid": { a: { preferedName: "Bisphenol A" } } } })
    // @ts-expect-error a number instead of a text
    ChemClient.layerTest({ records: { "details.byDtxsid": { a: { [name]: 5 } } } })
    // @ts-expect-error a field of another row
    ChemClient.layerTest({ records: { "synonyms.byDtxsid": { a: { preferredName: "Bisphenol A" } } } })
    // @ts-expect-error a misspelt row
    compiled(() => ChemClient.layerTest({ records: { "details.byDtxid": {} } }))
    // @ts-expect-error a row with keys needs an object
    compiled(() => ChemClient.layerTest({ records: { "details.byDtxsid": [{}] } }))
  })
})

describe("The type of carried data", () => {
  it("is that of the identifier in its outcome", () => {
    const outcomes = Stream.fromIterable(rows).pipe(
      Identifiers.fromItems(row),
      Lookup.outcomes(Details.byDtxsid())
    )
    type One = Extract<Stream.Success<typeof outcomes>, Outcome.Missing>
    expectTypeOf<One["carried"]>().toEqualTypeOf<Row>()
  })

  it("is kept in a run and a Node stream", () => {
    compiled(async () => {
      const run = chemstream.lookup(rows, { endpoint: "details.byDtxsid", ...row })
      const node = NodeStream.toTransform(Details.byDtxsid(), row)
      for await (const outcome of run) {
        if (outcome._tag === "Found") expectTypeOf(outcome.carried).toEqualTypeOf<Row>()
      }
      for await (const outcome of node) {
        if (outcome._tag === "Found") expectTypeOf(outcome.carried).toEqualTypeOf<Row>()
      }
      node.write({ peak: 1, dtxsid: "DTXSID7020182" })
      // @ts-expect-error no row
      node.write({ peak: 1 })
      // @ts-expect-error identifiers are texts
      NodeStream.toTransform(Details.byDtxsid(), {}).write(7)
    })
  })
})

describe("Lookup.decode", () => {
  it("accepts only a schema whose fields the records can have", () => {
    const { schemas } = DetailRecord
    expectTypeOf(Lookup.decode(Details.byDtxsid({ projection: "compact" }), schemas.compact)).toEqualTypeOf<
      Lookup.Lookup<DetailRecord.DetailRecord<"compact">>
    >()
    // @ts-expect-error the schema of another projection
    Lookup.decode(Details.byDtxsid({ projection: "compact" }), schemas.chemicalstructure)
    // @ts-expect-error the schema of another endpoint
    Lookup.decode(Synonyms.byDtxsid(), schemas.compact)
  })
})
