/** The records of hazard data of the public service (docs/families/hazard.md). */
import { integer, lazyRecord, type RecordOf, text } from "./internal/lazyRecord.ts"

/** The schema of a cancer call of one source. */
export const CancerCall = lazyRecord(
  { title: "Cancer call of a source", family: "hazard" },
  {
    id: integer("Number of the record"),
    dtxsid: text("Substance identifier (DTXSID…)"),
    source: text("Source of the call, e.g. IARC"),
    exposureRoute: text("Route of exposure that the call is for"),
    cancerCall: text("Carcinogenicity in the words of the source"),
    url: text("Page of the source about the substance")
  }
)

/** A cancer call of one source. */
export type CancerCall = RecordOf<typeof CancerCall>
