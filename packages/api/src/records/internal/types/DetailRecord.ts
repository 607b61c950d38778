// Generated from packages/api/src/records/DetailRecord.ts by `npm run generate`. Change the schema there instead.

/** Chemical detail record, projection chemicaldetailstandard. */
export interface StandardDetails {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** Number of the compound. */
  readonly compoundId?: number | null
  /** Number of the substance. */
  readonly genericSubstanceId?: number | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** SMILES of the QSAR-ready form. */
  readonly qsarReadySmiles?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
  /** Whether the structure is a Markush (generic) structure. */
  readonly isMarkush?: boolean | null
  /** 1 where the structure carries isotope labels, else 0. */
  readonly isotope?: number | null
  /** 1 where the structure has several components, else 0. */
  readonly multicomponent?: number | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** Curation level: 1 (best) to 5. */
  readonly qcLevel?: number | null
  /** Curation level in words. */
  readonly qcLevelDesc?: string | null
  /** Notes of the curators. */
  readonly qcNotes?: string | null
  /** Number of assays in which the substance was active. */
  readonly activeAssays?: number | null
  /** Number of assays in which the substance was tested. */
  readonly totalAssays?: number | null
  /** Active assays of those tested, %. */
  readonly percentAssays?: number | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly assaySelect?: string | null
  /** Number of consumer-product data records. */
  readonly cpdataCount?: number | null
  /** Number of data sources that list the substance. */
  readonly sourcesCount?: number | null
  /** Number of records in an external database. */
  readonly extdbCount?: number | null
  /** Compound number in an external database. */
  readonly extdbCid?: number | null
  /** Number of PubMed articles. */
  readonly pubmedCount?: number | null
  /** Number of related substances. */
  readonly relatedSubstanceCount?: number | null
  /** Number of related structures. */
  readonly relatedStructureCount?: number | null
  /** Link key to the provisional peer-reviewed toxicity values (PPRTV). */
  readonly pprtvLink?: string | null
  /** Link key to the integrated risk information system (IRIS). */
  readonly irisLink?: string | null
  /** Title of the encyclopedia article. */
  readonly encyclopediaArticle?: string | null
  /** Structural fingerprint: tab-separated 0 and 1. */
  readonly descriptorStringTsv?: string | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly toxcastSelect?: string | null
  /** Number of records in an external database. */
  readonly pubchemCount?: number | null
  /** Compound number in an external database. */
  readonly pubchemCid?: number | null
  /** Title of the encyclopedia article. */
  readonly wikipediaArticle?: string | null
}

/** Chemical detail record, projection chemicalidentifier. */
export interface IdentifierDetails {
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
}

/** Chemical detail record, projection chemicalstructure. */
export interface StructureDetails {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** SMILES of the QSAR-ready form. */
  readonly qsarReadySmiles?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
}

/** Chemical detail record, projection ntatoolkit. */
export interface NtaDetails {
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** Number of assays in which the substance was active. */
  readonly activeAssays?: number | null
  /** Number of consumer-product data records. */
  readonly cpdataCount?: number | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Active assays of those tested, %. */
  readonly percentAssays?: number | null
  /** Number of assays in which the substance was tested. */
  readonly totalAssays?: number | null
  /** Number of data sources that list the substance. */
  readonly sourcesCount?: number | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** Exposure category. */
  readonly expocat?: string | null
  /** Whether the substance was measured in NHANES. */
  readonly nhanes?: string | null
  /** Predicted median exposure, mg/kg body weight/day, as text. */
  readonly expocatMedianPrediction?: string | null
}

/** Chemical detail record, projection ccdchemicaldetails. */
export interface DashboardDetails {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** Number of the compound. */
  readonly compoundId?: number | null
  /** Number of the substance. */
  readonly genericSubstanceId?: number | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** SMILES of the QSAR-ready form. */
  readonly qsarReadySmiles?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** Structural fingerprint: tab-separated 0 and 1. */
  readonly descriptorStringTsv?: string | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
  /** Whether the structure is a Markush (generic) structure. */
  readonly isMarkush?: boolean | null
  /** 1 where the structure carries isotope labels, else 0. */
  readonly isotope?: number | null
  /** 1 where the structure has several components, else 0. */
  readonly multicomponent?: number | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** Curation level: 1 (best) to 5. */
  readonly qcLevel?: number | null
  /** Curation level in words. */
  readonly qcLevelDesc?: string | null
  /** Notes of the curators. */
  readonly qcNotes?: string | null
  /** Number of assays in which the substance was active. */
  readonly activeAssays?: number | null
  /** Number of assays in which the substance was tested. */
  readonly totalAssays?: number | null
  /** Active assays of those tested, %. */
  readonly percentAssays?: number | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly assaySelect?: string | null
  /** Number of consumer-product data records. */
  readonly cpdataCount?: number | null
  /** Number of data sources that list the substance. */
  readonly sourcesCount?: number | null
  /** Number of records in an external database. */
  readonly extdbCount?: number | null
  /** Compound number in an external database. */
  readonly extdbCid?: number | null
  /** Number of PubMed articles. */
  readonly pubmedCount?: number | null
  /** Number of related substances. */
  readonly relatedSubstanceCount?: number | null
  /** Number of related structures. */
  readonly relatedStructureCount?: number | null
  /** Link key to the provisional peer-reviewed toxicity values (PPRTV). */
  readonly pprtvLink?: string | null
  /** Link key to the integrated risk information system (IRIS). */
  readonly irisLink?: string | null
  /** Title of the encyclopedia article. */
  readonly encyclopediaArticle?: string | null
  /** Average molecular mass, in dalton. */
  readonly averageMass?: number | null
  /** Stereochemistry of the structure. */
  readonly stereo?: string | null
  /** Exposure category. */
  readonly expocat?: string | null
  /** Whether the substance was measured in NHANES. */
  readonly nhanes?: string | null
  /** Predicted median exposure, mg/kg body weight/day, as text. */
  readonly expocatMedianPrediction?: string | null
  /** Whether toxicity values are available. */
  readonly toxvalData?: string | null
  /** Fathead minnow 96 h LC50, mol/L. */
  readonly hrFatheadMinnow?: number | null
  /** Daphnia magna 48 h LC50, mol/L. */
  readonly hrDiphniaLc50?: number | null
  /** Basic pKa, OPERA prediction. */
  readonly pkabOperaPred?: number | null
  /** Acidic pKa, OPERA prediction. */
  readonly pkaaOperaPred?: number | null
  /** Surface tension, dyn/cm. */
  readonly surfaceTension?: number | null
  /** Developmental toxicity (0 to 1), T.E.S.T. prediction. */
  readonly devtoxTestPred?: number | null
  /** Henry's law constant, atm·m³/mol. */
  readonly henrysLawAtm?: number | null
  /** Oral rat LD50, mol/kg. */
  readonly oralRatLd50Mol?: number | null
  /** Density, g/cm³. */
  readonly density?: number | null
  /** Fish biotransformation half-life (KM), days, OPERA prediction. */
  readonly operaKmDaysOperaPred?: number | null
  /** Water solubility, mol/L, OPERA prediction. */
  readonly waterSolubilityOpera?: number | null
  /** Water solubility, mol/L, T.E.S.T. prediction. */
  readonly waterSolubilityTest?: number | null
  /** Octanol-water partition coefficient, log10. */
  readonly octanolWaterPartition?: number | null
  /** Flash point, °C, T.E.S.T. prediction. */
  readonly flashPointDegcTestPred?: number | null
  /** Viscosity, cP, T.E.S.T. prediction. */
  readonly viscosityCpCpTestPred?: number | null
  /** Thermal conductivity, mW/(m·K). */
  readonly thermalConductivity?: number | null
  /** Tetrahymena pyriformis 48 h IGC50, mol/L. */
  readonly tetrahymenaPyriformis?: number | null
  /** Biodegradation half-life, days. */
  readonly biodegradationHalfLifeDays?: number | null
  /** Vapour pressure, mmHg, OPERA prediction. */
  readonly vaporPressureMmhgOperaPred?: number | null
  /** Vapour pressure, mmHg, T.E.S.T. prediction. */
  readonly vaporPressureMmhgTestPred?: number | null
  /** Atmospheric hydroxylation rate, cm³/(molecule·s). */
  readonly atmosphericHydroxylationRate?: number | null
  /** Bioconcentration factor, L/kg, OPERA prediction. */
  readonly bioconcentrationFactorOperaPred?: number | null
  /** Bioconcentration factor, L/kg, T.E.S.T. prediction. */
  readonly bioconcentrationFactorTestPred?: number | null
  /** Octanol-air partition coefficient, log10. */
  readonly octanolAirPartitionCoeff?: number | null
  /** Melting point, °C, OPERA prediction. */
  readonly meltingPointDegcOperaPred?: number | null
  /** Melting point, °C, T.E.S.T. prediction. */
  readonly meltingPointDegcTestPred?: number | null
  /** Soil adsorption coefficient (Koc), L/kg. */
  readonly soilAdsorptionCoefficient?: number | null
  /** Boiling point, °C, OPERA prediction. */
  readonly boilingPointDegcOperaPred?: number | null
  /** Boiling point, °C, T.E.S.T. prediction. */
  readonly boilingPointDegcTestPred?: number | null
  /** Ames mutagenicity (0 to 1), T.E.S.T. prediction. */
  readonly amesMutagenicityTestPred?: number | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly toxcastSelect?: string | null
  /** Number of records in an external database. */
  readonly pubchemCount?: number | null
  /** Compound number in an external database. */
  readonly pubchemCid?: number | null
  /** Title of the encyclopedia article. */
  readonly wikipediaArticle?: string | null
}

/** Chemical detail record, projection ccdassaydetails. */
export interface AssayDetails {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** Number of assays in which the substance was active. */
  readonly activeAssays?: number | null
  /** Number of assays in which the substance was tested. */
  readonly totalAssays?: number | null
  /** Active assays of those tested, %. */
  readonly percentAssays?: number | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly assaySelect?: string | null
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** Number of the compound. */
  readonly compoundId?: number | null
  /** Number of the substance. */
  readonly genericSubstanceId?: number | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** SMILES of the QSAR-ready form. */
  readonly qsarReadySmiles?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** Structural fingerprint: tab-separated 0 and 1. */
  readonly descriptorStringTsv?: string | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
  /** Whether the structure is a Markush (generic) structure. */
  readonly isMarkush?: boolean | null
  /** 1 where the structure carries isotope labels, else 0. */
  readonly isotope?: number | null
  /** 1 where the structure has several components, else 0. */
  readonly multicomponent?: number | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** Curation level: 1 (best) to 5. */
  readonly qcLevel?: number | null
  /** Curation level in words. */
  readonly qcLevelDesc?: string | null
  /** Notes of the curators. */
  readonly qcNotes?: string | null
  /** Number of consumer-product data records. */
  readonly cpdataCount?: number | null
  /** Number of data sources that list the substance. */
  readonly sourcesCount?: number | null
  /** Number of records in an external database. */
  readonly extdbCount?: number | null
  /** Compound number in an external database. */
  readonly extdbCid?: number | null
  /** Number of PubMed articles. */
  readonly pubmedCount?: number | null
  /** Number of related substances. */
  readonly relatedSubstanceCount?: number | null
  /** Number of related structures. */
  readonly relatedStructureCount?: number | null
  /** Link key to the provisional peer-reviewed toxicity values (PPRTV). */
  readonly pprtvLink?: string | null
  /** Link key to the integrated risk information system (IRIS). */
  readonly irisLink?: string | null
  /** Title of the encyclopedia article. */
  readonly encyclopediaArticle?: string | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly toxcastSelect?: string | null
  /** Number of records in an external database. */
  readonly pubchemCount?: number | null
  /** Compound number in an external database. */
  readonly pubchemCid?: number | null
  /** Title of the encyclopedia article. */
  readonly wikipediaArticle?: string | null
  /** Average molecular mass, in dalton. */
  readonly averageMass?: number | null
  /** Stereochemistry of the structure. */
  readonly stereo?: string | null
  /** Exposure category. */
  readonly expocat?: string | null
  /** Whether the substance was measured in NHANES. */
  readonly nhanes?: string | null
  /** Predicted median exposure, mg/kg body weight/day, as text. */
  readonly expocatMedianPrediction?: string | null
  /** Whether toxicity values are available. */
  readonly toxvalData?: string | null
  /** Fathead minnow 96 h LC50, mol/L. */
  readonly hrFatheadMinnow?: number | null
  /** Daphnia magna 48 h LC50, mol/L. */
  readonly hrDiphniaLc50?: number | null
  /** Basic pKa, OPERA prediction. */
  readonly pkabOperaPred?: number | null
  /** Acidic pKa, OPERA prediction. */
  readonly pkaaOperaPred?: number | null
  /** Surface tension, dyn/cm. */
  readonly surfaceTension?: number | null
  /** Developmental toxicity (0 to 1), T.E.S.T. prediction. */
  readonly devtoxTestPred?: number | null
  /** Henry's law constant, atm·m³/mol. */
  readonly henrysLawAtm?: number | null
  /** Oral rat LD50, mol/kg. */
  readonly oralRatLd50Mol?: number | null
  /** Density, g/cm³. */
  readonly density?: number | null
  /** Fish biotransformation half-life (KM), days, OPERA prediction. */
  readonly operaKmDaysOperaPred?: number | null
  /** Water solubility, mol/L, OPERA prediction. */
  readonly waterSolubilityOpera?: number | null
  /** Water solubility, mol/L, T.E.S.T. prediction. */
  readonly waterSolubilityTest?: number | null
  /** Octanol-water partition coefficient, log10. */
  readonly octanolWaterPartition?: number | null
  /** Flash point, °C, T.E.S.T. prediction. */
  readonly flashPointDegcTestPred?: number | null
  /** Viscosity, cP, T.E.S.T. prediction. */
  readonly viscosityCpCpTestPred?: number | null
  /** Thermal conductivity, mW/(m·K). */
  readonly thermalConductivity?: number | null
  /** Tetrahymena pyriformis 48 h IGC50, mol/L. */
  readonly tetrahymenaPyriformis?: number | null
  /** Biodegradation half-life, days. */
  readonly biodegradationHalfLifeDays?: number | null
  /** Vapour pressure, mmHg, OPERA prediction. */
  readonly vaporPressureMmhgOperaPred?: number | null
  /** Vapour pressure, mmHg, T.E.S.T. prediction. */
  readonly vaporPressureMmhgTestPred?: number | null
  /** Atmospheric hydroxylation rate, cm³/(molecule·s). */
  readonly atmosphericHydroxylationRate?: number | null
  /** Bioconcentration factor, L/kg, OPERA prediction. */
  readonly bioconcentrationFactorOperaPred?: number | null
  /** Bioconcentration factor, L/kg, T.E.S.T. prediction. */
  readonly bioconcentrationFactorTestPred?: number | null
  /** Octanol-air partition coefficient, log10. */
  readonly octanolAirPartitionCoeff?: number | null
  /** Melting point, °C, OPERA prediction. */
  readonly meltingPointDegcOperaPred?: number | null
  /** Melting point, °C, T.E.S.T. prediction. */
  readonly meltingPointDegcTestPred?: number | null
  /** Soil adsorption coefficient (Koc), L/kg. */
  readonly soilAdsorptionCoefficient?: number | null
  /** Boiling point, °C, OPERA prediction. */
  readonly boilingPointDegcOperaPred?: number | null
  /** Boiling point, °C, T.E.S.T. prediction. */
  readonly boilingPointDegcTestPred?: number | null
  /** Ames mutagenicity (0 to 1), T.E.S.T. prediction. */
  readonly amesMutagenicityTestPred?: number | null
  /** Top of the winning model, in response units. */
  readonly top?: number | null
  /** Top of the winning model as a multiple of the cutoff. */
  readonly scaledTop?: number | null
  /** Concentration at half of the top (AC50), µM. */
  readonly ac50?: number | null
  /** Decimal logarithm of the AC50 in µM. */
  readonly logAc50?: number | null
  /** Continuous hit call, active from 0.9, as number or text. */
  readonly hitc?: string | number | null
}

/** Chemical detail record, projection chemicaldetailall. */
export interface AllDetails {
  /** Number of the record in the service, as text or number. */
  readonly id?: string | number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** IUPAC name. */
  readonly iupacName?: string | null
  /** Number of the compound. */
  readonly compoundId?: number | null
  /** Number of the substance. */
  readonly genericSubstanceId?: number | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** SMILES of the MS-ready form: desalted, neutral, without stereochemistry. */
  readonly msReadySmiles?: string | null
  /** SMILES of the QSAR-ready form. */
  readonly qsarReadySmiles?: string | null
  /** InChI; may end in a newline. */
  readonly inchiString?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
  /** Structural fingerprint: tab-separated 0 and 1. */
  readonly descriptorStringTsv?: string | null
  /** 1 where a structure image is available, else 0. */
  readonly hasStructureImage?: number | null
  /** Whether the structure is a Markush (generic) structure. */
  readonly isMarkush?: boolean | null
  /** 1 where the structure carries isotope labels, else 0. */
  readonly isotope?: number | null
  /** 1 where the structure has several components, else 0. */
  readonly multicomponent?: number | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** Curation level: 1 (best) to 5. */
  readonly qcLevel?: number | null
  /** Curation level in words. */
  readonly qcLevelDesc?: string | null
  /** Notes of the curators. */
  readonly qcNotes?: string | null
  /** Number of assays in which the substance was active. */
  readonly activeAssays?: number | null
  /** Number of assays in which the substance was tested. */
  readonly totalAssays?: number | null
  /** Active assays of those tested, %. */
  readonly percentAssays?: number | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly assaySelect?: string | null
  /** Number of consumer-product data records. */
  readonly cpdataCount?: number | null
  /** Number of data sources that list the substance. */
  readonly sourcesCount?: number | null
  /** Number of records in an external database. */
  readonly extdbCount?: number | null
  /** Compound number in an external database. */
  readonly extdbCid?: number | null
  /** Number of PubMed articles. */
  readonly pubmedCount?: number | null
  /** Number of related substances. */
  readonly relatedSubstanceCount?: number | null
  /** Number of related structures. */
  readonly relatedStructureCount?: number | null
  /** Link key to the provisional peer-reviewed toxicity values (PPRTV). */
  readonly pprtvLink?: string | null
  /** Link key to the integrated risk information system (IRIS). */
  readonly irisLink?: string | null
  /** Title of the encyclopedia article. */
  readonly encyclopediaArticle?: string | null
  /** Active and tested assays as text, e.g. 12/234. */
  readonly toxcastSelect?: string | null
  /** Number of records in an external database. */
  readonly pubchemCount?: number | null
  /** Compound number in an external database. */
  readonly pubchemCid?: number | null
  /** Title of the encyclopedia article. */
  readonly wikipediaArticle?: string | null
  /** Average molecular mass, in dalton. */
  readonly averageMass?: number | null
  /** Stereochemistry of the structure. */
  readonly stereo?: string | null
  /** Exposure category. */
  readonly expocat?: string | null
  /** Whether the substance was measured in NHANES. */
  readonly nhanes?: string | null
  /** Predicted median exposure, mg/kg body weight/day, as text. */
  readonly expocatMedianPrediction?: string | null
  /** Whether toxicity values are available. */
  readonly toxvalData?: string | null
  /** Fathead minnow 96 h LC50, mol/L. */
  readonly hrFatheadMinnow?: number | null
  /** Daphnia magna 48 h LC50, mol/L. */
  readonly hrDiphniaLc50?: number | null
  /** Basic pKa, OPERA prediction. */
  readonly pkabOperaPred?: number | null
  /** Acidic pKa, OPERA prediction. */
  readonly pkaaOperaPred?: number | null
  /** Surface tension, dyn/cm. */
  readonly surfaceTension?: number | null
  /** Developmental toxicity (0 to 1), T.E.S.T. prediction. */
  readonly devtoxTestPred?: number | null
  /** Henry's law constant, atm·m³/mol. */
  readonly henrysLawAtm?: number | null
  /** Oral rat LD50, mol/kg. */
  readonly oralRatLd50Mol?: number | null
  /** Density, g/cm³. */
  readonly density?: number | null
  /** Fish biotransformation half-life (KM), days, OPERA prediction. */
  readonly operaKmDaysOperaPred?: number | null
  /** Water solubility, mol/L, OPERA prediction. */
  readonly waterSolubilityOpera?: number | null
  /** Water solubility, mol/L, T.E.S.T. prediction. */
  readonly waterSolubilityTest?: number | null
  /** Octanol-water partition coefficient, log10. */
  readonly octanolWaterPartition?: number | null
  /** Flash point, °C, T.E.S.T. prediction. */
  readonly flashPointDegcTestPred?: number | null
  /** Viscosity, cP, T.E.S.T. prediction. */
  readonly viscosityCpCpTestPred?: number | null
  /** Thermal conductivity, mW/(m·K). */
  readonly thermalConductivity?: number | null
  /** Tetrahymena pyriformis 48 h IGC50, mol/L. */
  readonly tetrahymenaPyriformis?: number | null
  /** Biodegradation half-life, days. */
  readonly biodegradationHalfLifeDays?: number | null
  /** Vapour pressure, mmHg, OPERA prediction. */
  readonly vaporPressureMmhgOperaPred?: number | null
  /** Vapour pressure, mmHg, T.E.S.T. prediction. */
  readonly vaporPressureMmhgTestPred?: number | null
  /** Atmospheric hydroxylation rate, cm³/(molecule·s). */
  readonly atmosphericHydroxylationRate?: number | null
  /** Bioconcentration factor, L/kg, OPERA prediction. */
  readonly bioconcentrationFactorOperaPred?: number | null
  /** Bioconcentration factor, L/kg, T.E.S.T. prediction. */
  readonly bioconcentrationFactorTestPred?: number | null
  /** Octanol-air partition coefficient, log10. */
  readonly octanolAirPartitionCoeff?: number | null
  /** Melting point, °C, OPERA prediction. */
  readonly meltingPointDegcOperaPred?: number | null
  /** Melting point, °C, T.E.S.T. prediction. */
  readonly meltingPointDegcTestPred?: number | null
  /** Soil adsorption coefficient (Koc), L/kg. */
  readonly soilAdsorptionCoefficient?: number | null
  /** Boiling point, °C, OPERA prediction. */
  readonly boilingPointDegcOperaPred?: number | null
  /** Boiling point, °C, T.E.S.T. prediction. */
  readonly boilingPointDegcTestPred?: number | null
  /** Ames mutagenicity (0 to 1), T.E.S.T. prediction. */
  readonly amesMutagenicityTestPred?: number | null
}

/** Chemical detail record, projection compact. */
export interface CompactDetails {
  /** Substance identifier (DTXSID…). */
  readonly dtxsid: string
  /** Compound identifier (DTXCID…); null where no single structure is known. */
  readonly dtxcid?: string | null
  /** CAS registry number, or NOCAS_… where there is none. */
  readonly casrn?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** Molecular formula, Hill order. */
  readonly molFormula?: string | null
  /** Monoisotopic mass, dalton. */
  readonly monoisotopicMass?: number | null
  /** SMILES of the structure. */
  readonly smiles?: string | null
  /** InChIKey. */
  readonly inchikey?: string | null
}

/** The detail record in each projection. */
export interface Details {
  readonly chemicaldetailstandard: StandardDetails
  readonly chemicalidentifier: IdentifierDetails
  readonly chemicalstructure: StructureDetails
  readonly ntatoolkit: NtaDetails
  readonly ccdchemicaldetails: DashboardDetails
  readonly ccdassaydetails: AssayDetails
  readonly chemicaldetailall: AllDetails
  readonly compact: CompactDetails
}
