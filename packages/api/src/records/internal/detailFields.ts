/**
 * Every field of the chemical detail record, in the groups of docs/service.md, section 5.1, with meaning and unit.
 *
 * The units of predicted and measured properties are not documented. The units here are those with which the
 * prediction models (OPERA, T.E.S.T.) are published.
 */
import { Schema } from "effect"
import { flag, integer, number, text, textOrNumber } from "../../schemas/internal/fieldTypes.ts"
import { lazy } from "../../schemas/internal/lazyObject.ts"

export const identity = lazy(() => ({
  id: textOrNumber("Number of the record in the service, as text or number"),
  dtxsid: Schema.String.annotate({ description: "Substance identifier (DTXSID…)" }),
  dtxcid: text("Compound identifier (DTXCID…); null where no single structure is known"),
  casrn: text("CAS registry number, or NOCAS_… where there is none"),
  preferredName: text("Preferred name of the substance"),
  iupacName: text("IUPAC name"),
  compoundId: integer("Number of the compound"),
  genericSubstanceId: integer("Number of the substance")
}))

export const structure = lazy(() => ({
  smiles: text("SMILES of the structure"),
  msReadySmiles: text("SMILES of the MS-ready form: desalted, neutral, without stereochemistry"),
  qsarReadySmiles: text("SMILES of the QSAR-ready form"),
  inchiString: text("InChI; may end in a newline"),
  inchikey: text("InChIKey"),
  descriptorStringTsv: text("Structural fingerprint: tab-separated 0 and 1"),
  hasStructureImage: integer("1 where a structure image is available, else 0"),
  isMarkush: flag("Whether the structure is a Markush (generic) structure"),
  isotope: integer("1 where the structure carries isotope labels, else 0"),
  multicomponent: integer("1 where the structure has several components, else 0")
}))

export const stereo = lazy(() => ({ stereo: text("Stereochemistry of the structure") }))

export const formula = lazy(() => ({
  molFormula: text("Molecular formula, Hill order"),
  monoisotopicMass: number("Monoisotopic mass", "dalton")
}))

export const averageMass = lazy(() => ({ averageMass: number("Average molecular mass, in dalton") }))

export const quality = lazy(() => ({
  qcLevel: integer("Curation level: 1 (best) to 5"),
  qcLevelDesc: text("Curation level in words"),
  qcNotes: text("Notes of the curators")
}))

export const assayCounts = lazy(() => ({
  activeAssays: integer("Number of assays in which the substance was active"),
  totalAssays: integer("Number of assays in which the substance was tested"),
  percentAssays: number("Active assays of those tested", "%"),
  assaySelect: text("Active and tested assays as text, e.g. 12/234")
}))

export const sources = lazy(() => ({
  cpdataCount: integer("Number of consumer-product data records"),
  sourcesCount: integer("Number of data sources that list the substance"),
  extdbCount: integer("Number of records in an external database"),
  extdbCid: integer("Compound number in an external database"),
  pubmedCount: integer("Number of PubMed articles"),
  relatedSubstanceCount: integer("Number of related substances"),
  relatedStructureCount: integer("Number of related structures"),
  pprtvLink: text("Link key to the provisional peer-reviewed toxicity values (PPRTV)"),
  irisLink: text("Link key to the integrated risk information system (IRIS)"),
  encyclopediaArticle: text("Title of the encyclopedia article")
}))

export const exposure = lazy(() => ({
  expocat: text("Exposure category"),
  nhanes: text("Whether the substance was measured in NHANES"),
  expocatMedianPrediction: text("Predicted median exposure, mg/kg body weight/day, as text"),
  toxvalData: text("Whether toxicity values are available")
}))

export const properties = lazy(() => ({
  hrFatheadMinnow: number("Fathead minnow 96 h LC50", "mol/L"),
  hrDiphniaLc50: number("Daphnia magna 48 h LC50", "mol/L"),
  pkabOperaPred: number("Basic pKa", undefined, "OPERA prediction"),
  pkaaOperaPred: number("Acidic pKa", undefined, "OPERA prediction"),
  surfaceTension: number("Surface tension", "dyn/cm"),
  devtoxTestPred: number("Developmental toxicity (0 to 1)", undefined, "T.E.S.T. prediction"),
  henrysLawAtm: number("Henry's law constant", "atm·m³/mol"),
  oralRatLd50Mol: number("Oral rat LD50", "mol/kg"),
  density: number("Density", "g/cm³"),
  operaKmDaysOperaPred: number("Fish biotransformation half-life (KM)", "days", "OPERA prediction"),
  waterSolubilityOpera: number("Water solubility", "mol/L", "OPERA prediction"),
  waterSolubilityTest: number("Water solubility", "mol/L", "T.E.S.T. prediction"),
  octanolWaterPartition: number("Octanol-water partition coefficient", "log10"),
  flashPointDegcTestPred: number("Flash point", "°C", "T.E.S.T. prediction"),
  viscosityCpCpTestPred: number("Viscosity", "cP", "T.E.S.T. prediction"),
  thermalConductivity: number("Thermal conductivity", "mW/(m·K)"),
  tetrahymenaPyriformis: number("Tetrahymena pyriformis 48 h IGC50", "mol/L"),
  biodegradationHalfLifeDays: number("Biodegradation half-life", "days"),
  vaporPressureMmhgOperaPred: number("Vapour pressure", "mmHg", "OPERA prediction"),
  vaporPressureMmhgTestPred: number("Vapour pressure", "mmHg", "T.E.S.T. prediction"),
  atmosphericHydroxylationRate: number("Atmospheric hydroxylation rate", "cm³/(molecule·s)"),
  bioconcentrationFactorOperaPred: number("Bioconcentration factor", "L/kg", "OPERA prediction"),
  bioconcentrationFactorTestPred: number("Bioconcentration factor", "L/kg", "T.E.S.T. prediction"),
  octanolAirPartitionCoeff: number("Octanol-air partition coefficient", "log10"),
  meltingPointDegcOperaPred: number("Melting point", "°C", "OPERA prediction"),
  meltingPointDegcTestPred: number("Melting point", "°C", "T.E.S.T. prediction"),
  soilAdsorptionCoefficient: number("Soil adsorption coefficient (Koc)", "L/kg"),
  boilingPointDegcOperaPred: number("Boiling point", "°C", "OPERA prediction"),
  boilingPointDegcTestPred: number("Boiling point", "°C", "T.E.S.T. prediction"),
  amesMutagenicityTestPred: number("Ames mutagenicity (0 to 1)", undefined, "T.E.S.T. prediction")
}))
