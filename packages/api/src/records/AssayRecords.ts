/**
 * The records of assays of the public service (docs/families/assays.md): their annotation, results at one concentration,
 * adverse outcome pathways, models, and the quality of samples.
 *
 * An assay has components (readouts), and a component has endpoints. `AssayRecords` describes endpoints.
 */
import {
  integer,
  lazyRecord,
  number,
  numbers,
  object,
  objectOrObjects,
  objects,
  text,
  textOrNumber
} from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/AssayRecords.ts"

const family = "assays"

const byAeid = { family, "x-primary-key": ["aeid"] } as const

const dtxsid = text("Substance identifier (DTXSID…)")
const aeid = integer("Assay endpoint identifier")
const endpointName = text("Name of the assay endpoint")
const endpointDescription = text("Description of the assay endpoint")
const geneSymbol = text("Symbol of the gene, e.g. TUBA1A")
const geneName = text("Name of the gene")
const entrezGeneId = integer("Number of the gene in NCBI Gene")

/** The fields of an endpoint that its annotations have. */
const endpoint = {
  assayFunctionType: text("Purpose of the readout, e.g. binding or viability"),
  normalizedDataType: text("Unit of the normalized responses, e.g. percent_activity"),
  burstAssay: integer("1 where the endpoint belongs to the cytotoxicity burst, else 0"),
  keyPositiveControl: text("Substance that is expected to be active, or several with semicolons"),
  signalDirection: text("Direction of the signal: gain, loss or bidirectional"),
  intendedTargetType: text("Kind of the target, e.g. protein"),
  intendedTargetTypeSub: text("Kind of the target in more detail, e.g. receptor"),
  intendedTargetFamily: text("Family of the target, e.g. ion channel"),
  intendedTargetFamilySub: text("Family of the target in more detail, e.g. ligand-gated ion channel")
} as const

/** The fields of the component of an endpoint. */
const component = {
  assayComponentName: text("Name of the assay component"),
  assayComponentDesc: text("Description of the assay component"),
  assayComponentTargetDesc: text(
    "Description of the target, and of the effect on it that changes the signal"
  ),
  parameterReadoutType: text("Whether the component has a single readout or several"),
  assayDesignType: text("Way in which the process becomes a signal, e.g. binding reporter"),
  assayDesignTypeSub: text("Way in which the process becomes a signal, in more detail"),
  biologicalProcessTarget: text("Biological process that a substance disturbs"),
  detectionTechnologyType: text("Kind of the detection, e.g. Radiometry"),
  detectionTechnologyTypeSub: text("Kind of the detection in more detail, e.g. Absorbance"),
  detectionTechnology: text("Technology of the detection"),
  keyAssayReagentType: text("Kind of the reagent that is measured, e.g. ligand"),
  keyAssayReagent: text("Reagent that is measured"),
  technologicalTargetType: text("Kind of the target that the technology measures"),
  technologicalTargetTypeSub: text("Kind of the target that the technology measures, in more detail")
} as const

const assay = {
  assayName: text("Name of the assay"),
  assayDesc: text("Description of the assay"),
  timepointHr: number("Duration of the exposure", "hours")
} as const

const organism = text("Organism of the cells or proteins, e.g. human")

/** The fields of the cells and plates of an assay. */
const format = {
  tissue: text("Tissue of the cells or proteins"),
  cellFormat: text("Kind of the cells, e.g. cell line"),
  cellFreeComponentSource: text("Source of the components of a test without cells"),
  cellShortName: text("Short name of the cell line; NA where there is none"),
  cellGrowthMode: text("Growth of the cells, e.g. adherent; NA where there are none"),
  assayFootprint: text("Size of the plate, e.g. microplate: 96-well plate"),
  assayFormatType: text("Format of the assay, e.g. cell-based"),
  assayFormatTypeSub: text("Format of the assay in more detail"),
  contentReadoutType: text("Whether a well has one readout or several"),
  dilutionSolvent: text("Solvent of the samples, e.g. DMSO"),
  dilutionSolventPercentMax: number("Largest fraction of the solvent: 0 to 1, as the service documents it")
} as const

const source = {
  assaySourceName: text("Short name of the source of the assay"),
  assaySourceLongName: text("Name of the source of the assay"),
  assaySourceDesc: text("Description of the source of the assay")
} as const

/** The fields of a publication. */
const citation = {
  doi: text("DOI of the publication"),
  url: text("Address of the publication"),
  title: text("Title of the publication"),
  author: text("Authors of the publication"),
  citation: text("Citation of the publication"),
  otherId: text("Identifier of the publication in another source"),
  otherSource: text("Source of that identifier")
} as const

const description = text("Description of the method")

/** The methods of data processing by level of the ToxCast pipeline: mc for several concentrations, sc for one. */
const methods = {
  mc2Methods: objectOrObjects("Methods of level 2 (MC2) of multi-concentration data", {
    mc2_mthd_id: integer("Number of the method"),
    mc2_mthd: text("Name of the method"),
    desc: description,
    exec_ordr: integer("Position of the method among those of its level")
  }),
  mc3Methods: objectOrObjects("Methods of level 3 (MC3) of multi-concentration data: normalization", {
    mc3_mthd_id: integer("Number of the method"),
    mc3_mthd: text("Name of the method"),
    desc: description
  }),
  mc4Methods: objectOrObjects("Methods of level 4 (MC4) of multi-concentration data: fitting of all models", {
    mc4_mthd_id: integer("Number of the method"),
    mc4_mthd: text("Name of the method"),
    desc: description
  }),
  mc5Methods: objectOrObjects("Methods of level 5 (MC5) of multi-concentration data: winning model, cutoff", {
    mc5_mthd_id: integer("Number of the method"),
    mc5_mthd: text("Name of the method"),
    desc: description
  }),
  mc6Methods: objectOrObjects("Methods of level 6 (MC6) of multi-concentration data: flags", {
    mc6_mthd_id: integer("Number of the method"),
    mc6_mthd: text("Name of the method"),
    desc: description
  }),
  sc1Methods: objectOrObjects("Methods of level 1 (SC1) of single-concentration data: normalization", {
    sc1_mthd_id: integer("Number of the method"),
    sc1_mthd: text("Name of the method"),
    desc: description
  }),
  sc2Methods: objectOrObjects("Methods of level 2 (SC2) of single-concentration data: cutoff", {
    sc2_mthd_id: integer("Number of the method"),
    sc2_mthd: text("Name of the method"),
    desc: description
  })
} as const

const lists = { name: text("Name of the list"), description: text("Description of the list") } as const

/** The schema of the annotation of an assay endpoint: target, organism, technology and data processing. */
export const Annotation = lazyRecord<Types.Annotation>(
  { ...byAeid, title: "Annotation of an assay endpoint" },
  {
    aeid,
    assayComponentEndpointName: endpointName,
    exportReady: integer("1 where the endpoint is ready for export, else 0; only older services send it"),
    internalReady: integer(
      "1 where the endpoint is ready for internal use, else 0; only older services send it"
    ),
    assayComponentEndpointDesc: endpointDescription,
    ...endpoint,
    cellViabilityAssay: integer("1 where the endpoint measures the viability of cells, else 0"),
    dataUsability: integer("1 where the data are usable, else 0; only older services send it"),
    acid: integer("Assay component identifier"),
    ...component,
    aid: integer("Assay identifier"),
    ...assay,
    organismId: integer("Number of the organism in the NCBI taxonomy"),
    organism,
    ncbiTaxonId: integer("Number of the species in the NCBI taxonomy"),
    taxonName: text("Scientific name of the species"),
    commonName: text("Common name of the species"),
    lineage: text("Taxonomic lineage of the species"),
    ...format,
    asid: integer("Assay source identifier"),
    ...source,
    gene: objectOrObjects("Genes of the target: one, or a list", {
      geneId: integer("Number of the gene in this database"),
      geneName,
      description: text("Notes on the gene"),
      geneSymbol,
      organismId: integer("Number of the organism in this database"),
      trackStatus: text("Status of the gene in NCBI Gene, e.g. live"),
      entrezGeneId,
      officialSymbol: text("Official symbol of the gene"),
      officialFullName: text("Official name of the gene"),
      uniprotAccessionNumber: text("Accession number of the protein in UniProt, e.g. P04150")
    }),
    assayList: objectOrObjects("Lists that the endpoint is in: one, or a list", lists),
    citations: objectOrObjects("Publications about the assay: one, or a list", {
      ...citation,
      pmid: integer("Number of the publication in PubMed"),
      citationId: integer("Number of the publication in this database")
    }),
    ...methods
  }
)

/** The annotation of an assay endpoint. */
export type Annotation = Types.Annotation

/** The schema of the annotation of an assay endpoint, as the dashboard shows it. */
export const DashboardAnnotation = lazyRecord<Types.DashboardAnnotation>(
  { ...byAeid, title: "Annotation of an assay endpoint on the dashboard" },
  {
    aeid,
    assayComponentEndpointName: endpointName,
    assayComponentEndpointDesc: endpointDescription,
    ...endpoint,
    ...component,
    ...assay,
    organism,
    ...format,
    ...source,
    toxCastAssayDescription: text("Address of the description of the assay")
  }
)

/** The annotation of an assay endpoint, as the dashboard shows it. */
export type DashboardAnnotation = Types.DashboardAnnotation

/** The schema of a gene of an assay endpoint. */
export const Gene = lazyRecord<Types.Gene>(
  { title: "Gene of an assay endpoint", family },
  { entrezGeneId, geneName, geneSymbol }
)

/** A gene of an assay endpoint. */
export type Gene = Types.Gene

/** The schema of a publication about an assay endpoint. */
export const Citation = lazyRecord<Types.Citation>(
  { title: "Publication about an assay endpoint", family },
  {
    aeid,
    assayComponentEndpointName: endpointName,
    ...citation,
    pmid: textOrNumber("Number of the publication in PubMed, as text or number")
  }
)

/** A publication about an assay endpoint. */
export type Citation = Types.Citation

/** The schema of a step of the processing of the data of an assay endpoint. */
export const ProcessingStep = lazyRecord<Types.ProcessingStep>(
  { title: "Step of the processing of an assay endpoint", family },
  {
    methodName: text("Name of the method"),
    description,
    assayRunType: text("Screening that the method is for: multi-concentration or single-concentration"),
    levelApplied: integer("Level of the processing (tcpl) that has the method"),
    orderId: integer("Position of the step")
  }
)

/** A step of the processing of the data of an assay endpoint. */
export type ProcessingStep = Types.ProcessingStep

/** The schema of a reagent of an assay endpoint. */
export const Reagent = lazyRecord<Types.Reagent>(
  { title: "Reagent of an assay endpoint", family },
  {
    reagentType: text("Kind of the reagent, e.g. medium"),
    reagentValue: text("The reagent"),
    cultureOrAssay: text("Whether the reagent is for the culture of the cells or for the assay"),
    orderId: integer("Position of the reagent")
  }
)

/** A reagent of an assay endpoint. */
export type Reagent = Types.Reagent

const counts = (of: string) =>
  ({
    active: integer(`Number of substances that were active in ${of} screening`),
    total: integer(`Number of substances that were tested in ${of} screening`)
  }) as const

const singleConcentration = counts("single-concentration")
const multiConcentration = counts("multi-concentration")

/** The schema of an assay endpoint in the list of the dashboard. */
export const ListedAssay = lazyRecord<Types.ListedAssay>(
  { ...byAeid, title: "Assay endpoint in the list of the dashboard" },
  {
    vendorKey: text("Short name of the source of the assay"),
    vendorName: text("Name of the source of the assay"),
    assayName: assay.assayName,
    aeid,
    assayComponentName: component.assayComponentName,
    assayComponentEndpointName: endpointName,
    assayComponentEndpointDesc: endpointDescription,
    ccdAssayDetail: text("Page of the dashboard about the endpoint"),
    commonName: text("Common name of the species"),
    taxonName: text("Scientific name of the species"),
    assayList: objects("Lists that the endpoint is in", lists),
    geneArray: objects("Genes of the target; a gene without a number stands for none", {
      entrezGeneId,
      geneName,
      officialSymbol: text("Official symbol of the gene")
    }),
    singleConc: objects("Number of substances in single-concentration screening", {
      singleConcChemicalCountActive: singleConcentration.active,
      singleConcChemicalCountTotal: singleConcentration.total
    }),
    multiConc: objects("Number of substances in multi-concentration screening", {
      multiConcChemicalCountActive: multiConcentration.active,
      multiConcChemicalCountTotal: multiConcentration.total
    })
  }
)

/** An assay endpoint in the list of the dashboard. */
export type ListedAssay = Types.ListedAssay

/** The schema of an assay endpoint of a gene. */
export const EndpointOfGene = lazyRecord<Types.EndpointOfGene>(
  { title: "Assay endpoint of a gene", family },
  {
    aeid,
    geneSymbol,
    assayComponentEndpointName: endpointName,
    assayComponentEndpointDesc: endpointDescription,
    multiConcActives: text(
      "Active and tested substances in multi-concentration screening, e.g. 131/1066(12.29%)"
    ),
    singleConcActive: text(
      "Active and tested substances in single-concentration screening; null where none was tested"
    )
  }
)

/** An assay endpoint of a gene. */
export type EndpointOfGene = Types.EndpointOfGene

/** The fields of a result at one concentration. */
const result = {
  s2id: integer("Number of the record"),
  aeid,
  bmad: number("Median absolute deviation of the baseline, in the unit of the responses"),
  coff: number("Cutoff above which a response is active, in the unit of the responses"),
  hitc: number("Hit call: 1 active, 0 inactive"),
  casn: text("CAS registry number of the substance")
} as const

/** The schema of the result of a sample in single-concentration screening. */
export const SingleConcentration = lazyRecord<Types.SingleConcentration>(
  { title: "Result of a sample in single-concentration screening", family, "x-primary-key": ["s2id"] },
  {
    s2id: result.s2id,
    aeid: result.aeid,
    spid: text("Sample identifier"),
    chid: integer("Number of the substance in this database"),
    casn: result.casn,
    chnm: text("Name of the substance"),
    dsstoxSubstanceId: dtxsid,
    bmad: result.bmad,
    maxMed: number("Largest median response over the concentrations, in the unit of the responses"),
    coff: result.coff,
    hitc: result.hitc,
    chidRep: integer("1 where the sample represents its substance, else 0"),
    stkc: number("Concentration of the stock, in `stkcUnit`"),
    stkcUnit: text("Unit of the concentration of the stock, e.g. mM"),
    testedConcUnit: text("Unit of the tested concentrations, e.g. uM"),
    sc1Param: object("The tested concentrations and the responses to them, in parallel", {
      conc: numbers("Tested concentrations, in `testedConcUnit`"),
      resp: numbers("Normalized responses, in the unit of the endpoint")
    }),
    exportDate: text("Date of the export of the data, YYYY-MM-DD"),
    dataVersion: text("Version of the database, e.g. prod_internal_invitrodb_v4_2")
  }
)

/** The result of a sample in single-concentration screening. */
export type SingleConcentration = Types.SingleConcentration

/** The schema of the result of a substance in single-concentration screening, as the dashboard shows it. */
export const DashboardSingleConcentration = lazyRecord<Types.DashboardSingleConcentration>(
  { title: "Result in single-concentration screening on the dashboard", family, "x-primary-key": ["s2id"] },
  {
    s2id: result.s2id,
    aeid: result.aeid,
    endpointName,
    dtxsid,
    preferredName: text("Preferred name of the substance"),
    casn: result.casn,
    bmad: result.bmad,
    maxMedVal: number("Largest median response over the concentrations, in the unit of the responses"),
    coff: result.coff,
    hitc: result.hitc
  }
)

/** The result of a substance in single-concentration screening, as the dashboard shows it. */
export type DashboardSingleConcentration = Types.DashboardSingleConcentration

/** The schema of a name of an assay that a search found. */
export const AssayHit = lazyRecord<Types.AssayHit>(
  { title: "Name of an assay that a search found", family },
  {
    id: integer("Number of the name"),
    aeid,
    searchName: text("Kind of name that matched"),
    searchValue: text("Name that matched"),
    searchValueDesc: text("Meaning of the name"),
    modifiedValue: text("Name as it is compared: in capitals")
  }
)

/** A name of an assay that a search found. */
export type AssayHit = Types.AssayHit

/** The schema of the prediction of a model for a substance. */
export const Model = lazyRecord<Types.Model>(
  { title: "Prediction of a model of a receptor for a substance", family },
  {
    id: integer("Number of the record"),
    dtxsid,
    model: text("Name of the model, e.g. COMPARA (Consensus)"),
    receptor: text("Receptor: Androgen or Estrogen"),
    agonist: text("Activity as agonist: 0 or 1, an area under the curve (AUC), or a strength, e.g. Weak"),
    antagonist: text("Activity as antagonist, as `agonist` has it"),
    binding: text("Binding to the receptor, as `agonist` has it; - where the model does not predict it"),
    modelDesc: text("Description of the model with its publications, as HTML")
  }
)

/** The prediction of a model for a substance. */
export type Model = Types.Model

/** The schema of the link from an assay endpoint to an adverse outcome pathway (AOP). */
export const Aop = lazyRecord<Types.Aop>(
  { title: "Adverse outcome pathway of an assay endpoint", family },
  {
    id: integer("Number of the record"),
    toxcastAeid: aeid,
    entrezGeneId,
    eventNumber: integer("Number of the key event in AOP-Wiki"),
    eventLink: text("Page of AOP-Wiki about the key event"),
    aopNumber: integer("Number of the adverse outcome pathway in AOP-Wiki"),
    aopLink: text("Page of AOP-Wiki about the adverse outcome pathway")
  }
)

/** The link from an assay endpoint to an adverse outcome pathway. */
export type Aop = Types.Aop

/** The schema of the analytical quality of a substance or of one of its samples. */
export const AnalyticalQc = lazyRecord<Types.AnalyticalQc>(
  { title: "Analytical quality of a sample", family, "x-primary-key": ["analyticalQcId"] },
  {
    analyticalQcId: integer("Number of the record"),
    dtxsid,
    chnm: text("Name of the substance"),
    spid: text("Sample identifier; null in the record of the substance"),
    qcLevel: text("Whether the record is of the substance or of a sample"),
    t0: text("Grade of the sample when it was dissolved, e.g. A"),
    t4: text("Grade of the sample after four months in solution, e.g. A"),
    call: text("Summary of the grades, e.g. S for stable"),
    annotation: text("The grades in words"),
    flags: text("Warnings about the sample"),
    averageMass: text("Mass of the substance in dalton, as text"),
    log10VaporPressureOperaPred: text("Log10 of the vapor pressure in mmHg that OPERA predicts, as text"),
    logkowOctanolWaterOperaPred: text("LogKow (octanol-water) that OPERA predicts, as text"),
    exportDate: text("Date of the export of the data, YYYY-MM-DD"),
    dataVersion: text("Version of the database, e.g. prod_internal_invitrodb_v4_2"),
    porCaution: text("Caution from the properties of the substance: pass, or what to be careful about")
  }
)

/** The analytical quality of a substance or of one of its samples. */
export type AnalyticalQc = Types.AnalyticalQc
