/** The families of the public service where a response is more than the records of its key. */
import { join } from "node:path"
import { Fate, Hazard, Lists, Properties, type Row } from "@chemstream/api"
import { Import, Service } from "@chemstream/service"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { fileOf, folder, key, run } from "../testService.ts"

/** Serves the records of a row, and requests paths. */
const responses = (
  row: Row.Row,
  records: ReadonlyArray<string>,
  paths: ReadonlyArray<string>,
  pageSize?: number
): Promise<ReadonlyArray<{ readonly status: number; readonly text: string }>> =>
  run(
    Effect.gen(function* () {
      const directory = yield* folder
      const database = join(directory, "chemicals.sqlite")
      const files = [fileOf(directory, "records.ndjson", records.join("\n"))]
      yield* Import.rowRecords(row, { database, files, anyFields: true })
      const { url } = yield* Service.make({ database, keys: [Redacted.make(key)], pageSize })
      return yield* Effect.forEach(paths, (path) =>
        Effect.promise(async () => {
          const response = await fetch(`${url}${path}`, { headers: { "x-api-key": key } })
          return { status: response.status, text: await response.text() }
        })
      )
    })
  )

const substance = "DTXSID9099800001"

const compact = (text: string): string => text.replaceAll(/\s+/g, "")

describe("the values in the summary of one property", () => {
  const query = `?dtxsid=${substance}&propName=`

  it.each([
    ["predicted", Properties.predicted],
    ["experimental", Properties.experimental]
  ] as const)(
    "are those of the %s values, with their text and the fields of a summary",
    async (kind, row) => {
      const site = kind === "predicted" ? "" : ',"expDetailsResponseSite":"Liver"'
      const records = [
        `{"id":1,"dtxsid":"${substance}","propName":"Density","propValue":1.0500,"sourceName":"S"${site}}`,
        `{"id":2,"dtxsid":"${substance}","propName":"Flash Point","propValue":80,"sourceName":"S"}`
      ]
      const path = `/chemical/property/summary/${kind}/search/`
      const [density, unknown] = await responses(row, records, [`${path}${query}Density`, `${path}${query}X`])
      expect(compact(density?.text ?? "")).toBe(
        `[{"propValue":1.0500,"sourceName":"S","sourceDescription":null,"publicSourceUrl":null,"directUrl":null,"responseSite":${kind === "predicted" ? "null" : '"Liver"'},"speciesLatin":null,"availability":null,"showLink":null}]`
      )
      expect(compact(unknown?.text ?? "")).toBe("[]")
    }
  )

  it("are those of the fate record", async () => {
    const value = (number: string) => `{"prop_value":${number},"source_name":"S","prop_unit":"L/kg"}`
    const record = `{"dtxsid":"${substance}","properties":[{"propName":"BCF","experimentalFateData":[],"predictedFateData":[${value("2.0")},${value("3.0")}]}]}`
    const paths = ["predicted", "experimental"].map(
      (kind) => `/chemical/fate/summary/${kind}/search/${query}BCF`
    )
    const [predicted, experimental] = await responses(Fate.byDtxsid, [record], paths)
    expect(JSON.parse(predicted?.text ?? "")).toMatchObject([
      { propValue: 2, sourceName: "S", responseSite: null },
      { propValue: 3, sourceName: "S" }
    ])
    expect(predicted?.text).toContain("2.0")
    expect(predicted?.text).not.toContain("prop_")
    expect(compact(experimental?.text ?? "")).toBe("[]")
  })
})

describe("a list", () => {
  const record = `{"id":1,"listName":"Example1","type":"other","dtxsids":"${substance}"}`

  it("is found by its name in any case, with its own spelling", async () => {
    const path = "/chemical/list/search/by-name/"
    const [own, upper, unknown] = await responses(
      Lists.all,
      [record],
      [`${path}Example1`, `${path}EXAMPLE1`, `${path}EXAMPLE2`]
    )
    expect(JSON.parse(own?.text ?? "")).toMatchObject({ listName: "Example1" })
    expect(upper).toEqual(own)
    expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining("EXAMPLE2 not found") })
  })
})

describe("a page of the studies of a type", () => {
  const records = Array.from(
    { length: 2001 },
    (_, id) => `{"id":${id},"dtxsid":"${substance}","studyId":${id % 7},"studyType":"DEV"}`
  )
  const path = "/hazard/toxref/effects/search/by-study-type/DEV?pageNumber="
  const pageOf = (text = "{}") => {
    const { data, ...page } = JSON.parse(text)
    return { ...page, length: data.length }
  }

  it("has at most 10,000 records, as the public service", async () => {
    const [first, second] = await responses(Hazard.toxrefEffects, records, [`${path}1`, `${path}2`])
    const page = { studyType: "DEV", totalRecords: 2001, totalPages: 1 }
    expect(pageOf(first?.text)).toEqual({ ...page, recordsOnPage: 2001, pageNumber: 1, length: 2001 })
    expect(pageOf(second?.text)).toEqual({ ...page, recordsOnPage: 0, pageNumber: 2, length: 0 })
  })

  it("has the size of the option `pageSize`", async () => {
    const [third] = await responses(Hazard.toxrefEffects, records, [`${path}3`], 1000)
    expect(pageOf(third?.text)).toMatchObject({ recordsOnPage: 1, totalPages: 3, length: 1 })
  })
})
