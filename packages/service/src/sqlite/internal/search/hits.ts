/**
 * Stores and reads the fields of hits, in a table of their own, because a search reads a thousand of its rows at
 * random.
 *
 * Each value is stored as its text in the record, and SQL adds the JSON around it. `search` decides which
 * substances are hits.
 */
import type { DatabaseSync } from "node:sqlite"
import { approvedKind, type Kind } from "./groups.ts"

/** The fields of a hit as JSON texts of the record, `null` if it lacks them, and the line of the approved name. */
export interface HitFields {
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
 * The fields of a hit that belong to the substance (docs/service.md, section 5.3), without braces: SQL texts of a
 * row.
 */
export const fieldTexts = `'"dtxsid":"', hits.dtxsid, '","dtxcid":', hits.dtxcid, ',"casrn":', hits.casrn,
  ',"smiles":', hits.smiles, ',"preferredName":', hits.name, ',"hasStructureImage":', hits.has_structure_image,
  ',"isMarkush":', hits.is_markush`

/** The same as one text: an SQL expression. */
export const fields = `concat(${fieldTexts})`

/** The last fields of a hit. They are constant here, and only vary in batches, which have misses and duplicates. */
export const batchFields = ',"searchMsgs":null,"suggestions":null,"isDuplicate":false'

/** Returns the text of a hit by its approved name, from the texts of its fields and the name: an SQL expression. */
export const approvedHit = (kinds: ReadonlyArray<Kind>, fieldTexts: string, name: string): string => {
  const { searchName, rank } = kinds[approvedKind] as Kind
  return `concat('{', ${fieldTexts}, ',"searchName":"${searchName}","searchValue":', ${name}, ',"rank":${rank}${batchFields}}')`
}

/**
 * Whether the approved name contains a folded word: an SQL expression. The word is bound twice, first as
 * `wordInName`.
 */
export const nameContains = "iif(hits.folded IS NULL, instr(lower(hits.name), ?), instr(hits.folded, ?))"

/** Returns a word in the form in which it occurs in the JSON text of a name, without the quotation marks. */
export const wordInName = (word: string): string | null => (word.includes('"') ? null : word)

/** Sets the fields of a hit. Returns whether they changed. */
export type Put = (substance: number, fields: HitFields, folded: string, isNew: boolean) => boolean

/** The write side, within a transaction of the caller. */
export const writer = (database: DatabaseSync): Put => {
  const get = database.prepare("SELECT * FROM hits WHERE substance = ?")
  get.setReturnArrays(true)
  const put = database.prepare("INSERT OR REPLACE INTO hits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  return (substance, fields, folded, isNew) => {
    const { name } = fields
    const row = [
      substance,
      fields.dtxsid,
      fields.dtxcid,
      fields.casrn,
      fields.smiles,
      name,
      fields.hasStructureImage,
      fields.isMarkush,
      name.replace(/[A-Z]+/g, lowerCase) === `"${folded}"` ? null : folded
    ]
    const stored = isNew ? undefined : (get.get(substance) as unknown as typeof row | undefined)
    if (stored?.every((value, n) => value === row[n])) return false
    put.run(...row)
    return stored !== undefined
  }
}

// As SQLite's `lower`, which knows only these letters.
const lowerCase = (letters: string): string => letters.toLowerCase()
