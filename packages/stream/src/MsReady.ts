/**
 * Lookups of MS-ready chemicals by compound, formula and mass (docs/service.md, section 3.3).
 *
 * The service answers bare identifiers: a record is `{"query","dtxsid"}`.
 */

import type { BodyReader } from "@chemstream/client"
import { RawArray, RawRecord } from "@chemstream/ndjson"
import { Result, Schema } from "effect"
import * as kinds from "./internal/kinds.ts"
import {
  bare,
  barely,
  batch,
  canonical,
  checked,
  elements,
  kindOf,
  problem,
  type Read,
  single
} from "./internal/lookups.ts"
import type { Lookup } from "./Lookup.ts"

type Raw = RawRecord.RawRecord

/** The substances whose MS-ready form is that of this compound (DTXCID), up to 1000 compounds a call. */
export const byDtxcid = (): Lookup<Raw> =>
  batch({
    endpoint: "msready.byDtxcidBatch",
    kind: kinds.dtxcid,
    multiplicity: "many",
    request: (payload) => ({ payload }),
    answer: barely(
      "dtxsid",
      Schema.String,
      (ids) => (body) =>
        Result.flatMap(checked(body), (text) =>
          kindOf(text) === "array"
            ? Result.flatMap(elements(body), (list) => listed(ids, list))
            : mapped(text, ids, canonical(kinds.dtxcid.parse))
        )
    )
  })

/** The MS-ready substances with this formula, one formula a call. */
export const byFormula = (): Lookup<Raw> =>
  single({
    endpoint: "msready.byFormula",
    kind: kinds.formula,
    multiplicity: "many",
    request: (formula) => ({ params: { formula } }),
    answer: substancesOf
  })

/** How close a mass must be. */
export interface MassOptions {
  /** The tolerance to both sides, in dalton; the service's default (0.005) when not given. */
  readonly tolerance?: number | undefined
}

/** The MS-ready substances of a monoisotopic mass in dalton, up to 1000 masses a call; masses are matched as numbers. */
export const byMass = (options: MassOptions = {}): Lookup<Raw> =>
  batch({
    endpoint: "msready.byMassBatch",
    kind: kinds.mass,
    multiplicity: "many",
    request: (ids) => ({
      payload: {
        masses: ids.map(Number),
        ...(options.tolerance === undefined ? {} : { error: options.tolerance })
      }
    }),
    answer: barely(
      "dtxsid",
      Schema.String,
      (ids) => (body) =>
        Result.flatMap(checked(body), (text) => mapped(text, ids, canonical(kinds.mass.parse)))
    )
  })

/**
 * The MS-ready substances of a range of monoisotopic masses in dalton, written `A,B`, both included, one range a call.
 *
 * @example
 * ```ts
 * import { MsReady } from "@chemstream/stream"
 * import { Result } from "effect"
 *
 * const lookup = MsReady.byMassRange()
 * lookup.parse("200.90, 200.95") // => Result.succeed("200.9,200.95")
 * Result.isFailure(lookup.parse("200.95,200.9")) // => true
 * ```
 */
export const byMassRange = (): Lookup<Raw> =>
  single({
    endpoint: "msready.byMass",
    kind: kinds.massRange,
    multiplicity: "many",
    request: (range) => {
      const [start = Number.NaN, end = Number.NaN] = range.split(",").map(Number)
      return { params: { start, end } }
    },
    answer: substancesOf
  })

/** Reads the identifiers of the substances of one value. */
const substancesOf = barely(
  "dtxsid",
  Schema.String,
  (value: string): BodyReader.BodyReader<ReadonlyArray<Raw>> =>
    (body) =>
      Result.map(elements(body), (dtxsids) => dtxsids.map((dtxsid) => bare(value, "dtxsid", dtxsid)))
)

/** Reads an object of identifiers to arrays of substances. */
const mapped = (
  text: Raw,
  ids: ReadonlyArray<string>,
  keyOf: (key: string) => string | undefined
): Result.Result<Read, BodyReader.BodyProblem> =>
  Result.flatMap(Result.mapError(RawRecord.entries(text), problem), (entries) => {
    const asked = new Set(ids)
    const records: Array<Read["records"][number]> = []
    let isExpected = entries.length === 0
    for (const entry of entries) {
      const key = keyOf(entry.key) ?? entry.key
      const dtxsids = RawArray.cut(RawRecord.toBytes(entry.value))
      if (Result.isFailure(dtxsids)) {
        return Result.fail({ path: entry.key, reason: dtxsids.failure.message })
      }
      isExpected ||= asked.has(key)
      for (const dtxsid of dtxsids.success) records.push({ key, record: bare(key, "dtxsid", dtxsid) })
    }
    return isExpected
      ? Result.succeed({ records, unidentified: 0 })
      : Result.fail({ path: "", reason: "nothing in the answer is of a value that was asked for" })
  })

/** Reads a list: of objects that name their compound, or of the substances of the only compound asked for. */
const listed = (
  ids: ReadonlyArray<string>,
  list: ReadonlyArray<Raw>
): Result.Result<Read, BodyReader.BodyProblem> => {
  const [only] = ids
  const records: Array<Read["records"][number]> = []
  for (const [index, item] of list.entries()) {
    const isText = RawRecord.toText(item).startsWith('"')
    if (isText && only !== undefined && ids.length === 1) {
      records.push({ key: only, record: bare(only, "dtxsid", item) })
      continue
    }
    const key = canonical(kinds.dtxcid.parse)(RawRecord.value(item, "dtxcid"))
    const substances = RawRecord.value(item, "dtxsids") ?? RawRecord.value(item, "dtxsid")
    const cut =
      substances instanceof RawRecord.RawRecord
        ? RawArray.cut(RawRecord.toBytes(substances))
        : Result.succeed([RawRecord.fromText(JSON.stringify(substances ?? null))])
    if (key === undefined || substances === undefined || Result.isFailure(cut)) {
      const reason =
        "an element of the list does not say which compound it is of, and which substances that has"
      return Result.fail({ path: `[${index}]`, reason })
    }
    for (const dtxsid of cut.success) records.push({ key, record: bare(key, "dtxsid", dtxsid) })
  }
  return Result.succeed({ records, unidentified: 0 })
}
