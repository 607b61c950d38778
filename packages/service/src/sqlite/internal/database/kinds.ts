/**
 * The kinds of names that a substance is found by: what a hit calls each, and its rank.
 *
 * Apart from `groups`, which the search threads load, because the contract comes with more than they need.
 */
import { SearchHit } from "@chemstream/api"
import { inchikeyKind, type Kind } from "../search/groups.ts"

const kind = (searchName: SearchHit.SearchName): Kind => ({ searchName, rank: SearchHit.ranks[searchName] })

/** The kinds with another rank of InChIKeys. */
export const rankingInchikeys = (rank: number): ReadonlyArray<Kind> =>
  kinds.map((kind, number) => (number === inchikeyKind ? { ...kind, rank } : kind))

/**
 * The kinds, by number. The third and fourth rank alike: the CAS number of the detail record, and the further ones of
 * the synonym record.
 */
export const kinds: ReadonlyArray<Kind> = [
  kind("DSSTox_Substance_Id"),
  kind("DSSTox_Compound_Id"),
  kind("CASRN"),
  kind("CASRN"),
  kind("InChIKey"),
  kind("Approved Name"),
  kind("Expert Validated Synonym"),
  kind("Synonym from Valid Source"),
  kind("Synonym")
]
