/**
 * Compares the contract with a table written by hand: endpoints, limits and fields (docs/service.md, sections 3 to 5).
 *
 * That page is generated from the contract, this table is not. `ours` marks an undocumented limit.
 */
import { BatchLimit, ChemicalApi, DetailProjection } from "@chemstream/api"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Context, Option } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"

const fields = {
  identity: "id dtxsid dtxcid casrn preferredName iupacName compoundId genericSubstanceId",
  structure:
    "smiles msReadySmiles qsarReadySmiles inchiString inchikey descriptorStringTsv hasStructureImage isMarkush isotope multicomponent",
  stereo: "stereo",
  formula: "molFormula monoisotopicMass",
  averageMass: "averageMass",
  quality: "qcLevel qcLevelDesc qcNotes",
  assays: "activeAssays totalAssays percentAssays assaySelect",
  sources:
    "cpdataCount sourcesCount extdbCount extdbCid pubmedCount relatedSubstanceCount relatedStructureCount pprtvLink irisLink encyclopediaArticle",
  exposure: "expocat nhanes expocatMedianPrediction toxvalData",
  properties:
    "hrFatheadMinnow hrDiphniaLc50 pkabOperaPred pkaaOperaPred surfaceTension devtoxTestPred henrysLawAtm oralRatLd50Mol density operaKmDaysOperaPred waterSolubilityOpera waterSolubilityTest octanolWaterPartition flashPointDegcTestPred viscosityCpCpTestPred thermalConductivity tetrahymenaPyriformis biodegradationHalfLifeDays vaporPressureMmhgOperaPred vaporPressureMmhgTestPred atmosphericHydroxylationRate bioconcentrationFactorOperaPred bioconcentrationFactorTestPred octanolAirPartitionCoeff meltingPointDegcOperaPred meltingPointDegcTestPred soilAdsorptionCoefficient boilingPointDegcOperaPred boilingPointDegcTestPred amesMutagenicityTestPred"
}

const projections = {
  chemicalidentifier: "preferredName iupacName inchikey dtxcid dtxsid casrn",
  chemicalstructure:
    "id preferredName msReadySmiles inchiString inchikey qsarReadySmiles smiles dtxcid dtxsid casrn hasStructureImage",
  ntatoolkit:
    "preferredName activeAssays cpdataCount molFormula percentAssays totalAssays sourcesCount msReadySmiles inchikey smiles dtxcid dtxsid casrn monoisotopicMass expocat nhanes expocatMedianPrediction",
  chemicaldetailall: [
    fields.identity,
    fields.structure,
    fields.formula,
    fields.quality,
    fields.assays,
    fields.sources
  ].join(" "),
  ccdchemicaldetails: Object.values(fields).join(" ")
}

const detail = [Object.values(fields).join(" ")]
const standard2 =
  "id preferredName molFormula averageMass qcLevelDesc iupacName inchiString inchikey smiles qcLevel dtxsid casrn monoisotopicMass"
const hit =
  "dtxsid dtxcid casrn smiles preferredName searchName searchValue rank hasStructureImage isMarkush searchMsgs suggestions isDuplicate"
const synonyms = "beilstein alternateCasrn dtxsid pcCode deletedCasrn other valid good"
const counts = "activeMc totalMc activeSc totalSc"
const data = [
  "m4id m5id aeid chid fitc nconc npts modelType chidRep tmpi nmedGtbl spid casn chnm dtxsid modl stkcUnit testedConcUnit bmad respMax respMin maxMean maxMeanConc maxMed maxMedConc logcMax logcMin nrep hitc coff actp stkc mc3Param mc4Param mc5Param mc6Param"
]
const plot = "dtxsid aeid m4id spid modl hitc coff top ac50 logcMin logcMax"
const aed = [
  "dtxsid preferredName aenm aeid aedVal aedType httkModel aedValUnit httkVersion potencyValType invitrodbVersion interindividualVarPerc"
]

interface Row {
  readonly endpoint: string
  /** The maximum number of values in a batch, and the status of a larger one. */
  readonly limit?: string
  readonly query?: string
  /** The shapes of the response: field names in order, `string`, `integer`, or `map` for an object with any keys. */
  readonly response: ReadonlyArray<string>
  readonly type?: string
}

const json = "application/json"
const hal = "application/hal+json"

const rows: ReadonlyArray<Row> = [
  // 3.1
  { endpoint: "GET /chemical/detail/search/by-dtxsid/{dtxsid}", query: "projection", response: detail },
  {
    endpoint: "POST /chemical/detail/search/by-dtxsid/",
    query: "projection",
    limit: "1000, then 413",
    response: detail
  },
  { endpoint: "GET /chemical/detail/search/by-dtxcid/{dtxcid}", query: "projection", response: detail },
  {
    endpoint: "POST /chemical/detail/search/by-dtxcid/",
    query: "projection",
    limit: "1000, then 400",
    response: detail
  },
  { endpoint: "GET /chemical/all", query: "next projection", response: [standard2, "id dtxcid dtxsid"] },
  // 3.2
  { endpoint: "GET /chemical/search/equal/{word}", response: [hit] },
  { endpoint: "GET /chemical/search/start-with/{word}", response: [hit] },
  { endpoint: "GET /chemical/search/contain/{word}", response: [hit] },
  {
    endpoint: "POST /chemical/search/equal/",
    limit: "200, then 413",
    response: [hit]
  },
  { endpoint: "GET /chemical/search/by-exact-formula/{formula}", response: ["string"] },
  { endpoint: "GET /chemical/search/by-msready-formula/{formula}", response: ["string"] },
  { endpoint: "GET /chemical/count/by-exact-formula/{formula}", response: ["integer"], type: hal },
  { endpoint: "GET /chemical/count/by-msready-formula/{formula}", response: ["integer"], type: hal },
  // 3.3
  { endpoint: "GET /chemical/msready/search/by-dtxcid/{dtxcid}", response: ["string"] },
  {
    endpoint: "POST /chemical/msready/search/by-dtxcid/",
    limit: "1000, then 413, ours",
    response: ["map", "any"]
  },
  { endpoint: "GET /chemical/msready/search/by-formula/{formula}", response: ["string"] },
  { endpoint: "GET /chemical/msready/search/by-mass/{start}/{end}", response: ["string"] },
  { endpoint: "POST /chemical/msready/search/by-mass/", limit: "1000, then 413, ours", response: ["map"] },
  // 3.4
  {
    endpoint: "GET /chemical/synonym/search/by-dtxsid/{dtxsid}",
    query: "projection",
    response: [synonyms, "synonym quality"]
  },
  { endpoint: "POST /chemical/synonym/search/by-dtxsid/", limit: "1000, then 413", response: [synonyms] },
  // 3.5
  {
    endpoint: "GET /bioactivity/data/summary/search/by-tissue/",
    query: "dtxsid tissue",
    response: orArrayOfOne(
      "intendedTargetFamily dtxsid tissue maxMedConc continuousHitCall chemicalName hitCall cutOff logAC50 ac50 acc"
    )
  },
  {
    endpoint: "GET /bioactivity/data/summary/search/by-dtxsid/{dtxsid}",
    response: [
      `dtxsid ${counts} cytotoxMedianRaw cytotoxMad globalMad cytotoxMedianLog cytotoxMedianUm cytotoxLowerUm cytotoxLowerLog ntested nhit`
    ]
  },
  {
    endpoint: "GET /bioactivity/data/summary/search/by-aeid/{aeid}",
    response: [`aeid ${counts}`]
  },
  { endpoint: "GET /bioactivity/data/search/by-spid/{spid}", response: data },
  { endpoint: "GET /bioactivity/data/search/by-m4id/{m4id}", response: orArrayOfOne(data[0] ?? "") },
  {
    endpoint: "GET /bioactivity/data/search/by-dtxsid/{dtxsid}",
    query: "projection",
    response: [...data, plot]
  },
  { endpoint: "GET /bioactivity/data/search/by-aeid/{aeid}", response: data },
  { endpoint: "GET /bioactivity/data/aed/search/by-dtxsid/{dtxsid}", response: aed },
  { endpoint: "POST /bioactivity/data/search/by-spid/", limit: "1000, then 413, ours", response: data },
  { endpoint: "POST /bioactivity/data/search/by-m4id/", limit: "1000, then 413, ours", response: data },
  { endpoint: "POST /bioactivity/data/search/by-dtxsid/", limit: "1000, then 413, ours", response: data },
  { endpoint: "POST /bioactivity/data/search/by-aeid/", limit: "1000, then 413, ours", response: data },
  { endpoint: "POST /bioactivity/data/aed/search/by-dtxsid", limit: "1000, then 413, ours", response: aed }
]

const document = OpenApi.fromApi(ChemicalApi.ChemicalApi)

describe("the contract", () => {
  const endpoints = reflect()

  it("has exactly the 33 documented endpoints", () => {
    expect(rows).toHaveLength(33)
    expect(sorted(endpoints.keys())).toEqual(sorted(rows.map(({ endpoint }) => endpoint)))
  })

  it.each(rows)("has the parameters of $endpoint", ({ endpoint, query }) => {
    const params = Array.from(endpoint.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? "")
    const { parameters } = operation(endpoint)
    const namesIn = (place: string) =>
      sorted(parameters.filter((one) => one.in === place).map((one) => one.name))
    expect(namesIn("path")).toEqual(sorted(params))
    expect(namesIn("query")).toEqual(sorted(query?.split(" ") ?? []))
  })

  it.each(rows)("has the limit of $endpoint", ({ endpoint, limit }) => {
    const found = Option.map(
      Context.getOption(endpoints.get(endpoint) ?? Context.empty(), BatchLimit.BatchLimit),
      ({ documented, refusal, values }) => `${values}, then ${refusal}${documented ? "" : ", ours"}`
    )
    expect(Option.getOrUndefined(found)).toBe(limit)
    const refusal = limit?.match(/then (\d+)/)?.[1]
    if (refusal !== undefined) expect(operation(endpoint).responses).toHaveProperty(refusal)
  })

  it.each(rows)(
    "responds to $endpoint with its fields, in its media type",
    ({ endpoint, response, type }) => {
      const content = operation(endpoint).responses["200"]?.content ?? {}
      expect(Object.keys(content)).toEqual([type ?? json])
      expect(shapes(content[type ?? json]?.schema)).toEqual(response.map(order))
    }
  )

  it.each(rows)(
    "describes the errors of $endpoint as problems: no key, a bad request, too many requests",
    ({ endpoint }) => {
      const { responses } = operation(endpoint)
      for (const status of ["400", "401", "429"]) {
        expect(Object.keys(responses[status]?.content ?? {})).toEqual(["application/problem+json"])
      }
    }
  )

  it.each(Object.entries(projections))("has the fields of the projection %s", (projection, names) => {
    expect(sorted(DetailProjection.fieldNames(projection as DetailProjection.DetailProjection))).toEqual(
      sorted(names.split(" "))
    )
  })

  it("describes every field of every record", () => {
    const undescribed: Array<string> = []
    let count = 0
    walk(document, (node, path) => {
      if (!path.includes("responses") || path.at(-2) !== "properties") return
      if (path.some((part) => part.startsWith("4"))) return
      count++
      if (!JSON.stringify(node).includes('"description":"')) undescribed.push(path.join("/"))
    })
    expect(undescribed).toEqual([])
    expect(count).toBeGreaterThan(500)
  })
})

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors ?? []).toEqual([])
    expect([result.valid, validator.version]).toEqual([true, "3.1"])
  })

  it("declares the key in the header x-api-key", () => {
    expect(Object.values(document.components.securitySchemes)).toEqual([
      { type: "apiKey", name: "x-api-key", in: "header" }
    ])
  })

  it("gives each operation a unique name", () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((one) => (one as { readonly operationId: string }).operationId)
    )
    expect(new Set(ids).size).toBe(rows.length)
  })
})

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: unknown }>> } | undefined>
  >
}

function operation(endpoint: string): Operation {
  const [method = "", path = ""] = endpoint.split(" ")
  const found = document.paths[path as "/"]?.[method.toLowerCase() as "get"]
  expect(found, `no ${endpoint} in the document`).toBeDefined()
  return found as unknown as Operation
}

/** The annotations of each endpoint, by method and path. */
function reflect(): ReadonlyMap<string, Context.Context<never>> {
  const found = new Map<string, Context.Context<never>>()
  HttpApi.reflect(ChemicalApi.ChemicalApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      found.set(`${endpoint.method} ${path}`, endpoint.annotations)
    }
  })
  return found
}

interface Node {
  readonly type?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly anyOf?: ReadonlyArray<unknown>
}

/** The shapes that a schema allows. */
function shapes(schema: unknown): ReadonlyArray<string> {
  const { $ref, anyOf, items, properties, type } = (schema ?? {}) as Node
  if ($ref !== undefined) {
    return shapes(document.components.schemas[$ref.slice("#/components/schemas/".length)])
  }
  if (anyOf !== undefined) return anyOf.flatMap(shapes)
  if (type === "array") return items === undefined ? ["any"] : shapes(items)
  if (properties !== undefined) return [sorted(Object.keys(properties)).join(" ")]
  return [type === "object" ? "map" : (type ?? "any")]
}

function orArrayOfOne(one: string): ReadonlyArray<string> {
  return [one, one]
}

function order(names: string): string {
  return sorted(names.split(" ")).join(" ")
}

function sorted(names: Iterable<string>): ReadonlyArray<string> {
  return Array.from(names).sort()
}

function walk(
  node: unknown,
  visit: (node: unknown, path: ReadonlyArray<string>) => void,
  path: ReadonlyArray<string> = []
): void {
  visit(node, path)
  if (typeof node !== "object" || node === null) return
  for (const [name, child] of Object.entries(node)) walk(child, visit, [...path, name])
}
