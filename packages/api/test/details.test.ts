import { BatchLimit, ChemicalApi, DetailProjection, DetailRecord } from "@chemstream/api"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"

/** The documented field sets (docs/service.md, section 5.1). */
const documentedFields: Partial<Record<DetailProjection.DetailProjection, string>> = {
  chemicalidentifier: "preferredName iupacName inchikey dtxcid dtxsid casrn",
  chemicalstructure:
    "id preferredName msReadySmiles inchiString inchikey qsarReadySmiles smiles dtxcid dtxsid casrn hasStructureImage",
  ntatoolkit:
    "preferredName activeAssays cpdataCount molFormula percentAssays totalAssays sourcesCount msReadySmiles inchikey smiles dtxcid dtxsid casrn monoisotopicMass expocat nhanes expocatMedianPrediction",
  chemicaldetailall:
    "id dtxsid dtxcid casrn preferredName iupacName compoundId genericSubstanceId smiles msReadySmiles qsarReadySmiles inchiString inchikey descriptorStringTsv hasStructureImage isMarkush isotope multicomponent molFormula monoisotopicMass qcLevel qcLevelDesc qcNotes activeAssays totalAssays percentAssays assaySelect cpdataCount sourcesCount extdbCount extdbCid pubmedCount relatedSubstanceCount relatedStructureCount pprtvLink irisLink encyclopediaArticle"
}
const documentedProperties =
  "hrFatheadMinnow hrDiphniaLc50 pkabOperaPred pkaaOperaPred surfaceTension devtoxTestPred henrysLawAtm oralRatLd50Mol density operaKmDaysOperaPred waterSolubilityOpera waterSolubilityTest octanolWaterPartition flashPointDegcTestPred viscosityCpCpTestPred thermalConductivity tetrahymenaPyriformis biodegradationHalfLifeDays vaporPressureMmhgOperaPred vaporPressureMmhgTestPred atmosphericHydroxylationRate bioconcentrationFactorOperaPred bioconcentrationFactorTestPred octanolAirPartitionCoeff meltingPointDegcOperaPred meltingPointDegcTestPred soilAdsorptionCoefficient boilingPointDegcOperaPred boilingPointDegcTestPred amesMutagenicityTestPred"

const Details = ChemicalApi.ChemicalApi.groups.details.endpoints

const sorted = (names: Iterable<string>): ReadonlyArray<string> => Array.from(names).sort()

describe("DetailProjection", () => {
  it.each(Object.entries(documentedFields))("%s has the documented fields", (projection, fields) => {
    expect(sorted(DetailProjection.fieldNames(projection as DetailProjection.DetailProjection))).toEqual(
      sorted(fields.split(" "))
    )
  })

  it("ccdchemicaldetails adds masses, stereo, exposure and properties to chemicaldetailall", () => {
    const extraFields = `averageMass stereo expocat nhanes expocatMedianPrediction toxvalData ${documentedProperties}`
    expect(sorted(DetailProjection.fieldNames("ccdchemicaldetails"))).toEqual(
      sorted([...(documentedFields.chemicaldetailall ?? "").split(" "), ...extraFields.split(" ")])
    )
  })

  it("every projection has the identifier by which responses are matched", () => {
    for (const name of DetailProjection.names) expect(DetailProjection.fieldNames(name)).toContain("dtxsid")
  })
})

describe("DetailRecord", () => {
  it("keeps unknown, null and absent fields", () => {
    const record = { dtxsid: "DTXSID7020182", dtxcid: null, toxcastSelect: "0/234", nested: { deep: [1] } }
    expect(Schema.decodeUnknownSync(DetailRecord.schemas.chemicaldetailall)(record)).toEqual(record)
  })

  it("refuses a field of another type and names it", () => {
    const decode = Schema.decodeUnknownSync(DetailRecord.schemas.ntatoolkit)
    expect(() => decode({ dtxsid: "DTXSID7020182", monoisotopicMass: "228.1" })).toThrow("monoisotopicMass")
  })

  it("refuses a record without an identifier", () => {
    expect(() => Schema.decodeUnknownSync(DetailRecord.schemas.compact)({ preferredName: "x" })).toThrow(
      "dtxsid"
    )
  })

  it("describes every field", () => {
    const { paths } = OpenApi.fromApi(ChemicalApi.ChemicalApi)
    const response = JSON.stringify(paths["/chemical/detail/search/by-dtxsid/{dtxsid}"]?.get?.responses[200])
    for (const name of DetailProjection.fieldNames("ccdchemicaldetails")) {
      expect(response).toMatch(new RegExp(`"${name}":\\{.{0,60}"description":"`))
    }
  })
})

describe("Details", () => {
  it("has the documented methods and exact paths, including the trailing slash", () => {
    expect([Details.byDtxsid.method, Details.byDtxsid.path]).toEqual([
      "GET",
      "/chemical/detail/search/by-dtxsid/:dtxsid"
    ])
    expect([Details.byDtxsidBatch.method, Details.byDtxsidBatch.path]).toEqual([
      "POST",
      "/chemical/detail/search/by-dtxsid/"
    ])
  })

  it("limits batches to 1000", () => {
    expect(BatchLimit.of(Details.byDtxsidBatch)).toEqual({ values: 1000, refusal: 413, documented: true })
  })

  it("documents its problems as problem details", () => {
    const { paths } = OpenApi.fromApi(ChemicalApi.ChemicalApi)
    const single = paths["/chemical/detail/search/by-dtxsid/{dtxsid}"]?.get?.responses ?? {}
    const batch = paths["/chemical/detail/search/by-dtxsid/"]?.post?.responses ?? {}
    expect(Object.keys(single)).toEqual(["200", "400", "401", "404", "429"])
    expect(Object.keys(batch)).toEqual(["200", "400", "401", "413", "429"])
    for (const status of ["400", "401", "413"]) {
      expect(Object.keys(batch[Number(status) as 400]?.content ?? {})).toEqual(["application/problem+json"])
    }
  })
})
