/** The SQL of detail records: by substance and by compound, one and many. */

import type { DatabaseSync, StatementSync } from "node:sqlite"
import { fold } from "@chemstream/api/NameForm"
import { Option } from "effect"
import type { DetailQueries, StoredDetail, StoredRecord } from "../../../Store.ts"
import { attempt } from "../database/databaseErrors.ts"
import { arraysOf } from "../database/sqlReads.ts"
import { compoundKind } from "../search/nameGroups.ts"

type Row = readonly [StoredRecord | null, StoredRecord]

// The values of a batch. One statement for the whole batch is almost twice as fast as one per value.
const batchValues = "(SELECT value FROM json_each(?))"

// Joins the records of a batch into one value. Thousands of small values would be megabytes of garbage that V8
// underestimates.
const joinedRecords = "CAST(coalesce(group_concat(record, ','), '') AS BLOB)"

const substancesOfCompound = `(SELECT substance FROM terms WHERE kind = ${compoundKind} AND term`

export const queries = (
  file: string,
  database: DatabaseSync
): Omit<DetailQueries, "detailPage" | "detailsAfter"> => {
  const arrays = (condition: string, columns = "others, record") =>
    arraysOf(database)(`SELECT ${columns} FROM details WHERE id ${condition}`)
  const ofSubstances = `IN (SELECT id FROM substances WHERE dtxsid IN ${batchValues})`
  const ofCompounds = `IN ${substancesOfCompound} IN ${batchValues})`
  const ofSubstance = "= (SELECT id FROM substances WHERE dtxsid = ?)"
  const bySubstance = arrays(ofSubstance)
  const recordBySubstance = arrays(ofSubstance, "record")
  const bySubstances = arrays(ofSubstances)
  const arrayBySubstances = arrays(ofSubstances, joinedRecords)
  const byCompound = arrays(`IN ${substancesOfCompound} = ?) ORDER BY id LIMIT 1`)
  const byCompounds = arrays(ofCompounds)
  const arrayByCompounds = arrays(ofCompounds, joinedRecords)
  const array = (statement: StatementSync, values: ReadonlyArray<string>): Uint8Array => {
    const [records] = statement.get(JSON.stringify(values)) as unknown as readonly [Uint8Array<ArrayBuffer>]
    // The brackets are added here, because SQL would copy the whole text to add them.
    const bytes = Buffer.allocUnsafeSlow(records.length + 2)
    bytes[0] = 0x5b // [
    bytes.set(records, 1)
    bytes[bytes.length - 1] = 0x5d // ]
    // Frees the memory at once, without garbage collection: docs/decisions/0005-index-of-parts-of-names.md.
    records.buffer.transfer(0)
    return bytes
  }
  const one = (row: unknown): Option.Option<StoredDetail> =>
    row === undefined ? Option.none() : Option.some(toDetail(row))
  return {
    detail: (dtxsid) => attempt(file, () => one(bySubstance.get(dtxsid))),
    detailRecord: (dtxsid) =>
      attempt(file, () => {
        const row = recordBySubstance.get(dtxsid) as unknown as readonly [StoredRecord] | undefined
        return row === undefined ? Option.none() : Option.some(row[0])
      }),
    details: (dtxsids) => attempt(file, () => bySubstances.all(JSON.stringify(dtxsids)).map(toDetail)),
    detailArray: (dtxsids) => attempt(file, () => array(arrayBySubstances, dtxsids)),
    detailByDtxcid: (dtxcid) => attempt(file, () => one(byCompound.get(fold(dtxcid)))),
    detailsByDtxcid: (dtxcids) =>
      attempt(file, () => byCompounds.all(JSON.stringify(dtxcids.map(fold))).map(toDetail)),
    detailArrayByDtxcid: (dtxcids) => attempt(file, () => array(arrayByCompounds, dtxcids.map(fold)))
  }
}

const toDetail = (row: unknown): StoredDetail => {
  const [others, record] = row as Row
  return { record, others }
}
