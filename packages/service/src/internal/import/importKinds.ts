/** Checks the identifiers of a record, and that it does not look like another kind (`recordLook`). */
import { createHash } from "node:crypto"
import {
  AedRecord,
  Assay,
  Bioactivity,
  BioactivityData,
  DetailRecord,
  Dtxsid,
  type InvalidIdentifier,
  type Key,
  Quote,
  type Row,
  SynonymRecord
} from "@chemstream/api"
import { RawRecord } from "@chemstream/ndjson"
import { type Effect, Result } from "effect"
import type { StoreError } from "../../Store.ts"
import type { BioactivityEntry, RecordEntry, SubstanceEntry, Transaction } from "../../StoreWriter.ts"
import { faultOf } from "./jsonFile.ts"

/** The kinds of records, in the usual order of an import. */
export const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

/** A kind of records. */
export type Kind = (typeof kinds)[number]

/** The records of the kinds. */
const recordsOfKinds: ReadonlySet<unknown> = new Set([
  DetailRecord.DetailRecord,
  SynonymRecord.SynonymRecord,
  BioactivityData.BioactivityData,
  AedRecord.AedRecord
])

/** Whether the records of a row are imported by itself, because they are neither computed nor of a kind. */
export const isOfRow = ({ record, special }: Row.Row): boolean =>
  special === undefined && !recordsOfKinds.has(record())

/** The reason why a record is refused. */
export interface Refusal {
  readonly reason: "malformed" | "identifier" | "kind"
  readonly message: string
}

/** Returns why a record with these fields is refused. Undefined: it is accepted. */
export type Check = (fields: object) => string | undefined

/** Reads records of one kind and puts them into a transaction. */
export interface Importer<Entry> {
  readonly toEntry: (record: RawRecord.RawRecord, check: Check) => Result.Result<Entry, Refusal>
  readonly put: (transaction: Transaction, entries: ReadonlyArray<Entry>) => Effect.Effect<void, StoreError>
}

/** Imports detail and synonym records, identified by `dtxsid`. */
export const details: Importer<SubstanceEntry> = {
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({ dtxsid: dtxsidOf(fields), record: bytes })),
  put: (transaction, entries) => transaction.putDetails(entries)
}

export const synonyms: Importer<SubstanceEntry> = {
  toEntry: details.toEntry,
  put: (transaction, entries) => transaction.putSynonyms(entries)
}

/** Imports bioactivity data records, identified by `m4id`, `aeid`, `spid` and, unless it is null, `dtxsid`. */
export const bioactivity: Importer<BioactivityEntry> = {
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({
      m4id: numberOf(fields, "m4id"),
      aeid: numberOf(fields, "aeid"),
      spid: spidOf(fields),
      dtxsid: (fields["dtxsid"] ?? null) === null ? null : dtxsidOf(fields),
      record: bytes
    })),
  put: (transaction, entries) => transaction.putBioactivity(entries)
}

/** Imports AED records, identified by `dtxsid` and `aeid`. */
export const aed: Importer<RecordEntry> = {
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({
      endpoint: Bioactivity.aedByDtxsid.name,
      key: dtxsidOf(fields),
      number: numberOf(fields, "aeid"),
      record: bytes
    })),
  put: (transaction, entries) => transaction.putRecords(entries)
}

/** Imports the records of a row, identified by its key and its order. A catalogue has one key, the empty text. */
export const ofRow = (row: Row.Row): Importer<RecordEntry> => ({
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({
      endpoint: row.name,
      key: row.key === undefined ? "" : keyOf(row.key, row.recordKey ?? row.key.name, fields),
      number: orderOf(row, fields, bytes),
      record: bytes
    })),
  put: (transaction, entries) => transaction.putRecords(entries)
})

const keyOf = (key: Key.Key, name: string, fields: Fields): string => {
  const value = fields[name]
  if (typeof value !== "string" && typeof value !== "number") throw unusable(name, value)
  const parsed = key.parse(String(value))
  if (Result.isFailure(parsed)) throw new UnusableField(parsed.failure.message)
  return parsed.success
}

/** The number of a record among those of its key: a field, 0 for the only one, or a digest of its text. */
const orderOf = ({ multiplicity, order }: Row.Row, fields: Fields, bytes: Uint8Array): number => {
  if (order === undefined) {
    return multiplicity === "one" ? 0 : createHash("sha256").update(bytes).digest().readUIntBE(0, 6)
  }
  const value = fields[order]
  if (!Number.isSafeInteger(value)) throw unusable(order, value)
  return value as number
}

type Fields = Readonly<Record<string, unknown>>

// Thrown and caught within this module.
class UnusableField extends Error {}

const readRecord = <Entry>(
  record: RawRecord.RawRecord,
  check: Check,
  toEntry: (fields: Fields, bytes: Uint8Array) => Entry
): Result.Result<Entry, Refusal> => {
  // Parsed only as a check: the text is stored.
  const parsed = RawRecord.parse(record)
  if (Result.isFailure(parsed)) return Result.fail({ reason: "malformed", message: faultOf(parsed.failure) })
  const value = parsed.success
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Result.fail({
      reason: "malformed",
      message: `a record must be a JSON object, this is ${kindOf(value)}`
    })
  }
  try {
    const entry = toEntry(value as Fields, RawRecord.toLine(record))
    const foreign = check(value)
    return foreign === undefined ? Result.succeed(entry) : Result.fail({ reason: "kind", message: foreign })
  } catch (cause) {
    if (!(cause instanceof UnusableField)) throw cause
    return Result.fail({ reason: "identifier", message: cause.message })
  }
}

const dtxsidOf = (fields: Fields): string => {
  const dtxsid = textOf(fields, "dtxsid")
  const checked = Dtxsid.parse(dtxsid)
  if (Result.isFailure(checked)) throw new UnusableField(checked.failure.message)
  if (checked.success !== dtxsid) {
    throw new UnusableField(`the dtxsid ${Quote.value(dtxsid)} must be written ${checked.success}`)
  }
  return dtxsid
}

const spidOf = (fields: Fields): string => {
  const spid = textOf(fields, "spid")
  const checked = Assay.parseSpid(spid)
  if (Result.isFailure(checked)) throw new UnusableField(checked.failure.message)
  return spid
}

// A whole number may be written 3850.0 (docs/service.md, section 5). JSON.parse reads it as 3850.
const numberOf = (fields: Fields, name: "m4id" | "aeid"): number => {
  const value = fields[name]
  if (typeof value !== "number") throw unusable(name, value)
  const checked: Result.Result<number, InvalidIdentifier.InvalidIdentifier> =
    name === "m4id" ? Assay.parseM4id(String(value)) : Assay.parseAeid(String(value))
  if (Result.isFailure(checked)) throw new UnusableField(checked.failure.message)
  return checked.success
}

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (typeof value !== "string") throw unusable(name, value)
  return value
}

const unusable = (name: string, value: unknown): UnusableField =>
  new UnusableField(
    `the record ${value === undefined ? `has no ${name}` : `has ${article(name)} ${name} that is ${kindOf(value)}`}, which identifies it`
  )

const article = (name: string): string => (/^[aeim]/.test(name) ? "an" : "a")

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
