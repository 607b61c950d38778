/**
 * The kinds of names that identify a substance, with the label and the rank of their hits (`SearchHit.ranks` of the package api).
 *
 * This module loads the contract, which needs much memory. Search threads load `nameGroups`, which does not.
 */
import { SearchHit } from "@chemstream/api"
import { inchikeyKind, type Kind } from "./nameGroups.ts"

const kindOf = (searchName: SearchHit.SearchName): Kind => ({ searchName, rank: SearchHit.ranks[searchName] })

/** Returns the kinds with another rank of InChIKeys. */
export const withInchikeyRank = (rank: number): ReadonlyArray<Kind> =>
  kinds.map((kind, number) => (number === inchikeyKind ? { ...kind, rank } : kind))

/**
 * The kinds, by number. The third and the fourth have the same rank: the CAS number of the detail record, and the CAS
 * numbers of the synonym record.
 */
export const kinds: ReadonlyArray<Kind> = [
  kindOf("DSSTox_Substance_Id"),
  kindOf("DSSTox_Compound_Id"),
  kindOf("CASRN"),
  kindOf("CASRN"),
  kindOf("InChIKey"),
  kindOf("Approved Name"),
  kindOf("Expert Validated Synonym"),
  kindOf("Synonym from Valid Source"),
  kindOf("Synonym")
]
