/**
 * The table of substances: their numbers, and what formula and mass searches look at; and how detail records are written
 * into it, into `details` and into the index of names.
 */
import type { DatabaseSync } from "node:sqlite"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { Result } from "effect"
import { toStored } from "../../internal/projection.ts"
import type { SubstanceEntry } from "../../StoreWriter.ts"
import { group } from "./groups.ts"
import * as msReadyForm from "./msReadyForm.ts"
import type { Names } from "./names.ts"

/**
 * The layout. Formulas are in Hill order; all is null where only synonyms are known.
 */
export const layout = `CREATE TABLE substances (
     id INTEGER PRIMARY KEY,
     dtxsid TEXT NOT NULL UNIQUE,
     formula TEXT,
     ms_formula TEXT,
     ms_mass REAL,
     ms_smiles TEXT
   ) STRICT`

// Each holds what is answered, in order, so that the table is not read.
const indexes: ReadonlyArray<readonly [name: string, column: string]> = [
  ["substances_formula", "formula"],
  ["substances_ms_formula", "ms_formula"],
  ["substances_ms_mass", "ms_mass"],
  ["substances_ms_smiles", "ms_smiles"]
]

/** The indexes of the layout. */
export const indexLayout: string = indexes
  .map(
    ([name, column]) =>
      `CREATE INDEX IF NOT EXISTS ${name} ON substances (${column}, dtxsid) WHERE ${column} IS NOT NULL`
  )
  .join(";\n")

/** The write side, within a transaction of the caller's. */
export interface Substances {
  /** Forgets what an earlier transaction has left undone. */
  readonly begin: () => void
  readonly putDetails: (entries: ReadonlyArray<SubstanceEntry>) => void
  /** Puts the names of synonym records into the index; the records themselves are kept by `synonyms`. */
  readonly putSynonyms: (entries: ReadonlyArray<SubstanceEntry>) => void
  /** Makes the indexes that a first import goes without. */
  readonly finish: () => void
}

export const writer = (database: DatabaseSync, names: Names): Substances => {
  const find = database.prepare("SELECT id FROM substances WHERE dtxsid = ?")
  const any = database.prepare("SELECT 1 FROM substances LIMIT 1")
  const add = database.prepare("INSERT INTO substances (dtxsid) VALUES (?)")
  const describe = database.prepare(
    `INSERT INTO substances (dtxsid, formula, ms_formula, ms_mass, ms_smiles) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (dtxsid) DO UPDATE SET
       formula = excluded.formula, ms_formula = excluded.ms_formula, ms_mass = excluded.ms_mass,
       ms_smiles = excluded.ms_smiles
     RETURNING id`
  )
  describe.setReturnArrays(true)
  const insert = database.prepare("INSERT OR REPLACE INTO details (id, others, record) VALUES (?, ?, ?)")
  let unindexed = false

  const start = (): void => {
    if (unindexed || any.get() !== undefined) return
    // Sorted at the end: random inserts into four growing trees cost more than the records themselves.
    for (const [name] of indexes) database.exec(`DROP INDEX IF EXISTS ${name}`)
    unindexed = true
  }

  return {
    begin: () => {
      unindexed = false
    },
    putDetails: (entries) => {
      start()
      for (const { dtxsid, record } of entries) {
        const picked = Result.getOrThrow(pickIndexed(RawRecord.fromBytes(record)))
        const fields = JSON.parse(RawRecord.toText(picked)) as Readonly<Record<string, unknown>>
        const smiles = text(fields["smiles"])
        const msReadySmiles = text(fields["msReadySmiles"])
        const formula = msReadyForm.hill(text(fields["molFormula"]))
        const mass = fields["monoisotopicMass"]
        const monoisotopicMass = typeof mass === "number" ? mass : undefined
        const form = msReadyForm.of({ smiles, msReadySmiles, formula, monoisotopicMass })
        const row = describe.get(dtxsid, formula, form.formula, form.mass, msReadySmiles ?? null)
        const [id] = row as unknown as readonly [number]
        const { record: own, others } = toStored(record)
        insert.run(id, others, own)
        names.put(group.identifiers, id, [
          dtxsid,
          text(fields["dtxcid"]) ?? "",
          text(fields["casrn"]) ?? "",
          text(fields["inchikey"]) ?? ""
        ])
        const hit = RawRecord.toText(Result.getOrThrow(pickHit(picked))).slice(1, -1)
        const showsOther = names.show(id, dtxsid, hit)
        names.put(group.approved, id, texts(fields["preferredName"]), showsOther)
      }
    },
    putSynonyms: (entries) => {
      start()
      for (const { dtxsid, record } of entries) {
        const found = find.get(dtxsid)?.["id"]
        const id = found === undefined ? Number(add.run(dtxsid).lastInsertRowid) : (found as number)
        const fields = JSON.parse(RawRecord.toText(RawRecord.fromBytes(record))) as Readonly<
          Record<string, unknown>
        >
        names.put(group.registry, id, [...texts(fields["alternateCasrn"]), ...texts(fields["deletedCasrn"])])
        names.put(group.valid, id, texts(fields["valid"]))
        names.put(group.good, id, texts(fields["good"]))
        names.put(group.other, id, texts(fields["other"]))
      }
    },
    finish: () => {
      if (unindexed) database.exec(indexLayout)
      unindexed = false
    }
  }
}

// The fields of a hit that are the record's own (specification, section 2.2).
const hitFields = ["dtxsid", "dtxcid", "casrn", "smiles", "preferredName", "hasStructureImage", "isMarkush"]

const pickHit = RawProjection.picker(hitFields, { missing: "null" })

// A short record to parse: the fingerprint alone is half of a whole one.
const pickIndexed = RawProjection.picker(
  [...hitFields, "inchikey", "msReadySmiles", "molFormula", "monoisotopicMass"],
  { missing: "omit" }
)

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

// A name, or a list of names.
const texts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((item) => text(item) !== undefined)
