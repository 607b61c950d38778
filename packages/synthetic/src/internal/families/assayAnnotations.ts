/** Generates the annotation of the assay endpoints of generated substances. */
import type { AssayRecords } from "@chemstream/api"
import { endpoints } from "../assays/assayEndpoints.ts"
import { source } from "./generatedSource.ts"

/** The annotation of each endpoint. */
export const annotations: ReadonlyArray<AssayRecords.Annotation> = endpoints.map(
  ({ aeid, family, gene, name, tissue }) => {
    const description = `A generated assay of the ${family} in cells of ${tissue}`
    const isCytotoxicity = family === "cell cycle"
    return {
      aeid,
      assayComponentEndpointName: name,
      assayComponentEndpointDesc: description,
      assayFunctionType: isCytotoxicity ? "viability" : "binding",
      normalizedDataType: "percent_control",
      burstAssay: isCytotoxicity ? 1 : 0,
      signalDirection: "bidirectional",
      intendedTargetType: isCytotoxicity ? "cellular" : "protein",
      intendedTargetFamily: family,
      cellViabilityAssay: isCytotoxicity ? 1 : 0,
      acid: aeid,
      assayComponentName: name,
      assayComponentDesc: description,
      aid: aeid,
      assayName: name,
      assayDesc: description,
      timepointHr: 24,
      organismId: 9606,
      organism: "human",
      tissue,
      cellFormat: "cell line",
      cellShortName: "NA",
      dilutionSolvent: "DMSO",
      asid: 1,
      assaySourceName: "GEN",
      assaySourceLongName: source,
      assaySourceDesc: "Assays that do not exist",
      gene: gene === undefined ? null : { ...gene, officialSymbol: gene.geneSymbol },
      assayList: null,
      citations: null
    }
  }
)
