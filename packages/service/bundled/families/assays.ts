/**
 * The example records of assays. The assays and their results are made up; their genes, key events and pathways are not.
 */
import { type AssayRecords, Assays } from "@chemstream/api"
import { type ExampleSubstance, exampleA, exampleB, madeUp, source } from "./examples.ts"
import type { RecordsByRow } from "./recordsByRow.ts"

interface AssayFacts {
  readonly aeid: number
  readonly name: string
  readonly description: string
  readonly family: string
  readonly signalDirection: string
  readonly gene?: { readonly geneSymbol: string; readonly entrezGeneId: number; readonly geneName: string }
}

const ahr = { geneSymbol: "AHR", entrezGeneId: 196, geneName: "aryl hydrocarbon receptor" }
const esr1 = { geneSymbol: "ESR1", entrezGeneId: 2099, geneName: "estrogen receptor 1" }

const assays: ReadonlyArray<AssayFacts> = [
  {
    aeid: 990_001,
    name: "EXAMPLE_AHR_ACTIVATION",
    description: "An example of an assay of the activation of the aryl hydrocarbon receptor",
    family: "dna binding",
    signalDirection: "gain",
    gene: ahr
  },
  {
    aeid: 990_002,
    name: "EXAMPLE_ER_BINDING",
    description: "An example of an assay of the binding to the estrogen receptor",
    family: "nuclear receptor",
    signalDirection: "loss",
    gene: esr1
  },
  {
    aeid: 990_003,
    name: "EXAMPLE_CELL_VIABILITY",
    description: "An example of an assay of the viability of cells",
    family: "cell cycle",
    signalDirection: "loss"
  }
]

/** The tested substances: A is active in the first two assays. */
const tested = [exampleA, exampleB]
const isActive = ({ aeid }: AssayFacts, substance: ExampleSubstance): boolean =>
  substance === exampleA && aeid < 990_003

type AssayRecord = AssayRecords.Annotation & AssayRecords.ListedAssay

const annotation = (assay: AssayFacts): AssayRecord => {
  const { aeid, description, family, gene, name, signalDirection } = assay
  const isViability = gene === undefined
  const genes = gene === undefined ? [] : [{ ...gene, officialSymbol: gene.geneSymbol }]
  return {
    aeid,
    assayComponentEndpointName: name,
    assayComponentEndpointDesc: description,
    assayFunctionType: isViability ? "viability" : "binding",
    normalizedDataType: "percent_activity",
    burstAssay: isViability ? 1 : 0,
    signalDirection,
    intendedTargetType: isViability ? "cellular" : "protein",
    intendedTargetFamily: family,
    cellViabilityAssay: isViability ? 1 : 0,
    acid: aeid,
    assayComponentName: name,
    assayComponentDesc: description,
    aid: aeid,
    assayName: name,
    assayDesc: description,
    timepointHr: 24,
    organismId: 9606,
    organism: "human",
    ncbiTaxonId: 9606,
    taxonName: "Homo sapiens",
    commonName: "Human",
    tissue: "liver",
    cellFormat: "cell line",
    assaySourceName: "EXAMPLE",
    assaySourceLongName: source,
    vendorKey: "EXAMPLE",
    vendorName: source,
    gene: genes,
    assayList: [{ name: "Example assays", description: "The made-up assays of the bundled data" }],
    geneArray: genes.map(({ entrezGeneId, geneName, officialSymbol }) => ({
      entrezGeneId,
      geneName,
      officialSymbol
    })),
    singleConc: [
      { singleConcChemicalCountActive: activesOf(assay), singleConcChemicalCountTotal: tested.length }
    ],
    multiConc: [{ multiConcChemicalCountActive: 0, multiConcChemicalCountTotal: 0 }]
  }
}

const activesOf = (assay: AssayFacts): number =>
  tested.filter((substance) => isActive(assay, substance)).length

const singleConcentration = (
  assay: AssayFacts,
  substance: ExampleSubstance,
  s2id: number
): AssayRecords.SingleConcentration => {
  const isHit = isActive(assay, substance)
  const response = isHit ? 80 : 5
  return {
    s2id,
    aeid: assay.aeid,
    spid: `EXAMPLE${substance === exampleA ? "A" : "B"}`,
    casn: substance.casrn,
    chnm: substance.name,
    dsstoxSubstanceId: substance.dtxsid,
    bmad: 5,
    maxMed: response,
    coff: 20,
    hitc: isHit ? 1 : 0,
    chidRep: 1,
    testedConcUnit: "uM",
    sc1Param: { conc: [10, 10], resp: [response - 1, response + 1] },
    exportDate: "2026-01-01",
    dataVersion: source
  }
}

const perAssay = <A>(make: (assay: AssayFacts, substance: ExampleSubstance, number: number) => A) =>
  assays.flatMap((assay, row) =>
    tested.map((substance, column) => make(assay, substance, 990_001 + 10 * row + column))
  )

const pathways = [21, 131].map((aopNumber, n) =>
  madeUp<AssayRecords.Aop>({
    id: 990_001 + n,
    toxcastAeid: 990_001,
    entrezGeneId: ahr.entrezGeneId,
    eventNumber: 18,
    eventLink: "https://aopwiki.org/events/18",
    aopNumber,
    aopLink: `https://aopwiki.org/aops/${aopNumber}`
  })
)

/** The example records of assays by row. */
export const assayRecords: RecordsByRow = {
  [Assays.all.name]: assays.map(annotation).map(madeUp),
  [Assays.byGene.name]: assays.flatMap((assay) =>
    assay.gene === undefined
      ? []
      : [
          madeUp<AssayRecords.EndpointOfGene>({
            aeid: assay.aeid,
            geneSymbol: assay.gene.geneSymbol,
            assayComponentEndpointName: assay.name,
            assayComponentEndpointDesc: assay.description,
            singleConcActive: `${activesOf(assay)}/${tested.length}(50.00%)`
          })
        ]
  ),
  [Assays.chemicals.name]: perAssay(({ aeid }, { dtxsid }) => ({ query: aeid, dtxsid })),
  [Assays.singleConc.name]: perAssay(singleConcentration).map(madeUp),
  [Assays.models.name]: ["Androgen", "Estrogen"].map((receptor, n) =>
    madeUp<AssayRecords.Model>({
      id: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      model: ["COMPARA (example)", "CERAPP (example)"][n] ?? null,
      receptor,
      agonist: "0",
      antagonist: "1",
      binding: "-"
    })
  ),
  [Assays.aopByAeid.name]: pathways,
  [Assays.aopByEvent.name]: pathways,
  [Assays.aopByGene.name]: pathways,
  [Assays.analyticalQc.name]: ["substance", "sample"].map((qcLevel, n) =>
    madeUp<AssayRecords.AnalyticalQc>({
      analyticalQcId: 990_001 + n,
      dtxsid: exampleA.dtxsid,
      chnm: exampleA.name,
      spid: n === 0 ? null : "EXAMPLEA",
      qcLevel,
      t0: "A",
      t4: "A",
      call: "S",
      annotation: "Pure, and stable over time",
      exportDate: "2026-01-01",
      dataVersion: source,
      porCaution: "pass"
    })
  )
}
