/**
 * What a run came to, in words for a person and as JSON for a script.
 */
import { Ledger } from "@chemstream/stream"
import { LineTally } from "./lineTally.ts"

/** The seconds that a run took: with the earlier ones that it continues, and now. */
export interface Spent {
  readonly seconds: number
  readonly now: number
}

/** The JSON summary of `--json-summary`. Times in seconds, `bytes` are those of the answers received. */
export const toJson = (
  counts: Ledger.Counts,
  seconds: number,
  { blank, comments }: LineTally = new LineTally()
): Uint8Array => {
  const { read, found, missing, failed, duplicates, invalid, records, requests, retries, batches, bytes } =
    counts
  const summary = {
    read,
    found,
    missing,
    failed,
    duplicates,
    invalid,
    blank,
    comments,
    records,
    requests,
    retries,
    batches,
    bytes,
    seconds
  }
  return new TextEncoder().encode(`${JSON.stringify(summary)}\n`)
}

/** The summary in two or more lines; the first is the law of the ledger with its numbers. */
export const toText = (counts: Ledger.Ledger, spent: Spent): string => {
  const { read, found, missing, failed, duplicates, invalid } = counts
  const sum = `${count(found)} found + ${count(missing)} missing + ${count(failed)} failed + ${count(duplicates)} duplicates + ${count(invalid)} invalid`
  const holds =
    read === Ledger.accounted(counts) ? `read ${count(read)} = ${sum}` : `read ${count(read)}, so far ${sum}`
  const notes = [
    counts.suspicious > 0
      ? `${counted(counts.suspicious, "identifier")} asked for although the check digit does not fit (--strict-ids refuses that)`
      : "",
    counts.surplus > 0
      ? `${counted(counts.surplus, "record")} not passed on: not asked for, come twice, or without identifier`
      : ""
  ].filter((note) => note !== "")
  notes.push(...driftNotes(counts.drift))
  return `${[holds, workText(counts, spent), ...notes].join("\n")}\n`
}

/** The lines of an input that asked for nothing, and how many it has with the values read; empty where all held one. */
export const linesText = (
  read: number,
  { blank, comments, outcomes }: LineTally = new LineTally()
): string => {
  const left = [
    ...(blank > 0 ? [counted(blank, "blank line")] : []),
    ...(comments > 0 ? [counted(comments, "comment")] : []),
    ...(outcomes > 0 ? [`${counted(outcomes, "outcome")} not asked for again`] : [])
  ]
  return left.length === 0
    ? ""
    : `left out ${left.join(", ")}: ${counted(read + blank + comments + outcomes, "line")} in all\n`
}

/** How many ways in which records do not fit the contract are told. */
const mostDrift = 20

/** What of the records did not fit the contract, a line a field. */
export const driftNotes = ({ fields, untold }: Ledger.Ledger["drift"]): ReadonlyArray<string> => {
  const told = fields
    .slice(0, mostDrift)
    .map(
      (drift) =>
        `not as the contract says in ${counted(drift.count, "record")}: ${drift.field ?? "the record"} is ${drift.seen}, ${drift.expected} expected`
    )
  const rest = fields.slice(mostDrift).reduce((sum, { count: more }) => sum + more, untold)
  return rest === 0 ? told : [...told, `and ${counted(rest, "more such value")}`]
}

/** What it took, in a line. */
export const workText = (counts: Ledger.Counts, { now, seconds }: Spent): string =>
  `${counted(counts.records, "record")} in ${counted(counts.batches, "batch", "batches")}, ${counted(counts.requests, "request")} (${counted(counts.retries, "retry", "retries")}), ${bytesText(counts.bytes)} in ${seconds.toFixed(2)} s${seconds > now ? `, ${now.toFixed(2)} s of it in this run` : ""}`

/** A number and what it counts. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export const count = (value: number): string => value.toLocaleString("en-US")

const bytesText = (bytes: number): string =>
  bytes >= 1e6
    ? `${(bytes / 1e6).toFixed(1)} MB`
    : bytes >= 1e3
      ? `${(bytes / 1e3).toFixed(1)} kB`
      : `${bytes} B`
