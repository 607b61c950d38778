/**
 * The records of links, of literature counts and of structures of the public service (docs/families/links.md,
 * docs/families/extra.md).
 */
import { flag, integer, lazyRecord, text } from "../schemas/internal/lazyRecord.ts"
import type * as Types from "./internal/types/LinkRecords.ts"

const dtxsid = text("Substance identifier (DTXSID…)")

const byDtxsid = { "x-primary-key": ["dtxsid"] } as const

/** The schema of the counts of references of a substance. */
export const ExtraData = lazyRecord<Types.ExtraData>(
  { ...byDtxsid, title: "Counts of references of a substance", family: "extra" },
  {
    dtxsid,
    dtxcid: integer("PubChem compound number (CID), in spite of the name; not a DTXCID"),
    refs: integer("Number of references in all sources together"),
    googlePatent: integer("Number of patents in Google Patents"),
    literature: integer("Number of articles in PubChem's literature; null where none is known"),
    pubmed: integer("Number of articles in PubMed; null where none is known")
  }
)

/** The counts of references of a substance. */
export type ExtraData = Types.ExtraData

/** The schema of a substance with a structure. */
export const StructureMatch = lazyRecord<Types.StructureMatch>(
  { title: "Substance with a structure", family: "extra" },
  {
    dtxsid,
    casrn: text("CAS registry number, or NOCAS_… where there is none"),
    preferredName: text("Preferred name of the substance")
  }
)

/** A substance with a structure. */
export type StructureMatch = Types.StructureMatch

/** The schema of the link to the GHS classification of a substance. */
export const GhsLink = lazyRecord<Types.GhsLink>(
  { ...byDtxsid, title: "Link to the GHS classification of a substance", family: "links" },
  {
    dtxsid,
    isSafetyData: flag("Whether PubChem has a GHS classification of the substance"),
    safetyUrl: text("Page of PubChem with the GHS classification; null where it has none")
  }
)

/** The link to the GHS classification of a substance. */
export type GhsLink = Types.GhsLink

/** The schema of the link to the Wikipedia article of a substance. */
export const WikipediaLink = lazyRecord<Types.WikipediaLink>(
  { ...byDtxsid, title: "Link to the Wikipedia article of a substance", family: "links" },
  { dtxsid, safetyUrl: text("Article of Wikipedia with safety data; null where it has none") }
)

/** The link to the Wikipedia article of a substance. */
export type WikipediaLink = Types.WikipediaLink
