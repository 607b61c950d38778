/**
 * Makes the entries of the store from the records of each kind, and of each endpoint. Refuses records without valid
 * identifiers.
 *
 * `kindMismatch` refuses records of another kind. `jsonFile` and `fileForm` read the files.
 */
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
import { Options } from "@chemstream/batch"
import { RawProjection, RawRecord } from "@chemstream/ndjson"
import { type Effect, Result } from "effect"
import type { StoreError } from "../../Store.ts"
import type { BioactivityEntry, RecordEntry, SubstanceEntry, Transaction } from "../../StoreWriter.ts"
import { nameOf, rowKind } from "../records/recordSource.ts"
import { faultOf } from "./jsonFile.ts"

/** The kinds of records, in the usual order of an import. */
export const kinds = ["details", "synonyms", "bioactivity", "aed"] as const

/** A kind of records. */
export type Kind = (typeof kinds)[number]

const recordsOfKinds: ReadonlySet<unknown> = new Set([
  DetailRecord.DetailRecord,
  SynonymRecord.SynonymRecord,
  BioactivityData.BioactivityData,
  AedRecord.AedRecord
])

/**
 * Whether the records of an endpoint are imported under its name (`Import.rowRecords`): they are neither computed, nor of one
 * of `kinds`, nor those of another endpoint.
 */
export const isOfRow = (row: Row.Row): boolean =>
  (Options.argument("row", rowKind, row).special === undefined || row.get.body !== undefined) &&
  nameOf(row) === row.name &&
  !recordsOfKinds.has(row.record())

/** The reason why a record is refused. */
export interface Refusal {
  readonly reason: "malformed" | "identifier" | "kind"
  readonly message: string
}

/** Returns why a record with these fields is refused. Undefined: it is accepted. */
export type Check = (fields: object) => string | undefined

/** Makes an entry of the store from each record, and puts entries into a transaction. */
export interface Importer<Entry> {
  readonly toEntry: (record: RawRecord.RawRecord, check: Check) => Result.Result<Entry, Refusal>
  readonly put: (transaction: Transaction, entries: ReadonlyArray<Entry>) => Effect.Effect<void, StoreError>
}

/** Imports detail records, identified by `dtxsid`. */
const details: Importer<SubstanceEntry> = {
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({ dtxsid: dtxsidOf(fields), record: bytes })),
  put: (transaction, entries) => transaction.putDetails(entries)
}

/** Imports synonym records, identified by `dtxsid`. */
const synonyms: Importer<SubstanceEntry> = {
  toEntry: details.toEntry,
  put: (transaction, entries) => transaction.putSynonyms(entries)
}

/** Imports bioactivity data records, identified by `m4id`, `aeid`, `spid` and, unless it is null, `dtxsid`. */
const bioactivity: Importer<BioactivityEntry> = {
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
const aed: Importer<RecordEntry> = {
  toEntry: (record, check) =>
    readRecord(record, check, (fields, bytes) => ({
      endpoint: Bioactivity.aedByDtxsid.name,
      key: dtxsidOf(fields),
      number: numberOf(fields, "aeid"),
      record: bytes
    })),
  put: (transaction, entries) => transaction.putRecords(entries)
}

export const ofKind = { details, synonyms, bioactivity, aed } satisfies Record<Kind, unknown>

/**
 * Imports the records of an endpoint, identified by its key and its order, and the records that other endpoints have from them. A
 * catalogue has one key, the empty text. A scalar value is stored alone, and a key that records do not have is left out.
 */
export const ofRow = (row: Row.Row, rows: ReadonlyArray<Row.Row>): Importer<ReadonlyArray<RecordEntry>> => {
  Options.refuseArguments({ row: Options.required(rowKind), rows: Options.list(rowKind) }, [row, rows])
  const derived = rows.filter((other) => other.from?.row === row.name && nameOf(other) === other.name)
  const withoutKey =
    row.recordKey === null && row.key !== undefined ? RawProjection.splitter([row.key.name]) : undefined
  return {
    toEntry: (record, check) =>
      readRecord(record, check, (fields, bytes) => {
        const key = row.key === undefined ? "" : ownKeyOf(row, row.key, fields)
        const value = row.scalar === undefined ? undefined : scalarOf(fields, row.scalar)
        const stored =
          value ??
          (withoutKey === undefined ? bytes : RawRecord.toBytes(Result.getOrThrow(withoutKey(record)).rest))
        return [
          { endpoint: row.name, key, number: orderOf(row, fields, stored), record: stored },
          ...derived.flatMap((other) => derivedEntries(other, fields, bytes))
        ]
      }),
    put: (transaction, entries) => transaction.putRecords(entries.flat())
  }
}

/** The key of a record of an endpoint. Scalar values have it in `query`. */
const ownKeyOf = (row: Row.Row, key: Key.Key, fields: Fields): string =>
  keyOf(key, row.scalar === undefined ? (row.recordKey ?? key.name) : "query", fields)

/** The entries of an endpoint that has its records from another endpoint: one for each of its keys and values. */
const derivedEntries = (row: Row.Row, fields: Fields, bytes: Uint8Array): ReadonlyArray<RecordEntry> => {
  const { from, key } = row
  const valuesOf = (name: string) => listOf(fields[name], from?.separator)
  const keys = key === undefined ? [""] : valuesOf(from?.key ?? key.name)
  const records = from?.value === undefined ? [bytes] : valuesOf(from.value).map(toBytes)
  return keys.flatMap((text) => {
    const stored = key === undefined ? "" : storedKey(key, String(text))
    if (stored === undefined) return []
    return records.map((record) => ({
      endpoint: row.name,
      key: stored,
      number: orderOf(row, fields, record),
      record
    }))
  })
}

/** A key of several fields is stored as the first of them. */
const storedKey = (key: Key.Key, text: string): string | undefined =>
  Object.keys(key.fields).length > 1 ? text : Result.getOrUndefined(key.parse(text))

/** The values of a field: one, a list, or a text with a separator. */
const listOf = (value: unknown, separator: string | undefined): ReadonlyArray<unknown> => {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  return typeof value === "string" && separator !== undefined
    ? value.split(separator).map((text) => text.trim())
    : [value]
}

const toBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

const scalarOf = (fields: Fields, name: string): Uint8Array => {
  const value = fields[name]
  if (typeof value !== "string" && typeof value !== "number") throw unusable(name, value)
  return toBytes(value)
}

const keyOf = (key: Key.Key, name: string, fields: Fields): string => {
  const value = fields[name]
  if (typeof value !== "string" && typeof value !== "number") throw unusable(name, value)
  const parsed = key.parse(String(value))
  if (Result.isFailure(parsed)) throw new UnusableField(parsed.failure.message)
  return parsed.success
}

/**
 * The number of a record among those of its key: a field, 0 for the only one, or a digest of a scalar value. Undefined:
 * records keep the order of the import.
 */
const orderOf = (
  { multiplicity, order, scalar }: Row.Row,
  fields: Fields,
  bytes: Uint8Array
): number | undefined => {
  if (multiplicity === "one") return 0
  if (scalar !== undefined) return createHash("sha256").update(bytes).digest().readUIntBE(0, 6)
  if (order === undefined) return undefined
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
