/**
 * Looks up a batch of rows of the input. The record of a row is its resolution.
 *
 * `readingLookups.ts` looks up single readings; `combineFindings.ts` combines the findings of a row.
 */
import type { IdentifierKind } from "@chemstream/api"
import type { Batch } from "@chemstream/batch"
import { ChemClient, type ChemError } from "@chemstream/client"
import { Effect, Result } from "effect"
import type { Inspection } from "../../lookups/internal/inspection.ts"
import * as Part from "../../lookups/internal/lookupPart.ts"
import { absence, withSuggestions } from "../../runs/internal/missingMessages.ts"
import { type Candidate, withRecord } from "./candidate.ts"
import * as Resolution from "./combineFindings.ts"
import type { Finding } from "./readingFindings.ts"
import * as Readings from "./readingLookups.ts"
import * as RowEncoding from "./rowEncoding.ts"

/** The options of rows and of their candidates. */
export type Options = Readings.Options & RowEncoding.Columns & Resolution.Choice

/** Looks up the first readings of all rows, then the other readings of unknown rows, then details. */
export const resolveRows = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  inspection: Inspection,
  parts: Readings.Parts,
  options: Options
): Effect.fn.Return<
  Batch.CallResult<Resolution.Resolution, ChemError.ChemError>,
  ChemError.ChemError,
  ChemClient.ChemClient
> {
  const { dialect } = yield* ChemClient.ChemClient
  const rows = ids.map((id) => ({ id, cells: RowEncoding.cells(id, options) }))
  const classified = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (Result.isSuccess(cell.classified) ? [cell.classified.success] : []))
  )
  const first = classified.flatMap((one) => one.first)
  const result = yield* Readings.find(parts, first, dialect, inspection, options)
  const findings = new Map(result.findings)
  const isKnown = (reading: IdentifierKind.Reading): boolean => {
    const { candidates, error } = findings.get(Readings.keyOf(reading)) ?? {}
    return error !== undefined || (candidates?.length ?? 0) > 0
  }
  const others = classified.flatMap((one) => (one.first.some(isKnown) ? [] : one.otherwise))
  const second = yield* Readings.find(parts, others, dialect, inspection, options)
  for (const [key, finding] of second.findings) findings.set(key, finding)
  const complete = yield* addDetails(
    rows.map((one) => meaningOf(one.id, one.cells, findings, options)),
    parts,
    inspection,
    options
  )
  return { ...complete, surplus: [...result.surplus, ...second.surplus, ...(complete.surplus ?? [])] }
})

/** The meaning of a row before its details are known. */
interface Meaning {
  readonly id: string
  readonly resolution: Resolution.Resolution | undefined
  readonly suggestions: ReadonlyArray<string>
  readonly error: ChemError.ChemError | undefined
}

const meaningOf = (
  id: string,
  cells: ReadonlyArray<RowEncoding.Cell>,
  findings: ReadonlyMap<string, Finding>,
  options: Options
): Meaning => {
  const parts = cells.map((cell) => ({ column: cell.column, ...foundBy(cell, findings) }))
  const all = parts.flatMap(({ own }) => own)
  const found = Array.from(
    Map.groupBy(parts, ({ column }) => column).values(),
    (own): Resolution.Cell => ({
      label: own[0]?.label ?? "",
      candidates: own.flatMap(({ candidates }) => candidates),
      notes: own.flatMap(({ notes }) => notes)
    })
  )
  return {
    id,
    resolution: Resolution.make(found, options),
    suggestions: all.flatMap(({ suggestions }) => suggestions),
    error: all.find(({ error }) => error !== undefined)?.error
  }
}

/** Returns the findings of an identifier of a row, and why it has none. */
const foundBy = (
  cell: RowEncoding.Cell,
  findings: ReadonlyMap<string, Finding>
): Resolution.Cell & { readonly own: ReadonlyArray<Finding> } => {
  const { classified, label, text } = cell
  if (Result.isFailure(classified)) {
    const { message } = classified.failure
    return { label, own: [], candidates: [], notes: [RowEncoding.unconfirmed(cell, message)] }
  }
  const { first, otherwise } = classified.success
  const readings = [...first, ...otherwise].filter((reading) => findings.has(Readings.keyOf(reading)))
  const own = readings.map((reading) => findings.get(Readings.keyOf(reading)) as Finding)
  const candidates = own.flatMap((finding) => finding.candidates)
  const repairs = readings.flatMap(({ note }) => note ?? [])
  if (candidates.length > 0) {
    // Findings without a candidate add nothing if another one has candidates.
    const useful = own.filter((finding) => finding.candidates.length > 0)
    return { label, own, candidates, notes: [...repairs, ...useful.flatMap(({ notes }) => notes)] }
  }
  const [reason] = own.flatMap(({ notes }) => notes)
  const suggestions = own.flatMap((finding) => finding.suggestions)
  const note = RowEncoding.unconfirmed(cell, reason ?? withSuggestions(absence(text), suggestions))
  return { label, own, candidates, notes: [...repairs, note] }
}

/** Returns the result of all rows. Looks up missing detail records for candidates that need them. */
const addDetails = Effect.fnUntraced(function* (
  meanings: ReadonlyArray<Meaning>,
  { details, group }: Readings.Parts,
  inspection: Inspection,
  options: Options
): Effect.fn.Return<
  Batch.CallResult<Resolution.Resolution, ChemError.ChemError>,
  ChemError.ChemError,
  ChemClient.ChemClient
> {
  const lacks = ({ dtxsid, preferredName, record }: Candidate): boolean =>
    dtxsid !== null && record === undefined && (options.projection !== undefined || preferredName === null)
  const candidates = meanings.flatMap(({ resolution }) => resolution?.candidates ?? [])
  const wanted = [...new Set(candidates.filter(lacks).flatMap(({ dtxsid }) => dtxsid ?? []))]
  const request = { part: details, ids: wanted }
  const [result] = yield* Part.request(group, [request], inspection, options.onFailure)
  const errors = new Map<string, ChemError.ChemError>()
  const records: Array<{ readonly key: string; readonly record: Resolution.Resolution }> = []
  const suggestions = new Map<string, ReadonlyArray<string>>()
  for (const { error, id, resolution, suggestions: names } of meanings) {
    const own = resolution?.candidates.filter(lacks).map(({ dtxsid }) => result.keyOf(dtxsid ?? "")) ?? []
    const failure = error ?? own.map((key) => result.settled.errors.get(key)).find((one) => one !== undefined)
    if (failure !== undefined) errors.set(id, failure)
    if (names.length > 0) suggestions.set(id, [...new Set(names)])
    if (resolution === undefined) continue
    const complete = resolution.candidates.map((candidate) => {
      const [record] = lacks(candidate)
        ? (result.settled.records.get(result.keyOf(candidate.dtxsid ?? "")) ?? [])
        : []
      return record === undefined ? candidate : withRecord(candidate, record)
    })
    records.push({ key: id, record: { ...resolution, candidates: complete } })
  }
  return { records, errors, suggestions, surplus: result.settled.surplus }
})
