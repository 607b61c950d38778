/**
 * The search hit (docs/service.md, section 5.3): which substance matched, by which name, and how well.
 *
 * In a batch search, a value without a match gets a hit with only `searchValue`, `searchMsgs` and `suggestions`. Its
 * other fields are null (docs/service.md, section 6).
 */
import { Schema } from "effect"
import { flag, integer, text, texts } from "../schemas/internal/fieldTypes.ts"
import { lazy } from "../schemas/internal/lazyObject.ts"
import { type OpenStruct, openStruct } from "../schemas/internal/openStruct.ts"
import { identity, structure } from "./internal/detailFields.ts"
import type * as Types from "./internal/types/SearchHit.ts"

/** The fields of a hit. In single searches, some public deployments omit the last three. */
export const fields = lazy(() => ({
  dtxsid: Schema.optionalKey(
    Schema.NullOr(Schema.String.annotate({ description: "Substance identifier; null in a miss" }))
  ),
  dtxcid: identity.dtxcid,
  casrn: identity.casrn,
  smiles: structure.smiles,
  preferredName: identity.preferredName,
  searchName: text("The kind of name that matched, e.g. Approved Name"),
  searchValue: text("The value that matched; in a miss the value searched for"),
  rank: integer("Rank of the kind of name: smaller is better"),
  hasStructureImage: structure.hasStructureImage,
  isMarkush: structure.isMarkush,
  searchMsgs: texts("Messages about a value that was not found"),
  suggestions: texts("Values that may have been meant"),
  isDuplicate: flag("Whether the value was given before in the same batch")
}))

/** The schema of a hit. */
export const SearchHit: OpenStruct<Types.SearchHit> = openStruct(fields, {
  title: "Search hit",
  section: "5.3"
})

/** A substance that a search found, or a miss of a batch search. */
export type SearchHit = Types.SearchHit

/**
 * The ranks of the kinds of names, best first (docs/service.md, section 6). 1, 9, 10, 11 and 15 were observed. The
 * others are this project's own values between them.
 */
export const ranks = {
  DSSTox_Substance_Id: 1,
  DSSTox_Compound_Id: 2,
  CASRN: 5,
  InChIKey: 7,
  "Approved Name": 9,
  "Expert Validated Synonym": 10,
  "Synonym from Valid Source": 11,
  Synonym: 15
} as const

/**
 * Whether a kind of name identifies one substance: its own identifiers and its approved name. All others are synonyms, which
 * several substances may share. The public service has further spellings of some kinds.
 */
export const isIdentity = (searchName: string): boolean => identities.has(searchName)

/** The kinds of names that identify one substance, also in the spellings of the public service. */
const identities: ReadonlySet<string> = new Set([
  "DSSTox_Substance_Id",
  "DSSTox_Compound_Id",
  "CASRN",
  "CAS-RN",
  "InChIKey",
  "Indigo InChIKey",
  "Approved Name"
])

/** A kind of name that a search can match. */
export type SearchName = keyof typeof ranks
