// Generated from packages/api/src/records/AssayRecords.ts by `npm run generate`. Change the schema there instead.

/** Adverse outcome pathway of an assay endpoint. */
export interface Aop {
  /** Number of the record. */
  readonly id?: number | null
  /** Assay endpoint identifier. */
  readonly toxcastAeid?: number | null
  /** Number of the gene in NCBI Gene. */
  readonly entrezGeneId?: number | null
  /** Number of the key event in AOP-Wiki. */
  readonly eventNumber?: number | null
  /** Page of AOP-Wiki about the key event. */
  readonly eventLink?: string | null
  /** Number of the adverse outcome pathway in AOP-Wiki. */
  readonly aopNumber?: number | null
  /** Page of AOP-Wiki about the adverse outcome pathway. */
  readonly aopLink?: string | null
}

/** Analytical quality of a sample. */
export interface AnalyticalQc {
  /** Number of the record. */
  readonly analyticalQcId?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Name of the substance. */
  readonly chnm?: string | null
  /** Sample identifier; null in the record of the substance. */
  readonly spid?: string | null
  /** Whether the record is of the substance or of a sample. */
  readonly qcLevel?: string | null
  /** Grade of the sample when it was dissolved, e.g. A. */
  readonly t0?: string | null
  /** Grade of the sample after four months in solution, e.g. A. */
  readonly t4?: string | null
  /** Summary of the grades, e.g. S for stable. */
  readonly call?: string | null
  /** The grades in words. */
  readonly annotation?: string | null
  /** Warnings about the sample. */
  readonly flags?: string | null
  /** Mass of the substance in dalton, as text. */
  readonly averageMass?: string | null
  /** Log10 of the vapor pressure in mmHg that OPERA predicts, as text. */
  readonly log10VaporPressureOperaPred?: string | null
  /** LogKow (octanol-water) that OPERA predicts, as text. */
  readonly logkowOctanolWaterOperaPred?: string | null
  /** Date of the export of the data, YYYY-MM-DD. */
  readonly exportDate?: string | null
  /** Version of the database, e.g. prod_internal_invitrodb_v4_2. */
  readonly dataVersion?: string | null
  /** Caution from the properties of the substance: pass, or what to be careful about. */
  readonly porCaution?: string | null
}

/** Annotation of an assay endpoint on the dashboard. */
export interface DashboardAnnotation {
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Name of the assay endpoint. */
  readonly assayComponentEndpointName?: string | null
  /** Description of the assay endpoint. */
  readonly assayComponentEndpointDesc?: string | null
  /** Purpose of the readout, e.g. binding or viability. */
  readonly assayFunctionType?: string | null
  /** Unit of the normalized responses, e.g. percent_activity. */
  readonly normalizedDataType?: string | null
  /** 1 where the endpoint belongs to the cytotoxicity burst, else 0. */
  readonly burstAssay?: number | null
  /** Substance that is expected to be active, or several with semicolons. */
  readonly keyPositiveControl?: string | null
  /** Direction of the signal: gain, loss or bidirectional. */
  readonly signalDirection?: string | null
  /** Kind of the target, e.g. protein. */
  readonly intendedTargetType?: string | null
  /** Kind of the target in more detail, e.g. receptor. */
  readonly intendedTargetTypeSub?: string | null
  /** Family of the target, e.g. ion channel. */
  readonly intendedTargetFamily?: string | null
  /** Family of the target in more detail, e.g. ligand-gated ion channel. */
  readonly intendedTargetFamilySub?: string | null
  /** Name of the assay component. */
  readonly assayComponentName?: string | null
  /** Description of the assay component. */
  readonly assayComponentDesc?: string | null
  /** Description of the target, and of the effect on it that changes the signal. */
  readonly assayComponentTargetDesc?: string | null
  /** Whether the component has a single readout or several. */
  readonly parameterReadoutType?: string | null
  /** Way in which the process becomes a signal, e.g. binding reporter. */
  readonly assayDesignType?: string | null
  /** Way in which the process becomes a signal, in more detail. */
  readonly assayDesignTypeSub?: string | null
  /** Biological process that a substance disturbs. */
  readonly biologicalProcessTarget?: string | null
  /** Kind of the detection, e.g. Radiometry. */
  readonly detectionTechnologyType?: string | null
  /** Kind of the detection in more detail, e.g. Absorbance. */
  readonly detectionTechnologyTypeSub?: string | null
  /** Technology of the detection. */
  readonly detectionTechnology?: string | null
  /** Kind of the reagent that is measured, e.g. ligand. */
  readonly keyAssayReagentType?: string | null
  /** Reagent that is measured. */
  readonly keyAssayReagent?: string | null
  /** Kind of the target that the technology measures. */
  readonly technologicalTargetType?: string | null
  /** Kind of the target that the technology measures, in more detail. */
  readonly technologicalTargetTypeSub?: string | null
  /** Name of the assay. */
  readonly assayName?: string | null
  /** Description of the assay. */
  readonly assayDesc?: string | null
  /** Duration of the exposure, hours. */
  readonly timepointHr?: number | null
  /** Organism of the cells or proteins, e.g. human. */
  readonly organism?: string | null
  /** Tissue of the cells or proteins. */
  readonly tissue?: string | null
  /** Kind of the cells, e.g. cell line. */
  readonly cellFormat?: string | null
  /** Source of the components of a test without cells. */
  readonly cellFreeComponentSource?: string | null
  /** Short name of the cell line; NA where there is none. */
  readonly cellShortName?: string | null
  /** Growth of the cells, e.g. adherent; NA where there are none. */
  readonly cellGrowthMode?: string | null
  /** Size of the plate, e.g. microplate: 96-well plate. */
  readonly assayFootprint?: string | null
  /** Format of the assay, e.g. cell-based. */
  readonly assayFormatType?: string | null
  /** Format of the assay in more detail. */
  readonly assayFormatTypeSub?: string | null
  /** Whether a well has one readout or several. */
  readonly contentReadoutType?: string | null
  /** Solvent of the samples, e.g. DMSO. */
  readonly dilutionSolvent?: string | null
  /** Largest fraction of the solvent: 0 to 1, as the service documents it. */
  readonly dilutionSolventPercentMax?: number | null
  /** Short name of the source of the assay. */
  readonly assaySourceName?: string | null
  /** Name of the source of the assay. */
  readonly assaySourceLongName?: string | null
  /** Description of the source of the assay. */
  readonly assaySourceDesc?: string | null
  /** Address of the description of the assay. */
  readonly toxCastAssayDescription?: string | null
}

/** Annotation of an assay endpoint. */
export interface Annotation {
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Name of the assay endpoint. */
  readonly assayComponentEndpointName?: string | null
  /** 1 where the endpoint is ready for export, else 0; only older services send it. */
  readonly exportReady?: number | null
  /** 1 where the endpoint is ready for internal use, else 0; only older services send it. */
  readonly internalReady?: number | null
  /** Description of the assay endpoint. */
  readonly assayComponentEndpointDesc?: string | null
  /** Purpose of the readout, e.g. binding or viability. */
  readonly assayFunctionType?: string | null
  /** Unit of the normalized responses, e.g. percent_activity. */
  readonly normalizedDataType?: string | null
  /** 1 where the endpoint belongs to the cytotoxicity burst, else 0. */
  readonly burstAssay?: number | null
  /** Substance that is expected to be active, or several with semicolons. */
  readonly keyPositiveControl?: string | null
  /** Direction of the signal: gain, loss or bidirectional. */
  readonly signalDirection?: string | null
  /** Kind of the target, e.g. protein. */
  readonly intendedTargetType?: string | null
  /** Kind of the target in more detail, e.g. receptor. */
  readonly intendedTargetTypeSub?: string | null
  /** Family of the target, e.g. ion channel. */
  readonly intendedTargetFamily?: string | null
  /** Family of the target in more detail, e.g. ligand-gated ion channel. */
  readonly intendedTargetFamilySub?: string | null
  /** 1 where the endpoint measures the viability of cells, else 0. */
  readonly cellViabilityAssay?: number | null
  /** 1 where the data are usable, else 0; only older services send it. */
  readonly dataUsability?: number | null
  /** Assay component identifier. */
  readonly acid?: number | null
  /** Name of the assay component. */
  readonly assayComponentName?: string | null
  /** Description of the assay component. */
  readonly assayComponentDesc?: string | null
  /** Description of the target, and of the effect on it that changes the signal. */
  readonly assayComponentTargetDesc?: string | null
  /** Whether the component has a single readout or several. */
  readonly parameterReadoutType?: string | null
  /** Way in which the process becomes a signal, e.g. binding reporter. */
  readonly assayDesignType?: string | null
  /** Way in which the process becomes a signal, in more detail. */
  readonly assayDesignTypeSub?: string | null
  /** Biological process that a substance disturbs. */
  readonly biologicalProcessTarget?: string | null
  /** Kind of the detection, e.g. Radiometry. */
  readonly detectionTechnologyType?: string | null
  /** Kind of the detection in more detail, e.g. Absorbance. */
  readonly detectionTechnologyTypeSub?: string | null
  /** Technology of the detection. */
  readonly detectionTechnology?: string | null
  /** Kind of the reagent that is measured, e.g. ligand. */
  readonly keyAssayReagentType?: string | null
  /** Reagent that is measured. */
  readonly keyAssayReagent?: string | null
  /** Kind of the target that the technology measures. */
  readonly technologicalTargetType?: string | null
  /** Kind of the target that the technology measures, in more detail. */
  readonly technologicalTargetTypeSub?: string | null
  /** Assay identifier. */
  readonly aid?: number | null
  /** Name of the assay. */
  readonly assayName?: string | null
  /** Description of the assay. */
  readonly assayDesc?: string | null
  /** Duration of the exposure, hours. */
  readonly timepointHr?: number | null
  /** Number of the organism in the NCBI taxonomy. */
  readonly organismId?: number | null
  /** Organism of the cells or proteins, e.g. human. */
  readonly organism?: string | null
  /** Number of the species in the NCBI taxonomy. */
  readonly ncbiTaxonId?: number | null
  /** Scientific name of the species. */
  readonly taxonName?: string | null
  /** Common name of the species. */
  readonly commonName?: string | null
  /** Taxonomic lineage of the species. */
  readonly lineage?: string | null
  /** Tissue of the cells or proteins. */
  readonly tissue?: string | null
  /** Kind of the cells, e.g. cell line. */
  readonly cellFormat?: string | null
  /** Source of the components of a test without cells. */
  readonly cellFreeComponentSource?: string | null
  /** Short name of the cell line; NA where there is none. */
  readonly cellShortName?: string | null
  /** Growth of the cells, e.g. adherent; NA where there are none. */
  readonly cellGrowthMode?: string | null
  /** Size of the plate, e.g. microplate: 96-well plate. */
  readonly assayFootprint?: string | null
  /** Format of the assay, e.g. cell-based. */
  readonly assayFormatType?: string | null
  /** Format of the assay in more detail. */
  readonly assayFormatTypeSub?: string | null
  /** Whether a well has one readout or several. */
  readonly contentReadoutType?: string | null
  /** Solvent of the samples, e.g. DMSO. */
  readonly dilutionSolvent?: string | null
  /** Largest fraction of the solvent: 0 to 1, as the service documents it. */
  readonly dilutionSolventPercentMax?: number | null
  /** Assay source identifier. */
  readonly asid?: number | null
  /** Short name of the source of the assay. */
  readonly assaySourceName?: string | null
  /** Name of the source of the assay. */
  readonly assaySourceLongName?: string | null
  /** Description of the source of the assay. */
  readonly assaySourceDesc?: string | null
  /** Genes of the target: one, or a list. */
  readonly gene?:
    | {
        /** Number of the gene in this database. */
        readonly geneId?: number | null
        /** Name of the gene. */
        readonly geneName?: string | null
        /** Notes on the gene. */
        readonly description?: string | null
        /** Symbol of the gene, e.g. TUBA1A. */
        readonly geneSymbol?: string | null
        /** Number of the organism in this database. */
        readonly organismId?: number | null
        /** Status of the gene in NCBI Gene, e.g. live. */
        readonly trackStatus?: string | null
        /** Number of the gene in NCBI Gene. */
        readonly entrezGeneId?: number | null
        /** Official symbol of the gene. */
        readonly officialSymbol?: string | null
        /** Official name of the gene. */
        readonly officialFullName?: string | null
        /** Accession number of the protein in UniProt, e.g. P04150. */
        readonly uniprotAccessionNumber?: string | null
      }
    | ReadonlyArray<{
        /** Number of the gene in this database. */
        readonly geneId?: number | null
        /** Name of the gene. */
        readonly geneName?: string | null
        /** Notes on the gene. */
        readonly description?: string | null
        /** Symbol of the gene, e.g. TUBA1A. */
        readonly geneSymbol?: string | null
        /** Number of the organism in this database. */
        readonly organismId?: number | null
        /** Status of the gene in NCBI Gene, e.g. live. */
        readonly trackStatus?: string | null
        /** Number of the gene in NCBI Gene. */
        readonly entrezGeneId?: number | null
        /** Official symbol of the gene. */
        readonly officialSymbol?: string | null
        /** Official name of the gene. */
        readonly officialFullName?: string | null
        /** Accession number of the protein in UniProt, e.g. P04150. */
        readonly uniprotAccessionNumber?: string | null
      }>
    | null
  /** Lists that the endpoint is in: one, or a list. */
  readonly assayList?:
    | {
        /** Name of the list. */
        readonly name?: string | null
        /** Description of the list. */
        readonly description?: string | null
      }
    | ReadonlyArray<{
        /** Name of the list. */
        readonly name?: string | null
        /** Description of the list. */
        readonly description?: string | null
      }>
    | null
  /** Publications about the assay: one, or a list. */
  readonly citations?:
    | {
        /** DOI of the publication. */
        readonly doi?: string | null
        /** Address of the publication. */
        readonly url?: string | null
        /** Title of the publication. */
        readonly title?: string | null
        /** Authors of the publication. */
        readonly author?: string | null
        /** Citation of the publication. */
        readonly citation?: string | null
        /** Identifier of the publication in another source. */
        readonly otherId?: string | null
        /** Source of that identifier. */
        readonly otherSource?: string | null
        /** Number of the publication in PubMed. */
        readonly pmid?: number | null
        /** Number of the publication in this database. */
        readonly citationId?: number | null
      }
    | ReadonlyArray<{
        /** DOI of the publication. */
        readonly doi?: string | null
        /** Address of the publication. */
        readonly url?: string | null
        /** Title of the publication. */
        readonly title?: string | null
        /** Authors of the publication. */
        readonly author?: string | null
        /** Citation of the publication. */
        readonly citation?: string | null
        /** Identifier of the publication in another source. */
        readonly otherId?: string | null
        /** Source of that identifier. */
        readonly otherSource?: string | null
        /** Number of the publication in PubMed. */
        readonly pmid?: number | null
        /** Number of the publication in this database. */
        readonly citationId?: number | null
      }>
    | null
  /** Methods of level 2 (MC2) of multi-concentration data. */
  readonly mc2Methods?:
    | {
        /** Number of the method. */
        readonly mc2_mthd_id?: number | null
        /** Name of the method. */
        readonly mc2_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
        /** Position of the method among those of its level. */
        readonly exec_ordr?: number | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly mc2_mthd_id?: number | null
        /** Name of the method. */
        readonly mc2_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
        /** Position of the method among those of its level. */
        readonly exec_ordr?: number | null
      }>
    | null
  /** Methods of level 3 (MC3) of multi-concentration data: normalization. */
  readonly mc3Methods?:
    | {
        /** Number of the method. */
        readonly mc3_mthd_id?: number | null
        /** Name of the method. */
        readonly mc3_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly mc3_mthd_id?: number | null
        /** Name of the method. */
        readonly mc3_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
  /** Methods of level 4 (MC4) of multi-concentration data: fitting of all models. */
  readonly mc4Methods?:
    | {
        /** Number of the method. */
        readonly mc4_mthd_id?: number | null
        /** Name of the method. */
        readonly mc4_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly mc4_mthd_id?: number | null
        /** Name of the method. */
        readonly mc4_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
  /** Methods of level 5 (MC5) of multi-concentration data: winning model, cutoff. */
  readonly mc5Methods?:
    | {
        /** Number of the method. */
        readonly mc5_mthd_id?: number | null
        /** Name of the method. */
        readonly mc5_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly mc5_mthd_id?: number | null
        /** Name of the method. */
        readonly mc5_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
  /** Methods of level 6 (MC6) of multi-concentration data: flags. */
  readonly mc6Methods?:
    | {
        /** Number of the method. */
        readonly mc6_mthd_id?: number | null
        /** Name of the method. */
        readonly mc6_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly mc6_mthd_id?: number | null
        /** Name of the method. */
        readonly mc6_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
  /** Methods of level 1 (SC1) of single-concentration data: normalization. */
  readonly sc1Methods?:
    | {
        /** Number of the method. */
        readonly sc1_mthd_id?: number | null
        /** Name of the method. */
        readonly sc1_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly sc1_mthd_id?: number | null
        /** Name of the method. */
        readonly sc1_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
  /** Methods of level 2 (SC2) of single-concentration data: cutoff. */
  readonly sc2Methods?:
    | {
        /** Number of the method. */
        readonly sc2_mthd_id?: number | null
        /** Name of the method. */
        readonly sc2_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }
    | ReadonlyArray<{
        /** Number of the method. */
        readonly sc2_mthd_id?: number | null
        /** Name of the method. */
        readonly sc2_mthd?: string | null
        /** Description of the method. */
        readonly desc?: string | null
      }>
    | null
}

/** Assay endpoint in the list of the dashboard. */
export interface ListedAssay {
  /** Short name of the source of the assay. */
  readonly vendorKey?: string | null
  /** Name of the source of the assay. */
  readonly vendorName?: string | null
  /** Name of the assay. */
  readonly assayName?: string | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Name of the assay component. */
  readonly assayComponentName?: string | null
  /** Name of the assay endpoint. */
  readonly assayComponentEndpointName?: string | null
  /** Description of the assay endpoint. */
  readonly assayComponentEndpointDesc?: string | null
  /** Page of the dashboard about the endpoint. */
  readonly ccdAssayDetail?: string | null
  /** Common name of the species. */
  readonly commonName?: string | null
  /** Scientific name of the species. */
  readonly taxonName?: string | null
  /** Lists that the endpoint is in. */
  readonly assayList?: ReadonlyArray<{
    /** Name of the list. */
    readonly name?: string | null
    /** Description of the list. */
    readonly description?: string | null
  }> | null
  /** Genes of the target; a gene without a number stands for none. */
  readonly geneArray?: ReadonlyArray<{
    /** Number of the gene in NCBI Gene. */
    readonly entrezGeneId?: number | null
    /** Name of the gene. */
    readonly geneName?: string | null
    /** Official symbol of the gene. */
    readonly officialSymbol?: string | null
  }> | null
  /** Number of substances in single-concentration screening. */
  readonly singleConc?: ReadonlyArray<{
    /** Number of substances that were active in single-concentration screening. */
    readonly singleConcChemicalCountActive?: number | null
    /** Number of substances that were tested in single-concentration screening. */
    readonly singleConcChemicalCountTotal?: number | null
  }> | null
  /** Number of substances in multi-concentration screening. */
  readonly multiConc?: ReadonlyArray<{
    /** Number of substances that were active in multi-concentration screening. */
    readonly multiConcChemicalCountActive?: number | null
    /** Number of substances that were tested in multi-concentration screening. */
    readonly multiConcChemicalCountTotal?: number | null
  }> | null
}

/** Assay endpoint of a gene. */
export interface EndpointOfGene {
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Symbol of the gene, e.g. TUBA1A. */
  readonly geneSymbol?: string | null
  /** Name of the assay endpoint. */
  readonly assayComponentEndpointName?: string | null
  /** Description of the assay endpoint. */
  readonly assayComponentEndpointDesc?: string | null
  /** Active and tested substances in multi-concentration screening, e.g. 131/1066(12.29%). */
  readonly multiConcActives?: string | null
  /** Active and tested substances in single-concentration screening; null where none was tested. */
  readonly singleConcActive?: string | null
}

/** Gene of an assay endpoint. */
export interface Gene {
  /** Number of the gene in NCBI Gene. */
  readonly entrezGeneId?: number | null
  /** Name of the gene. */
  readonly geneName?: string | null
  /** Symbol of the gene, e.g. TUBA1A. */
  readonly geneSymbol?: string | null
}

/** Name of an assay that a search found. */
export interface AssayHit {
  /** Number of the name. */
  readonly id?: number | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Kind of name that matched. */
  readonly searchName?: string | null
  /** Name that matched. */
  readonly searchValue?: string | null
  /** Meaning of the name. */
  readonly searchValueDesc?: string | null
  /** Name as it is compared: in capitals. */
  readonly modifiedValue?: string | null
}

/** Prediction of a model of a receptor for a substance. */
export interface Model {
  /** Number of the record. */
  readonly id?: number | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Name of the model, e.g. COMPARA (Consensus). */
  readonly model?: string | null
  /** Receptor: Androgen or Estrogen. */
  readonly receptor?: string | null
  /** Activity as agonist: 0 or 1, an area under the curve (AUC), or a strength, e.g. Weak. */
  readonly agonist?: string | null
  /** Activity as antagonist, as `agonist` has it. */
  readonly antagonist?: string | null
  /** Binding to the receptor, as `agonist` has it; - where the model does not predict it. */
  readonly binding?: string | null
  /** Description of the model with its publications, as HTML. */
  readonly modelDesc?: string | null
}

/** Publication about an assay endpoint. */
export interface Citation {
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Name of the assay endpoint. */
  readonly assayComponentEndpointName?: string | null
  /** DOI of the publication. */
  readonly doi?: string | null
  /** Address of the publication. */
  readonly url?: string | null
  /** Title of the publication. */
  readonly title?: string | null
  /** Authors of the publication. */
  readonly author?: string | null
  /** Citation of the publication. */
  readonly citation?: string | null
  /** Identifier of the publication in another source. */
  readonly otherId?: string | null
  /** Source of that identifier. */
  readonly otherSource?: string | null
  /** Number of the publication in PubMed, as text or number. */
  readonly pmid?: string | number | null
}

/** Reagent of an assay endpoint. */
export interface Reagent {
  /** Kind of the reagent, e.g. medium. */
  readonly reagentType?: string | null
  /** The reagent. */
  readonly reagentValue?: string | null
  /** Whether the reagent is for the culture of the cells or for the assay. */
  readonly cultureOrAssay?: string | null
  /** Position of the reagent. */
  readonly orderId?: number | null
}

/** Result in single-concentration screening on the dashboard. */
export interface DashboardSingleConcentration {
  /** Number of the record. */
  readonly s2id?: number | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Name of the assay endpoint. */
  readonly endpointName?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dtxsid?: string | null
  /** Preferred name of the substance. */
  readonly preferredName?: string | null
  /** CAS registry number of the substance. */
  readonly casn?: string | null
  /** Median absolute deviation of the baseline, in the unit of the responses. */
  readonly bmad?: number | null
  /** Largest median response over the concentrations, in the unit of the responses. */
  readonly maxMedVal?: number | null
  /** Cutoff above which a response is active, in the unit of the responses. */
  readonly coff?: number | null
  /** Hit call: 1 active, 0 inactive. */
  readonly hitc?: number | null
}

/** Result of a sample in single-concentration screening. */
export interface SingleConcentration {
  /** Number of the record. */
  readonly s2id?: number | null
  /** Assay endpoint identifier. */
  readonly aeid?: number | null
  /** Sample identifier. */
  readonly spid?: string | null
  /** Number of the substance in this database. */
  readonly chid?: number | null
  /** CAS registry number of the substance. */
  readonly casn?: string | null
  /** Name of the substance. */
  readonly chnm?: string | null
  /** Substance identifier (DTXSID…). */
  readonly dsstoxSubstanceId?: string | null
  /** Median absolute deviation of the baseline, in the unit of the responses. */
  readonly bmad?: number | null
  /** Largest median response over the concentrations, in the unit of the responses. */
  readonly maxMed?: number | null
  /** Cutoff above which a response is active, in the unit of the responses. */
  readonly coff?: number | null
  /** Hit call: 1 active, 0 inactive. */
  readonly hitc?: number | null
  /** 1 where the sample represents its substance, else 0. */
  readonly chidRep?: number | null
  /** Concentration of the stock, in `stkcUnit`. */
  readonly stkc?: number | null
  /** Unit of the concentration of the stock, e.g. mM. */
  readonly stkcUnit?: string | null
  /** Unit of the tested concentrations, e.g. uM. */
  readonly testedConcUnit?: string | null
  /** The tested concentrations and the responses to them, in parallel. */
  readonly sc1Param?: {
    /** Tested concentrations, in `testedConcUnit`. */
    readonly conc?: ReadonlyArray<number | null> | null
    /** Normalized responses, in the unit of the endpoint. */
    readonly resp?: ReadonlyArray<number | null> | null
  } | null
  /** Date of the export of the data, YYYY-MM-DD. */
  readonly exportDate?: string | null
  /** Version of the database, e.g. prod_internal_invitrodb_v4_2. */
  readonly dataVersion?: string | null
}

/** Step of the processing of an assay endpoint. */
export interface ProcessingStep {
  /** Name of the method. */
  readonly methodName?: string | null
  /** Description of the method. */
  readonly description?: string | null
  /** Screening that the method is for: multi-concentration or single-concentration. */
  readonly assayRunType?: string | null
  /** Level of the processing (tcpl) that has the method. */
  readonly levelApplied?: number | null
  /** Position of the step. */
  readonly orderId?: number | null
}
