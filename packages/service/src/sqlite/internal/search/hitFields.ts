/**
 * The fields of a hit: their SQL, and their writer. They have their own small table, because a search reads a thousand rows at
 * random.
 *
 * A value is stored as its JSON text, and SQL adds the JSON around it.
 */
import type { DatabaseSync } from "node:sqlite"
import { approvedKind, type Kind } from "./nameGroups.ts"

/** The fields of a hit as JSON texts of the record; missing ones are `null`. `approved` has the approved names. */
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
 * The fields of a hit that belong to the substance (docs/service.md, section 5.3), without braces, as SQL
 * expressions.
 */
export const fieldTexts = `'"dtxsid":"', hits.dtxsid, '","dtxcid":', hits.dtxcid, ',"casrn":', hits.casrn,
  ',"smiles":', hits.smiles, ',"preferredName":', hits.name, ',"hasStructureImage":', hits.has_structure_image,
  ',"isMarkush":', hits.is_markush`

/** The same fields as one SQL expression. */
export const fields = `concat(${fieldTexts})`

/** The last fields of a hit. Only batches with misses or duplicates change them. */
export const batchFields = ',"searchMsgs":null,"suggestions":null,"isDuplicate":false'

/**
 * Returns an SQL expression for the text of a hit by approved name. `fieldsSql` and `nameSql` are SQL expressions too.
 */
export const approvedHit = (kinds: ReadonlyArray<Kind>, fieldsSql: string, nameSql: string): string => {
  const { searchName, rank } = kinds[approvedKind] as Kind
  return `concat('{', ${fieldsSql}, ',"searchName":"${searchName}","searchValue":', ${nameSql}, ',"rank":${rank}${batchFields}}')`
}

/**
 * An SQL expression: whether the approved name contains a folded word. The word is bound twice, first as
 * `wordInName`.
 */
export const nameContains = "iif(hits.folded IS NULL, instr(lower(hits.name), ?), instr(hits.folded, ?))"

/** Returns a word as it occurs in the JSON text of a name. Null for a word with a quotation mark. */
export const wordInName = (word: string): string | null => (word.includes('"') ? null : word)

/** Sets the fields of a hit. Returns whether they changed. */
export type Put = (substance: number, hit: HitFields, folded: string, isNew: boolean) => boolean

/** The writer. The caller has a transaction open. */
export const writer = (database: DatabaseSync): Put => {
  const get = database.prepare("SELECT * FROM hits WHERE substance = ?")
  get.setReturnArrays(true)
  const put = database.prepare("INSERT OR REPLACE INTO hits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  return (substance, hit, folded, isNew) => {
    const { name } = hit
    const row = [
      substance,
      hit.dtxsid,
      hit.dtxcid,
      hit.casrn,
      hit.smiles,
      name,
      hit.hasStructureImage,
      hit.isMarkush,
      name.replace(/[A-Z]+/g, lowerCase) === `"${folded}"` ? null : folded
    ]
    const stored = isNew ? undefined : (get.get(substance) as unknown as typeof row | undefined)
    if (stored?.every((value, n) => value === row[n])) return false
    put.run(...row)
    return stored !== undefined
  }
}

// Like SQLite's `lower`, which changes only these letters.
const lowerCase = (letters: string): string => letters.toLowerCase()
