/**
 * What hits show of substances: a table of its own, with nothing else in it, because a search reads a thousand of its
 * rows from all over it. Each value is kept as the text that it has in the record; the JSON around it is put on here,
 * in SQL.
 *
 * Which substances are hits is `search`'s business.
 */
import type { DatabaseSync } from "node:sqlite"
import { approvedKind, type Kind } from "./groups.ts"

/**
 * What a hit shows of a substance: JSON texts of its record, `null` for what that has not; and the lines of its
 * approved name.
 */
export interface Shown {
  readonly dtxsid: string
  readonly dtxcid: string
  readonly casrn: string
  readonly smiles: string
  readonly name: string
  readonly hasStructureImage: string
  readonly isMarkush: string
  readonly approved: ReadonlyArray<string>
}

/**
 * The fields of a hit that are the substance's own (docs/service.md, section 5.3), without a brace: texts in SQL, in
 * a row.
 */
export const fieldTexts = `'"dtxsid":"', hits.dtxsid, '","dtxcid":', hits.dtxcid, ',"casrn":', hits.casrn,
  ',"smiles":', hits.smiles, ',"preferredName":', hits.name, ',"hasStructureImage":', hits.has_structure_image,
  ',"isMarkush":', hits.is_markush`

/** The same as one text: an expression in SQL. */
export const fields = `concat(${fieldTexts})`

/** The last fields of a hit, which say nothing of it: a batch of searches has misses and duplicates, too. */
export const ofBatch = ',"searchMsgs":null,"suggestions":null,"isDuplicate":false'

/** The text of a hit by its approved name, made of the texts of those fields and of the name: an expression in SQL. */
export const approvedHit = (kinds: ReadonlyArray<Kind>, fieldTexts: string, name: string): string => {
  const { searchName, rank } = kinds[approvedKind] as Kind
  return `concat('{', ${fieldTexts}, ',"searchName":"${searchName}","searchValue":', ${name}, ',"rank":${rank}${ofBatch}}')`
}

/**
 * Whether the approved name contains a folded word, which is bound twice, the first time as `wordInName` has it: an
 * expression in SQL.
 */
export const nameContains = "iif(hits.folded IS NULL, instr(lower(hits.name), ?), instr(hits.folded, ?))"

/**
 * A word as it is looked for in the text of a name: the quotation marks at both ends of that are none of the name's.
 */
export const wordInName = (word: string): string | null => (word.includes('"') ? null : word)

/** Sets what a hit shows of a substance; gives whether it showed something else before. */
export type Put = (substance: number, shown: Shown, folded: string, isNew: boolean) => boolean

/** The write side, within a transaction of the caller's. */
export const writer = (database: DatabaseSync): Put => {
  const get = database.prepare("SELECT * FROM hits WHERE substance = ?")
  get.setReturnArrays(true)
  const put = database.prepare("INSERT OR REPLACE INTO hits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  return (substance, shown, folded, isNew) => {
    const { name } = shown
    const row = [
      substance,
      shown.dtxsid,
      shown.dtxcid,
      shown.casrn,
      shown.smiles,
      name,
      shown.hasStructureImage,
      shown.isMarkush,
      name.replace(/[A-Z]+/g, lowerCase) === `"${folded}"` ? null : folded
    ]
    const stored = isNew ? undefined : (get.get(substance) as unknown as typeof row | undefined)
    if (stored?.every((value, n) => value === row[n])) return false
    put.run(...row)
    return stored !== undefined
  }
}

// As SQLite's `lower`, which knows these letters only.
const lowerCase = (letters: string): string => letters.toLowerCase()
