/** The groups of the calls of a client. The mode says whether they return effects or promises. */
import type { AssayCalls } from "./AssayCalls.ts"
import type { BioactivityCalls } from "./BioactivityCalls.ts"
import type { DetailCalls } from "./DetailCalls.ts"
import type { ExposureCalls } from "./ExposureCalls.ts"
import type { ExtraCalls } from "./ExtraCalls.ts"
import type { FateCalls } from "./FateCalls.ts"
import type { FileCalls } from "./FileCalls.ts"
import type { HazardCalls } from "./HazardCalls.ts"
import type { LinkCalls } from "./LinkCalls.ts"
import type { ListCalls } from "./ListCalls.ts"
import type { Effects, Mode } from "./Mode.ts"
import type { MsReadyCalls } from "./MsReadyCalls.ts"
import type { PropertyCalls } from "./PropertyCalls.ts"
import type { SearchCalls } from "./SearchCalls.ts"
import type { SynonymCalls } from "./SynonymCalls.ts"

/** The groups of the calls of a client. */
export interface Groups<F extends Mode = Effects> {
  /** Chemical detail records and the list of all chemicals (docs/service.md, section 3.1). */
  readonly details: DetailCalls<F>
  /** Search by name, identifier and formula (docs/service.md, section 3.2). */
  readonly search: SearchCalls<F>
  /** MS-ready chemicals by compound, formula and mass (docs/service.md, section 3.3). */
  readonly msready: MsReadyCalls<F>
  /** Synonyms (docs/service.md, section 3.4). */
  readonly synonyms: SynonymCalls<F>
  /** Bioactivity data (docs/service.md, section 3.5). */
  readonly bioactivity: BioactivityCalls<F>
  /** Toxicity values, studies, and calls of cancer, genotoxicity and irritation (docs/families/hazard.md). */
  readonly hazard: HazardCalls<F>
  /** Uses, products, lists, monitoring and predicted exposure (docs/families/exposure.md). */
  readonly exposure: ExposureCalls<F>
  /** Predicted and measured properties (docs/families/properties.md). */
  readonly properties: PropertyCalls<F>
  /** Fate in the environment (docs/families/fate.md). */
  readonly fate: FateCalls<F>
  /** Public lists of chemicals and their members (docs/families/lists.md). */
  readonly lists: ListCalls<F>
  /** Assays: annotation, genes, pathways, quality control (docs/families/assays.md). */
  readonly assays: AssayCalls<F>
  /** Structure images and molfiles (docs/families/files.md). */
  readonly files: FileCalls<F>
  /** Counts of literature and patents (docs/families/extra.md). */
  readonly extra: ExtraCalls<F>
  /** Pages about a substance elsewhere (docs/families/links.md). */
  readonly links: LinkCalls<F>
}
