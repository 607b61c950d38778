/**
 * Renders the summary of a run, as text for people and as JSON for scripts.
 */
import { Quote } from "@chemstream/api"
import { Ledger } from "@chemstream/stream"
import { Schema } from "effect"
import { LineTally } from "../input/lineTally.ts"
import { count, counted, countTexts } from "../terminal/quantities.ts"

/** The durations of a run, in seconds. `seconds` includes the earlier parts of a continued run. `now` is this part alone. */
export interface Durations {
  readonly seconds: number
  readonly now: number
}

const countField = (description: string) => Schema.Natural.annotate({ description })

/** The schema of the JSON summary: `read = found + missing + failed + duplicates + invalid`. */
export const Summary = Schema.Struct({
  read: countField("Values read from the input"),
  found: countField("Values with at least one record"),
  missing: countField("Values that the service does not know"),
  failed: countField("Values without a usable response"),
  duplicates: countField("Values that came before"),
  invalid: countField("Values that are not identifiers"),
  blank: countField("Blank lines of the input"),
  comments: countField("Comments of the input"),
  records: countField("Records of the found values; of suspects, the candidates"),
  surplus: countField("Records that belong to no value"),
  truncated: countField("Values with more records than the service sent"),
  ambiguous: countField("Found values that may mean several substances"),
  conflict: countField("Found values whose identifiers are different substances"),
  requests: countField("Requests sent, retries included"),
  singleWords: countField(
    "Requests for one word, in a run that searches in batches: to check a synonym, or if the service refuses batches"
  ),
  singleMasses: countField(
    "Requests for one window of mass, in a run that searches in batches: if no batch can have it, or the service refuses batches"
  ),
  retries: countField("Retries"),
  batches: countField("Batches"),
  batchSizes: Schema.optionalKey(
    Schema.Struct({
      smallest: countField("The smallest"),
      largest: countField("The largest")
    }).annotate({
      description:
        "The largest number of values in a batch, which the service or its responses may have lowered"
    })
  ),
  bytes: Schema.Natural.annotate({ description: "Size of the responses received", "x-unit": "byte" }),
  seconds: Schema.Finite.annotate({
    description: "Duration, earlier parts of the run included",
    "x-unit": "s"
  }),
  complete: Schema.Boolean.annotate({ description: "Whether the run reached the end of its input" })
}).annotate({ title: "Summary of a run" })

export const toJson = (
  counts: Ledger.Ledger,
  seconds: number,
  complete: boolean,
  { blank, comments }: LineTally = new LineTally()
): Uint8Array => {
  const values = { ...counts, blank, comments, seconds, complete }
  const names = Object.keys(Summary.fields) as ReadonlyArray<keyof typeof Summary.fields>
  const summary = Object.fromEntries(names.map((name) => [name, values[name]]))
  return new TextEncoder().encode(`${JSON.stringify(summary)}\n`)
}

/** The parts of the summary that are not counts. */
export interface Names {
  /** The errors file. */
  readonly errors?: string | undefined
  /** The first truncated value of this run. */
  readonly truncated?: string | undefined
  /** Whether an earlier part of the run had truncated values. */
  readonly truncatedBefore?: boolean
  /** The noun of a record. Default: record. */
  readonly noun?: string | undefined
}

/** Renders the summary in two or more lines. The first is the equation of the ledger. */
export const toText = (counts: Ledger.Ledger, durations: Durations, names: Names = {}): string => {
  const { errors, noun = "record", truncated, truncatedBefore = false } = names
  const { read } = counts
  const sum = [
    `${count(counts.found)} found${partsText(counts)}`,
    ...countTexts(counts, ["missing", "failed", "duplicates", "invalid"])
  ].join(" + ")
  const equation =
    read === Ledger.sum(counts)
      ? `read ${count(read)} = ${sum}`
      : `read ${count(read)}, settled ${count(Ledger.sum(counts))} = ${sum}`
  const first = truncated === undefined ? "" : `, the first is ${Quote.value(truncated)}`
  const firstText = truncatedBefore ? ", the first in an earlier part of the run" : first
  const notes = [
    read === 0 ? "no identifier was read from the input" : "",
    counts.suspicious > 0
      ? `${counted(counts.suspicious, "identifier")} with a wrong check digit, requested anyway (--strict-ids makes them invalid)`
      : "",
    counts.surplus > 0
      ? `${counted(counts.surplus, "surplus record")}: not requested, repeated, or without an identifier (${errors === undefined ? "--errors FILE keeps them" : `in ${errors}`})`
      : "",
    counts.truncated > 0
      ? `${counted(counts.truncated, "value")} truncated${firstText}: the service has more hits than it sent. Search for longer words`
      : ""
  ].filter((note) => note !== "")
  notes.push(...driftNotes(counts.drift))
  return `${[equation, workText(counts, durations, noun), ...notes].join("\n")}\n`
}

/** Renders the numbers of found values that need a review. Empty: there are none. */
const partsText = ({ ambiguous, conflict }: Ledger.Counts): string => {
  const parts = [
    ...(ambiguous > 0 ? [`${count(ambiguous)} ambiguous`] : []),
    ...(conflict > 0 ? [`${count(conflict)} conflict`] : [])
  ]
  return parts.length === 0 ? "" : ` (of which ${parts.join(", ")})`
}

/** Returns the counts of lines without a value, and of all lines. Empty if every line had a value. */
export const linesText = (
  read: number,
  { blank, comments, outcomes }: LineTally = new LineTally(),
  isComplete = true
): string => {
  const left = [
    ...(blank > 0 ? [counted(blank, "blank line")] : []),
    ...(comments > 0 ? [counted(comments, "comment")] : []),
    ...(outcomes > 0 ? [`${counted(outcomes, "outcome")} not requested again`] : [])
  ]
  return left.length === 0
    ? ""
    : `left out ${left.join(", ")}: ${counted(read + blank + comments + outcomes, "line")} ${isComplete ? "in all" : "read until the run stopped"}\n`
}

/** The most kinds of drift in the summary. */
const mostDrift = 20

/** Renders the drift of the records, one line for each field. */
export const driftNotes = ({ fields, overflow }: Ledger.Ledger["drift"]): ReadonlyArray<string> => {
  const notes = fields
    .slice(0, mostDrift)
    .map(
      (drift) =>
        `differs from the contract in ${counted(drift.count, "record")}: ${drift.field ?? "the record"} is ${drift.seen}, ${drift.expected} expected`
    )
  const rest = fields.slice(mostDrift).reduce((sum, { count: more }) => sum + more, overflow)
  return rest === 0 ? notes : [...notes, `and ${counted(rest, "more such value")}`]
}

/** Renders records, requests, bytes and seconds as one line. */
export const workText = (
  counts: Ledger.Counts & Partial<Ledger.State>,
  { now, seconds }: Durations,
  noun = "record"
): string =>
  `${counted(counts.records, noun)} in ${counted(counts.batches, "batch", "batches")}${sizesText(counts)}, ${counted(counts.requests, "request")} (${counted(counts.retries, "retry", "retries")}${singlesText(counts)}), ${bytesText(counts.bytes)} in ${seconds.toFixed(2)} s${seconds > now ? `, ${now.toFixed(2)} s of it in this run` : ""}`

/** Renders the numbers of requests for one value, if a run in batches sent any. */
const singlesText = ({ singleMasses, singleWords }: Ledger.Counts): string =>
  [
    singleWords === 0 ? "" : `, ${count(singleWords)} for single words`,
    singleMasses === 0 ? "" : `, ${count(singleMasses)} for single masses`
  ].join("")

/** Renders the batch sizes, if they changed. */
const sizesText = ({
  batchSizes: { largest, smallest } = { largest: 0, smallest: 0 }
}: Partial<Ledger.State>): string =>
  smallest === largest ? "" : ` of at most ${count(smallest)} to ${count(largest)} values`

const bytesText = (bytes: number): string =>
  bytes >= 1e6
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : bytes >= 1e3
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${bytes} B`
